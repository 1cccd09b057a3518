import { isSameWish } from '../../domain/rollback/is-same-wish.js';
import { readWish, type ReadWish } from '../../domain/rollback/read-wish.js';
import type { RollbackWish } from '../../domain/rollback/wish.js';
import { ourselves } from '../../domain/shared/author.js';
import { defined } from '../../domain/shared/optional.js';
import { configAnnotations } from './annotations.js';
import type { DeploymentConfig } from './objects.js';

/** The wish to go back that stands in a config; undefined where there is none. */
export function readBlock(config: DeploymentConfig): ReadWish | undefined {
  const { metadata, rollback } = config;
  if (rollback === undefined || rollback === null) return undefined;
  const read = readWish(metadata.name, rollback);
  if (read.kind === 'problems' || read.wish.by !== undefined) return read;
  return { kind: 'wish', wish: { ...read.wish, ...defined({ manager: findWriter(config) }) } };
}

/** Whether what stands in a config is still this wish: somebody may have corrected or withdrawn it. */
export function asksFor(config: DeploymentConfig, wish: RollbackWish): boolean {
  const read = readBlock(config);
  return read?.kind === 'wish' && isSameWish(read.wish, wish);
}

/** Whether the block was written for nobody, because the latest version has failed. */
export function isAutomatic({ metadata, rollback, status }: DeploymentConfig): boolean {
  const noted = metadata.annotations?.[configAnnotations.rolledBackFrom];
  return rollback?.by === ourselves && noted === String(status?.latestVersion ?? 0);
}

/** The client that wrote the block, which is better than nobody. Example: kubectl-patch */
function findWriter({ metadata }: DeploymentConfig): string | undefined {
  return metadata.managedFields?.find(
    ({ fieldsV1, subresource }) => subresource === undefined && 'f:rollback' in (fieldsV1 ?? {}),
  )?.manager;
}
