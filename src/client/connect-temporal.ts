import { Connection, isGrpcServiceError } from '@temporalio/client';
import { loadClientConnectConfig, type ClientConnectConfig } from '@temporalio/envconfig';

import { badInput, type CommandFailure } from './failure.js';

const connectTimeoutMs = 5_000;
const usualAddress = 'localhost:7233';
const defaultNamespace = 'default';

export interface TemporalOptions {
  /** Example: temporal.example.com:7233; by default as the SDK's environment configuration says. */
  readonly address?: string | undefined;
  readonly namespace?: string | undefined;
  /** Where to look when neither the options nor the configuration name an address. */
  readonly defaultAddress?: string | undefined;
}

export interface TemporalSession {
  readonly connection: Connection;
  readonly namespace: string;
}

/**
 * Connects as the SDK's environment configuration says (TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE,
 * TEMPORAL_API_KEY, TEMPORAL_TLS_…, or a profile of its file); options come first.
 */
export async function connectTemporal(options: TemporalOptions = {}): Promise<TemporalSession> {
  const { connectionOptions, namespace } = loadConfiguration();
  const address =
    options.address ?? connectionOptions.address ?? options.defaultAddress ?? usualAddress;
  try {
    const connection = await Connection.connect({
      ...connectionOptions,
      address,
      connectTimeout: connectTimeoutMs,
    });
    return { connection, namespace: options.namespace ?? namespace ?? defaultNamespace };
  } catch (error) {
    throw explainConnectFailure(address, error);
  }
}

function loadConfiguration(): ClientConnectConfig {
  try {
    return loadClientConnectConfig();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw badInput(`the environment configuration of Temporal can't be read: ${why}`, error);
  }
}

/** Exported for tests: what the SDK throws differs with how far it came. */
export function explainConnectFailure(address: string, error: unknown): CommandFailure {
  if (isGrpcServiceError(error)) {
    return badInput(
      `the Temporal server at ${address} refuses the connection: ${error.details}`,
      error,
    );
  }
  const message = error instanceof Error ? error.message : String(error);
  const why = message.includes('before the deadline')
    ? `it did not answer within ${connectTimeoutMs / 1000} s`
    : message;
  return badInput(`the Temporal server at ${address} can't be reached: ${why}`, error);
}
