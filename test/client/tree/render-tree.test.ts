import { describe, expect, test } from '@jest/globals';

import { paintLine } from '../../../src/client/output/line.js';
import { buildDeploymentTrees } from '../../../src/client/tree/build-deployment-trees.js';
import { listChanges } from '../../../src/client/tree/change-lines.js';
import { renderTrees } from '../../../src/client/tree/render-tree.js';
import { sortTrees } from '../../../src/client/tree/tree-kinds.js';
import type { Tree } from '../../../src/client/tree/tree.js';
import { deployment, pod, replicaSet } from '../support/objects.js';

const nowMs = Date.parse('2026-01-01T00:01:02Z');
const render = (trees: readonly Tree[], withNamespace = false): string =>
  renderTrees(sortTrees(trees), { nowMs, withNamespace })
    .map((line) => paintLine(line, { colour: false }))
    .join('\n');

const progressing = { type: 'Progressing', status: 'True', message: 'It goes on.' };

describe('renderTrees', () => {
  test('a rollout half-way', () => {
    const trees = buildDeploymentTrees({
      deployments: [
        deployment({ updated: 6, current: 8, available: 7, conditions: [progressing] }),
      ],
      replicaSets: [
        replicaSet(11, { desired: 6, ready: 5 }),
        replicaSet(9, { desired: 2, image: 'registry/nginx:1' }),
        replicaSet(8),
      ],
      pods: [
        pod('web-11-a', 'web-11'),
        pod('web-11-b', 'web-11', {
          phase: 'Pending',
          containerStatuses: [
            {
              name: 'main',
              ready: false,
              restartCount: 1,
              image: '',
              imageID: '',
              state: { waiting: { reason: 'ImagePullBackOff' } },
            },
          ],
        }),
      ],
    });
    expect(render(trees)).toBe(
      [
        'deployment.apps/web  Progressing  █████░░░░░  6 of 10 updated, 7 available, 2 old left',
        '│  It goes on.',
        '├─ revision 11  web-11  nginx:11          5/6 ready',
        '│  ├─ web-11-a  Running           1/1  12s',
        '│  └─ web-11-b  ImagePullBackOff  0/1  12s  1 restart',
        '├─ revision 9   web-9   registry/nginx:1  2/2 ready',
        '└─ 1 older revision without pods',
      ].join('\n'),
    );
  });

  test('many pods are one line', () => {
    const trees = buildDeploymentTrees({
      deployments: [deployment({ desired: 12 })],
      replicaSets: [replicaSet(2, { desired: 12, ready: 11 })],
      pods: Array.from({ length: 12 }, (_, index) =>
        pod(`web-2-${index}`, 'web-2', index === 0 ? { phase: 'Pending' } : undefined),
      ),
    });
    expect(render(trees)).toContain('   └─ 12 pods: 11 Running, 1 Pending; 11 ready');
  });

  test('several objects, with their namespaces and without a history', () => {
    const trees = buildDeploymentTrees({
      deployments: [
        deployment({ name: 'a', desired: 0, paused: true }),
        deployment({
          name: 'b',
          namespace: 'art',
          observed: 1,
          apiVersion: 'slipway.dev/v1alpha1',
        }),
      ],
      replicaSets: [],
      pods: [],
    });
    expect(render(trees, true)).toBe(
      [
        'art  deployment.slipway.dev/b  Waiting  ░░░░░░░░░░  10 of 10 available',
        '   No controller has seen this change yet.',
        '',
        'shop  deployment.apps/a  Complete, paused  0 of 0 updated, 0 available',
        '   Paused.',
      ].join('\n'),
    );
  });

  test.each([
    ['Failed', '31'],
    ['Complete', '32'],
  ])('%s has a colour of its own', (phase, code) => {
    const conditions = [
      { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' },
    ];
    const facts = phase === 'Failed' ? { updated: 1, conditions } : {};
    const trees = buildDeploymentTrees({
      deployments: [deployment(facts)],
      replicaSets: [],
      pods: [],
    });
    const [heading = []] = renderTrees(trees, { nowMs });
    expect(paintLine(heading, { colour: true })).toContain(`\u001b[${code}m${phase}\u001b[0m`);
  });
});

describe('listChanges', () => {
  const see = (facts: Parameters<typeof deployment>[0], ready = 10) =>
    buildDeploymentTrees({
      deployments: [deployment(facts)],
      replicaSets: [replicaSet(2, { desired: 10, ready })],
      pods: [],
    });

  test('prints everything once, then only what is new', () => {
    const first = listChanges(new Map(), see({ updated: 3 }, 3), false);
    expect(first.lines).toEqual([
      'deployment.apps/web Progressing: 3 of 10 updated, 10 available, 7 old left',
      'deployment.apps/web web-2 revision 2: nginx:2, 3/10 ready',
    ]);
    expect(listChanges(first.printed, see({ updated: 3 }, 3), false).lines).toEqual([]);
    expect(listChanges(first.printed, see({ updated: 3 }, 4), false).lines).toEqual([
      'deployment.apps/web web-2 revision 2: nginx:2, 4/10 ready',
    ]);
  });

  test('says what is gone', () => {
    const first = listChanges(new Map(), see({}), true);
    expect(listChanges(first.printed, [], true).lines).toEqual([
      'shop deployment.apps/web deleted',
      'shop deployment.apps/web web-2 deleted',
    ]);
  });

  test('a message with a line break is still one line', () => {
    const conditions = [{ type: 'Progressing', status: 'True', message: 'a\nb\u001b[2J' }];
    const { lines } = listChanges(new Map(), see({ conditions }), false);
    expect(lines[0]).toMatch(/: a b \[2J$/);
  });
});
