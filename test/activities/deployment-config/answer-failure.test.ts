import { expect, test } from '@jest/globals';

import {
  answerFailure,
  type FailureScene,
} from '../../../src/activities/deployment-config/answer-failure.js';
import { cancelReasons } from '../../../src/domain/deployment-config/cancel-reasons.js';
import { configAnnotations } from '../../../src/kubernetes/deployment-configs/annotations.js';
import { readBlock } from '../../../src/kubernetes/deployment-configs/read-block.js';
import type { DeploymentConfig } from '../../../src/kubernetes/deployment-configs/objects.js';
import { controller, versionObservation } from '../../support/versions.js';

test('a rollback that nobody asked for keeps the number of replicas, and is noted in the same write', async () => {
  const patches: Pick<DeploymentConfig, 'metadata' | 'rollback'>[] = [];
  const config: DeploymentConfig = {
    metadata: { namespace: 'shop', name: 'web', resourceVersion: '7' },
    spec: { replicas: 20, template: {} },
    status: { latestVersion: 2 },
  };
  const { timedOut: statusReason } = cancelReasons;
  const seen = versionObservation(
    [controller({ version: 1 }), controller({ version: 2, phase: 'Failed', statusReason })],
    { config: { latestVersion: 2, rollsBackOnFailure: true } },
  );
  const client = {
    patch: (...[, , , , body]: [unknown, unknown, unknown, unknown, (typeof patches)[number]]) => {
      patches.push(body);
      return Promise.resolve(config);
    },
  };
  const events = { record: () => undefined };
  await answerFailure({
    cluster: 'local',
    client,
    events,
    config,
    seen,
  } as unknown as FailureScene);
  expect(patches).toHaveLength(1);
  expect(patches[0]?.metadata).toEqual({
    resourceVersion: '7',
    annotations: { [configAnnotations.rolledBackFrom]: '2' },
  });
  expect(readBlock({ ...config, rollback: patches[0]?.rollback ?? null })).toEqual({
    kind: 'wish',
    wish: {
      release: 1,
      config: true,
      application: true,
      keepsReplicas: true,
      notes: `version 2 has failed: ${statusReason}`,
      by: 'slipway',
    },
  });
});
