import { expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';

import type { ClusterAccess } from '../../../src/activities/cluster-access.js';
import { createAwaitVersion } from '../../../src/activities/rollback/await-version.js';
import type { AwaitVersionRequest, AwaitVersionResult } from '../../../src/contracts/rollback.js';
import type { ControllerSummary } from '../../../src/domain/deployment-config/observation.js';
import { configAnnotations } from '../../../src/kubernetes/deployment-configs/annotations.js';
import { controller, versionObservation } from '../../support/versions.js';

const ref = { cluster: 'local', namespace: 'shop', name: 'web', version: 2 };
const since = { deployment: '1', replicaSets: {} };

/** Waits for version 2, which is over, complete unless told otherwise, and was made for a run's rollback. */
function awaitVersionOf(
  run: string,
  runId?: string,
  over: Partial<ControllerSummary> = {},
): Promise<AwaitVersionResult> {
  const causes = JSON.stringify([{ type: 'Rollback', rollback: { from: 1, to: 1, run } }]);
  const ended = controller({ phase: 'Complete', ...over, version: 2 });
  const view = {
    getController: () => ({ metadata: { annotations: { [configAnnotations.causes]: causes } } }),
    watched: () => ({
      isStopped: false,
      onChange: () => () => undefined,
      observe: () => Promise.resolve({ observation: versionObservation([ended]), versions: since }),
      isCaughtUp: () => true,
    }),
  };
  const access = { configView: () => view } as unknown as ClusterAccess;
  const request = {
    ref,
    since,
    until: 'ended',
    ...(runId === undefined ? {} : { runId }),
  } as const;
  const wait = createAwaitVersion(access);
  const environment = new MockActivityEnvironment();
  return environment.run<[AwaitVersionRequest], AwaitVersionResult, typeof wait>(wait, request);
}

test('a run believes in the version that was made for it, and in no other of that number', async () => {
  expect(await awaitVersionOf('own', 'own')).toEqual({ kind: 'complete' });
  expect(await awaitVersionOf('other', 'own')).toEqual({
    kind: 'failed',
    reason: 'version 2 was made for another reason',
  });
});

test('who names no run takes any', async () => {
  expect(await awaitVersionOf('other')).toEqual({ kind: 'complete' });
});

test('one that was cancelled says so, since the end of the whole rollback is judged by that', async () => {
  const reason = 'cancelled by ann';
  const over = { phase: 'Failed', isCancelled: true, statusReason: reason } as const;
  expect(await awaitVersionOf('own', 'own', over)).toEqual({
    kind: 'failed',
    reason,
    isCancelled: true,
  });
});
