import { Client, Connection } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { NativeConnection } from '@temporalio/worker';

import { WorkerConfigError } from './config.js';

export interface TemporalSession {
  /** For the worker's polls. */
  readonly native: NativeConnection;
  /** For starting and following runs. */
  readonly client: Client;
  readonly namespace: string;
  readonly address: string;
  close(): Promise<void>;
}

/** Connects as the SDK's environment configuration says: address, namespace, API key, mTLS. */
export async function openTemporalSession(address?: string): Promise<TemporalSession> {
  const settings = readSettings();
  const options = {
    ...settings.connectionOptions,
    address: address ?? settings.connectionOptions.address ?? 'localhost:7233',
  };
  const namespace = settings.namespace ?? 'default';
  try {
    const native = await NativeConnection.connect(options);
    const connection = await Connection.connect(options);
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
    const why = error instanceof Error ? error.message : String(error);
    throw new WorkerConfigError(
      `the Temporal server at ${options.address} can't be reached: ${why}`,
    );
  }
}

function readSettings(): ReturnType<typeof loadClientConnectConfig> {
  try {
    return loadClientConnectConfig();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new WorkerConfigError(`the environment configuration of Temporal can't be read: ${why}`);
  }
}
