import type { RollbackNotes } from '../../domain/deployment-config/triggers.js';
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
  /** Triggers that are suspended act again from this version on. */
  readonly resumesTriggers?: boolean;
  /** The config has gone back to an earlier version, of which this is to be made. */
  readonly rollback?: RollbackNotes;
}

type Fields = Readonly<Record<string, unknown>>;

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
  if (!isFields(written)) return undefined;
  const { version, by, reason, keepsImages, resumesTriggers } = written;
  if (!isVersion(version)) return undefined;
  const rollback = readRollbackNotes(written['rollback']);
  return {
    version,
    ...(typeof by === 'string' ? { by } : {}),
    ...(typeof reason === 'string' ? { reason } : {}),
    ...(keepsImages === true ? { keepsImages } : {}),
    ...(resumesTriggers === true ? { resumesTriggers } : {}),
    ...(rollback === undefined ? {} : { rollback }),
  };
}

/** A rollback that was written, and whose version is still to be made: no other wish may take its place. */
export function findPendingRollback(config: DeploymentConfig): RollbackNotes | undefined {
  const { version = 0, rollback } = readRequest(config) ?? {};
  return version > (config.status?.latestVersion ?? 0) ? rollback : undefined;
}

/** What is kept of a rollback, in a request or in a cause; undefined when it says nothing of that. */
export function readRollbackNotes(written: unknown): RollbackNotes | undefined {
  if (!isFields(written)) return undefined;
  const { from, to, config, application, keepsReplicas, notes, manager, run } = written;
  if (!isVersion(from) || !isVersion(to)) return undefined;
  return {
    from,
    to,
    config: config === true,
    application: application === true,
    ...(keepsReplicas === true ? { keepsReplicas } : {}),
    ...(typeof notes === 'string' ? { notes } : {}),
    ...(typeof manager === 'string' ? { manager } : {}),
    ...(typeof run === 'string' ? { run } : {}),
  };
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isVersion = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
