import { Client, Connection } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { NativeConnection, type NativeConnectionOptions } from '@temporalio/worker';

import { WorkerConfigError } from './config.js';

export interface TemporalSession {
  /** For the worker's polls. */
  readonly native: NativeConnection;
  /** For starting and following runs. */
  readonly client: Client;
  readonly namespace: string;
  readonly address: string;
  readonly close: () => Promise<void>;
}

export interface TemporalSettings {
  readonly options: NativeConnectionOptions & { readonly address: string };
  readonly namespace: string;
}

/** As the SDK's environment configuration says: address, namespace, API key, mTLS. */
export function readTemporalSettings(address?: string): TemporalSettings {
  try {
    const { connectionOptions, namespace } = loadClientConnectConfig();
    return {
      options: {
        ...connectionOptions,
        address: address ?? connectionOptions.address ?? 'localhost:7233',
      },
      namespace: namespace ?? 'default',
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new WorkerConfigError(`the environment configuration of Temporal can't be read: ${why}`);
  }
}

export async function openTemporalSession(settings: TemporalSettings): Promise<TemporalSession> {
  const { options, namespace } = settings;
  const native = await reach(options.address, () => NativeConnection.connect(options));
  try {
    const connection = await reach(options.address, () => Connection.connect(options));
    return {
      native,
      client: new Client({ connection, namespace }),
      namespace,
      address: options.address,
      close: async () => {
        await connection.close();
        await native.close();
      },
    };
  } catch (error) {
    await native.close();
    throw error;
  }
}

async function reach<T>(address: string, connect: () => Promise<T>): Promise<T> {
  try {
    return await connect();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new WorkerConfigError(`the Temporal server at ${address} can't be reached: ${why}`);
  }
}
