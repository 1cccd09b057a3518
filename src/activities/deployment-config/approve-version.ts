import type { VersionActivities, VersionRef } from '../../contracts/deployment-config.js';
import {
  winners,
  type Approval,
  type Winner,
} from '../../domain/deployment-config/canary-strategy.js';
import type { ControllerSummary } from '../../domain/deployment-config/observation.js';
import { defined } from '../../domain/shared/optional.js';
import { isNotFound } from '../../kubernetes/api-error.js';
import { controllerName } from '../../kubernetes/deployment-configs/build-controller.js';
import type { ReplicationController } from '../../kubernetes/deployment-configs/objects.js';
import { writeApproval } from '../../kubernetes/deployment-configs/read-canary.js';
import { readController } from '../../kubernetes/deployment-configs/read-controller.js';
import { resources } from '../../kubernetes/resources.js';
import type { ClusterAccess } from '../cluster-access.js';
import { toActivityFailure } from '../failures.js';

/**
 * Writes an approval of the step that a version waits at, which is the truth about it, whoever writes it.
 * A step that has not its size yet is not approved of: nobody can have looked at it.
 */
export function createApproveVersion(access: ClusterAccess): VersionActivities['approveVersion'] {
  return async ({ ref, reason, winner }) => {
    const client = access.cluster(ref.cluster)?.client;
    if (client === undefined) return { kind: 'elsewhere' };
    const type = resources.replicationControllers;
    const name = controllerName(ref.name, ref.version);
    try {
      const found = await client.get<ReplicationController>(type, ref.namespace, name);
      const approval = toApproval(readController(found), ref, winner);
      if (typeof approval === 'string') return { kind: 'needless', why: approval };
      const { uid, resourceVersion } = found.metadata;
      const annotations = writeApproval({ ...approval, ...defined({ reason }) });
      const body = { metadata: { uid, resourceVersion, annotations } };
      const { metadata } = await client.patch(type, ref.namespace, name, 'merge', body, {
        brief: true,
      });
      return { kind: 'done', version: metadata.resourceVersion ?? '0' };
    } catch (error) {
      if (isNotFound(error)) return { kind: 'gone' };
      throw toActivityFailure(error, `approve version ${name} in ${ref.namespace}`);
    }
  };
}

/** The approval, or why there is none to give. */
function toApproval(
  version: ControllerSummary | undefined,
  ref: VersionRef,
  winner: string | undefined,
): Approval | string {
  const { strategy, canary, phase } = version ?? {};
  if (strategy?.type !== 'Canary') return `version ${ref.version} has no steps`;
  if (phase !== 'Running' || canary === undefined) return `version ${ref.version} is not running`;
  const { step } = canary;
  const stage = strategy.stages[step];
  if (stage === undefined) return 'the last step is passed';
  if (!stage.needsApproval && !stage.isComparison) return 'the step does not wait for approval';
  if (canary.reachedAtMs === undefined) return 'the step has not its size yet';
  if (!stage.isComparison) return { step };
  const known: Winner | undefined = winners.find((side) => side === winner);
  return known === undefined ? 'winner: must be new or old' : { step, winner: known };
}
