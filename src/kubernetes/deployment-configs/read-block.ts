import { isSameWish } from '../../domain/rollback/is-same-wish.js';
import { readWish, type ReadWish } from '../../domain/rollback/read-wish.js';
import type { RollbackWish } from '../../domain/rollback/wish.js';
import { ourselves } from '../../domain/shared/author.js';
import { configAnnotations } from './annotations.js';
import type { DeploymentConfig } from './objects.js';

/** The wish to go back that stands in a config; undefined where there is none. */
export function readBlock({ metadata, rollback }: DeploymentConfig): ReadWish | undefined {
  if (rollback === undefined || rollback === null) return undefined;
  return readWish(metadata.name, rollback);
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

/** The program that wrote the block, which is better than nobody. Example: kubectl-patch */
export function findWriter({ metadata }: DeploymentConfig): string | undefined {
  return metadata.managedFields?.find(
    ({ fieldsV1, subresource }) => subresource === undefined && 'f:rollback' in (fieldsV1 ?? {}),
  )?.manager;
}
