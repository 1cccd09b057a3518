import { cancellationSignal } from '@temporalio/activity';

import type { VersionRef } from '../../contracts/deployment-config.js';
import type { AwaitVersionResult, RollbackActivities } from '../../contracts/rollback.js';
import { judgeVersionEnd } from '../../domain/deployment-config/judge-version-end.js';
import type { VersionObservation } from '../../domain/deployment-config/observation.js';
import type { ConfigView } from '../../kubernetes/deployment-configs/config-view.js';
import { readCauses } from '../../kubernetes/deployment-configs/read-causes.js';
import { waitForChange } from '../../kubernetes/wait-for-change.js';
import type { ClusterAccess } from '../cluster-access.js';
import { withHeartbeat } from '../run-course.js';

/** A long wait is renewed now and then, so that one activity never outgrows its timeout. */
const longestWaitMs = 30 * 60_000;
const calmMs = 25;

/** Waits, where the cluster is watched, for the end of a version that others bring forward. */
export function createAwaitVersion(access: ClusterAccess): RollbackActivities['awaitVersion'] {
  return async ({ ref, since, until, runId }) => {
    const view = access.configView(ref.cluster);
    if (view === undefined) return { kind: 'elsewhere' };
    const endsAtMs = Date.now() + longestWaitMs;
    const tell = (seen: VersionObservation): AwaitVersionResult => {
      if (runId !== undefined && isOfOther(view, ref, runId)) {
        const reason = `version ${ref.version} was made for another reason`;
        return { kind: 'failed', reason };
      }
      const end = judgeVersionEnd(seen);
      if (end.kind === 'complete' || end.kind === 'failed') return end;
      return until === 'begun' && end.kind === 'underWay'
        ? { kind: 'begun' }
        : { kind: 'unchanged' };
    };
    return withHeartbeat(
      `wait for version ${ref.version} of ${ref.namespace}/${ref.name}`,
      async () => {
        const result = await waitForChange(view.watched(ref), {
          since,
          calmMs,
          untilMs: () => endsAtMs,
          signal: cancellationSignal(),
          isWorthwhile: (seen) => tell(seen).kind !== 'unchanged',
        });
        if (result === 'gone') return { kind: 'failed', reason: 'the DeploymentConfig is gone' };
        return result === 'unchanged' ? { kind: 'unchanged' } : tell(result.observation);
      },
    );
  };
}

/** Whether the version is there, and yet is not what the run has asked for: another wish came in its place. */
function isOfOther(view: ConfigView, ref: VersionRef, runId: string): boolean {
  const controller = view.getController(ref);
  if (controller === undefined) return false;
  return !readCauses(controller).some(({ rollback }) => rollback?.run === runId);
}
