import { configAnnotations } from './annotations.js';
import type { DeploymentConfig } from './objects.js';

/** Somebody's wish for a new version, as it is written on a config. */
export interface WrittenRequest {
  /** The version that is asked for: the one after the latest that was seen. */
  readonly version: number;
  readonly by?: string;
  readonly reason?: string;
  /** The images that stand in the config are wanted, not the newest ones. */
  readonly keepsImages?: boolean;
}

/** Undefined when there is none that can be read. */
export function readRequest({ metadata }: DeploymentConfig): WrittenRequest | undefined {
  const text = metadata.annotations?.[configAnnotations.request];
  if (text === undefined) return undefined;
  let written: unknown;
  try {
    written = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof written !== 'object' || written === null || !('version' in written)) return undefined;
  const { version, by, reason, keepsImages } = written as Readonly<Record<string, unknown>>;
  if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 1)
    return undefined;
  return {
    version,
    ...(typeof by === 'string' ? { by } : {}),
    ...(typeof reason === 'string' ? { reason } : {}),
    ...(keepsImages === true ? { keepsImages } : {}),
  };
}
