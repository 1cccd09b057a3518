import { describeOvertaken } from '../../../domain/rollback/describe-overtaken.js';
import type { ConfigReport } from '../../../domain/rollback/report.js';
import type { DeploymentConfig } from '../../../kubernetes/deployment-configs/objects.js';

/**
 * What is not as it was examined, as a sentence, if anything is. A new version counts though the spec is the
 * same: another one would be the last before it.
 */
export function findChange(
  { metadata, status }: DeploymentConfig,
  { from, base }: Pick<ConfigReport, 'from' | 'base'>,
): string | undefined {
  const { name, uid, generation } = metadata;
  const latest = status?.latestVersion ?? 0;
  if (latest !== from) {
    return `${describeOvertaken(`DeploymentConfig "${name}"`, latest, from)}: try again`;
  }
  const isSame = base === undefined || (base.uid === uid && base.generation === generation);
  return isSame ? undefined : `DeploymentConfig "${name}" has changed meanwhile: try again`;
}
