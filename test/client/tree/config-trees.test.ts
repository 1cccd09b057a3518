import { expect, test } from '@jest/globals';

import { paintLine } from '../../../src/client/output/line.js';
import { buildConfigTrees } from '../../../src/client/tree/build-config-trees.js';
import { buildRepositoryTrees } from '../../../src/client/tree/build-repository-trees.js';
import { listChanges } from '../../../src/client/tree/change-lines.js';
import { describeSickPods } from '../../../src/client/tree/describe-sick-pods.js';
import { renderTrees } from '../../../src/client/tree/render-tree.js';
import type { Tree } from '../../../src/client/tree/tree.js';
import { config, job, repository, version } from '../support/configs.js';
import { pod } from '../support/objects.js';

const nowMs = Date.parse('2026-01-01T00:01:02Z');
const render = (trees: readonly Tree[]): string =>
  renderTrees(trees, { nowMs })
    .map((line) => paintLine(line, { colour: false }))
    .join('\n');

const canarySpec = {
  strategy: {
    type: 'Canary' as const,
    canaryParams: { steps: [{ percent: 10 }, { percent: 50, approve: true }] },
  },
};
const failedHook = job('web-2-hook-pre', 'web-2', {
  phase: 'Failed',
  containerStatuses: [
    {
      name: 'main',
      ready: false,
      restartCount: 0,
      image: '',
      imageID: '',
      state: { terminated: { exitCode: 3, reason: 'Error' } },
    },
  ],
});
const pending = { phase: 'Pending' };

const [tree] = buildConfigTrees({
  configs: [
    config({
      spec: canarySpec,
      status: { latestVersion: 2, updatedReplicas: 1, replicas: 5 },
    }),
  ],
  controllers: [
    version(1),
    version(2, {
      phase: 'Running',
      ready: 1,
      spec: canarySpec,
      status: { details: { causes: [{ type: 'Manual', by: 'ann' }] } },
      marks: { 'slipway.dev/canary-step': '1' },
      image: `web@sha256:${'0123456789ab'.repeat(5)}0123`,
    }),
    version(10, { phase: 'Complete', ready: 0 }),
  ],
  repositories: [],
  pods: [failedHook, pod('web-1-a', 'web-1'), pod('web-2-a', 'web-2', pending)],
});
const trees = tree === undefined ? [] : [tree];

test('a canary that waits, with its hook and its pods', () => {
  expect(render(trees)).toBe(
    [
      'deploymentconfig.apps.openshift.io/web  Waiting  ░░░░░░░░░░  version 2, 1 of 4 updated, 4 available, 4 old left  config',
      '│  Version 3 is due: config change.',
      '├─ version 2  Running   web-2  web@0123456789ab  1/1 ready  canary step 2 of 2, needs approval  manual change by ann',
      '│  ├─ web-2-hook-pre  Failed  exit 3  12s  Error',
      '│  └─ web-2-a  Pending  0/1  12s',
      '├─ version 1  Complete  web-1  web:1             4/4 ready',
      '│  └─ web-1-a  Running  1/1  12s',
      '└─ 1 older version without pods',
    ].join('\n'),
  );
});

test('in a pipe each of them is a line', () => {
  const { lines } = listChanges(new Map(), trees, false);
  expect(lines).toContain(
    'deploymentconfig.apps.openshift.io/web web-2-hook-pre Failed, exit 3: Error',
  );
  expect(lines).toContain(
    'deploymentconfig.apps.openshift.io/web web-1 version 1 Complete: web:1, 4/4 ready, ',
  );
});

test('what is amiss is told of the latest version', () => {
  expect(trees.flatMap(describeSickPods)).toEqual([
    'web-2-hook-pre failed with exit code 3: Error',
    'a pod of version 2: Pending (web-2-a)',
  ]);
});

test('a repository and its tags', () => {
  const digest = `sha256:${'a1'.repeat(32)}`;
  const [ready, not] = buildRepositoryTrees([
    repository({
      conditions: [{ type: 'Ready', status: 'True' }],
      lastCheckedAt: '2026-01-01T00:01:00Z',
      tags: [
        { tag: 'latest', digest, image: `x@${digest}`, resolvedAt: '2026-01-01T00:00:02Z' },
        { tag: 'next' },
      ],
    }),
    repository({ conditions: [{ type: 'Ready', status: 'False', message: 'It says no.' }] }),
  ]);
  expect(render(ready === undefined || not === undefined ? [] : [ready, not])).toBe(
    [
      'imagerepository.slipway.dev/web  Ready  registry.example.com/shop/web  asked 2s ago',
      '├─ latest  a1a1a1a1a1a1  1m',
      '└─ next    no image      -',
      '',
      'imagerepository.slipway.dev/web  NotReady  registry.example.com/shop/web',
      '   It says no.',
    ].join('\n'),
  );
});
