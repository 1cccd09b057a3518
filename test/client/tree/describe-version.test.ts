import { describe, expect, test } from '@jest/globals';

import {
  describeVersion,
  listVersions,
  readCanary,
  versionOf,
} from '../../../src/client/tree/describe-version.js';
import type { CanaryParams } from '../../../src/kubernetes/deployment-configs/objects.js';
import { version } from '../support/configs.js';

const canary = (step: string, canaryParams: CanaryParams, phase = 'Running') =>
  readCanary(
    version(2, {
      phase,
      spec: { strategy: { type: 'Canary', canaryParams } },
      marks: { 'slipway.dev/canary-step': step },
    }),
  );

describe('the step of a canary', () => {
  const steps = [{ percent: 10 }, { percent: 50, approve: true }];
  const ab = { share: 50 };

  test.each([
    ['one that goes on by itself', '0', { steps }, { step: 1, steps: 2, needsApproval: false }],
    ['one that waits', '1', { steps }, { step: 2, steps: 2, needsApproval: true }],
    ['a comparison', '2', { steps, ab }, { step: 3, needsApproval: true, comparison: true }],
    ['a comparison alone', '0', { ab }, { step: 1, steps: 1, comparison: true }],
  ])('%s', (_title, step, params, expected) => {
    expect(canary(step, params)).toMatchObject(expected);
  });

  test('there is none after the last, when it is over, or when somebody has spoilt it', () => {
    expect(canary('2', { steps })).toBeNull();
    expect(canary('0', { steps }, 'Complete')).toBeNull();
    expect(canary('first', { steps })).toBeNull();
  });
});

test('a rollback is told with what it went back to, why and by whom', () => {
  const rollback = { from: 2, to: 1, config: false, application: true, notes: 'too slow' };
  const details = { causes: [{ type: 'Rollback', by: 'ann', rollback }] };
  expect(describeVersion(version(3, { status: { details } }), 3)).toMatchObject({
    causes: ['rollback from version 2 to the application of version 1 (too slow)'],
    by: 'ann',
  });
});

test('versions are those that the config controls, newest first', () => {
  const stray = version(7);
  stray.metadata = { ...stray.metadata, ownerReferences: [] };
  const found = listVersions('web-uid', [version(2), version(10), stray]);
  expect(found.map(versionOf)).toEqual([10, 2]);
});
