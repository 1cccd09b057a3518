import type { ConfigReport } from '../../../domain/rollback/report.js';
import type { RollbackWish } from '../../../domain/rollback/wish.js';
import type { DeploymentConfig } from '../../../kubernetes/deployment-configs/objects.js';
import { findChange } from './find-change.js';

export type BlockPlan =
  | { readonly kind: 'write'; readonly patch: object }
  /** `why` is a sentence without its end. */
  | { readonly kind: 'conflict'; readonly why: string };

/**
 * The wish as it is written into the config that was examined, and into no other. It names the version that was
 * examined, also where the caller left that open: whatever comes before it is met, it means that one.
 */
export function planBlock(
  config: DeploymentConfig,
  wish: RollbackWish,
  examined: Pick<ConfigReport, 'from' | 'to' | 'base'>,
): BlockPlan {
  const { name, resourceVersion } = config.metadata;
  if (hasBlock(config)) {
    return { kind: 'conflict', why: `DeploymentConfig "${name}" is asked to go back already` };
  }
  const why = findChange(config, examined);
  if (why !== undefined) return { kind: 'conflict', why };
  const rollback = { ...wish, release: `${name}-${examined.to}` };
  return { kind: 'write', patch: { metadata: { resourceVersion }, rollback } };
}

export const hasBlock = ({ rollback }: DeploymentConfig): boolean =>
  rollback !== undefined && rollback !== null;
