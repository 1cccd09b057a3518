import { describe, expect, test } from '@jest/globals';

import { paintLine } from '../../../src/client/output/line.js';
import { buildConfigTrees } from '../../../src/client/tree/build-config-trees.js';
import { buildDeploymentTrees } from '../../../src/client/tree/build-deployment-trees.js';
import { listChanges } from '../../../src/client/tree/change-lines.js';
import { describeSickPods } from '../../../src/client/tree/describe-sick-pods.js';
import { renderTrees } from '../../../src/client/tree/render-tree.js';
import type { HookTree, Tree } from '../../../src/client/tree/tree.js';
import type { Pod } from '../../../src/kubernetes/objects.js';
import { config, hookMarks, hookPod, job, version } from '../support/configs.js';
import { deployment, pod, replicaSet } from '../support/objects.js';

const nowMs = Date.parse('2026-01-01T00:01:02Z');
const atMs = (time: string): number => Date.parse(`2026-01-01T${time}Z`);

/** The lines below the object's own. */
const linesOf = (trees: readonly Tree[]): string[] =>
  renderTrees(trees, { nowMs })
    .map((line) => paintLine(line, { colour: false }))
    .slice(1)
    .filter((line) => !/^(├|└)─ (version|revision)|^│ {2}\w/.test(line))
    .map((line) => line.slice(3));

const exec = (failurePolicy: 'Retry' | 'Abort' | 'Ignore') => ({
  failurePolicy,
  execNewPod: { containerName: 'web', command: ['rake', 'db:migrate'] },
});
const strategy = {
  type: 'Recreate' as const,
  recreateParams: { pre: exec('Retry'), mid: exec('Ignore') },
  lifecycle: { abort: exec('Retry') },
};

interface Facts {
  readonly phase?: string;
  readonly marks?: Record<string, string>;
  readonly pods?: readonly Pod[];
}

const see = ({ phase = 'Running', marks = {}, pods = [] }: Facts) =>
  buildConfigTrees({
    configs: [config({ spec: { strategy } })],
    controllers: [version(1, { phase, ready: 0, spec: { strategy }, marks })],
    repositories: [],
    pods,
  });

const failedTry = (number: number, over: object = {}) => ({
  number,
  pod: `web-1-hook-pre${number === 1 ? '' : `-${number}`}`,
  startedAtMs: atMs('00:00:10'),
  endedAtMs: atMs('00:00:22'),
  exitCode: 1,
  reason: 'Error',
  tail: 'first\n\nmigrating\nPG::UndefinedTable: users',
  ...over,
});

const waiting = (reason: string, message: string): Pod['status'] => ({
  phase: 'Pending',
  containerStatuses: [
    {
      name: 'main',
      ready: false,
      restartCount: 0,
      image: '',
      imageID: '',
      state: { waiting: { reason, message } },
    },
  ],
});
const running = { phase: 'Running', startTime: '2026-01-01T00:00:50Z' };

describe('the hooks of a version', () => {
  test('that have not begun are shown while they may, but for the one of a failure', () => {
    expect(linesOf(see({ phase: 'New' }))).toEqual([
      '├─ pre hook  not begun  Retry',
      '└─ mid hook  not begun  Continue',
    ]);
    expect(linesOf(see({ phase: 'Complete' }))).toEqual([]);
  });

  test('that succeeded at once are a line each', () => {
    const tries = [failedTry(1, { exitCode: 0, reason: undefined, tail: '12 rows' })];
    const marks = hookMarks('pre', 'Succeeded', { ended: 1, tries });
    const done = hookPod('web-1', 'pre', 1, { phase: 'Succeeded' });
    expect(linesOf(see({ phase: 'Complete', marks, pods: [done] }))).toEqual([
      '└─ pre hook  Succeeded  Retry  web-1-hook-pre  exit 0  took 12s  40s',
    ]);
    expect(linesOf(see({ phase: 'Complete', marks }))).toEqual([
      '└─ pre hook  Succeeded  Retry  web-1-hook-pre  exit 0  took 12s  40s  its pod is gone',
    ]);
  });

  test('that failed say why, with the last words of the log', () => {
    const tries = [failedTry(1, { exitCode: 137, reason: 'OOMKilled' })];
    const marks = hookMarks('mid', 'Failed', { ended: 1, reason: 'pod x failed', tries });
    expect(linesOf(see({ phase: 'Failed', marks }))).toEqual([
      '└─ mid hook  Failed  Continue  web-1-hook-pre  exit 137  took 12s  40s  OOMKilled  its pod is gone',
      '      migrating',
      '      PG::UndefinedTable: users',
    ]);
  });

  test('that are tried again have their tries below them', () => {
    const tries = [
      failedTry(1, {
        reason: 'Gone',
        exitCode: undefined,
        startedAtMs: undefined,
        tail: undefined,
      }),
      failedTry(2),
    ];
    const marks = hookMarks('pre', 'Pending', { ended: 2, reason: 'failed', tries });
    const pods = [
      hookPod('web-1', 'pre', 2, { phase: 'Failed' }),
      hookPod('web-1', 'pre', 3, waiting('ImagePullBackOff', 'no such image')),
    ];
    expect(linesOf(see({ marks, pods }))).toEqual([
      '├─ pre hook  Pending    Retry     3 tries',
      '│  ├─ try 1  Failed   web-1-hook-pre                      40s  Gone  its pod is gone',
      '│  ├─ try 2  Failed   web-1-hook-pre-2  exit 1  took 12s  40s  Error',
      '│  │     migrating',
      '│  │     PG::UndefinedTable: users',
      '│  └─ try 3  Pending  web-1-hook-pre-3                    12s  ImagePullBackOff: no such image',
      '└─ mid hook  not begun  Continue',
    ]);
    expect(linesOf(see({ marks }))[0]).toBe(
      '├─ pre hook  Pending    Retry     2 tries, waits for the next',
    );
  });

  test('of which the first tries are forgotten tell how many there were', () => {
    const tries = [8, 9].map((number) => failedTry(number, { tail: undefined }));
    const marks = hookMarks('pre', 'Failed', { ended: 9, tries });
    expect(linesOf(see({ phase: 'Failed', marks }))[0]).toBe('└─ pre hook  Failed  Retry  9 tries');
  });

  test('that run show the state of their pod', () => {
    const marks = hookMarks('pre', 'Running', { ended: 0 });
    const seen = see({ marks, pods: [hookPod('web-1', 'pre', 1, running)] });
    expect(linesOf(seen)[0]).toBe('├─ pre hook  Running    Retry     web-1-hook-pre  12s');
    const unscheduled: Pod['status'] = {
      phase: 'Pending',
      conditions: [
        { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no node' },
      ],
    };
    const pending = hookPod('web-1', 'pre', 1, unscheduled);
    expect(linesOf(see({ marks, pods: [pending] }))[0]).toContain('12s  Unschedulable: no node');
    const metadata = { ...pending.metadata, deletionTimestamp: '2026-01-01T00:01:00Z' };
    const going = see({ marks, pods: [{ ...pending, metadata, status: running }] });
    expect(linesOf(going)[0]).toMatch(/12s {2}Terminating$/);
  });

  test('of an earlier worker, which kept no tries, are told by what it kept', () => {
    const marks = hookMarks('pre', 'Failed', { ended: 2, reason: 'pod x is gone' });
    expect(linesOf(see({ phase: 'Failed', marks }))).toEqual([
      '└─ pre hook  Failed  Retry  pod x is gone',
    ]);
  });

  test('of others, and deployers, are not theirs', () => {
    const pods = [
      hookPod('web-2', 'pre', 1, running),
      job('web-1-deploy', 'web-1', { phase: 'Running' }),
    ];
    expect(linesOf(see({ pods }))).toEqual([
      '├─ pre hook  not begun  Retry',
      '├─ mid hook  not begun  Continue',
      '└─ web-1-deploy  Running    12s',
    ]);
  });

  test('make a version worth showing while they run', () => {
    const marks = hookMarks('abort', 'Running', { ended: 0 });
    const [tree] = buildConfigTrees({
      configs: [config({ spec: { strategy }, status: { latestVersion: 2 } })],
      controllers: [
        version(1, { phase: 'Failed', ready: 0, spec: { strategy }, marks }),
        version(2, { spec: { strategy } }),
      ],
      repositories: [],
      pods: [],
    });
    expect(linesOf(tree === undefined ? [] : [tree])).toContain('└─ abort hook  Running  Retry');
  });

  test('are data for scripts, with every field', () => {
    const marks = hookMarks('pre', 'Pending', {
      ended: 1,
      reason: 'failed',
      tries: [failedTry(1)],
    });
    const [tree] = see({ marks, pods: [hookPod('web-1', 'pre', 2, running)] });
    const none = { phase: null, reason: null, ended: 0, tries: [] };
    const expected: HookTree[] = [
      {
        moment: 'pre',
        policy: 'Retry',
        phase: 'Pending',
        reason: 'failed',
        ended: 1,
        tries: [
          {
            number: 1,
            pod: 'web-1-hook-pre',
            phase: 'Failed',
            exitCode: 1,
            reason: 'Error',
            tail: 'first\n\nmigrating\nPG::UndefinedTable: users',
            created: null,
            startedAt: '2026-01-01T00:00:10.000Z',
            endedAt: '2026-01-01T00:00:22.000Z',
            gone: true,
          },
          {
            number: 2,
            pod: 'web-1-hook-pre-2',
            phase: 'Running',
            exitCode: null,
            reason: null,
            tail: null,
            created: '2026-01-01T00:00:50Z',
            startedAt: '2026-01-01T00:00:50.000Z',
            endedAt: null,
            gone: false,
          },
        ],
      },
      { moment: 'mid', policy: 'Continue', ...none },
      { moment: 'abort', policy: 'Retry', ...none },
    ];
    expect(tree?.versions[0]?.hooks).toEqual(expected);
  });

  test('are lines in a pipe', () => {
    const marks = hookMarks('pre', 'Pending', { ended: 1, tries: [failedTry(1)] });
    const name = 'deploymentconfig.apps.openshift.io/web';
    const { lines } = listChanges(new Map(), see({ marks }), false);
    expect(lines.slice(2)).toEqual([
      `${name} web-1 pre hook Pending: 1 try, waits for the next`,
      `${name} web-1-hook-pre Failed, exit 1: Error: PG::UndefinedTable: users`,
    ]);
  });

  test('are no trouble any more when a later try has succeeded', () => {
    const ended: Pod['status'] = { phase: 'Failed' };
    const pods = [hookPod('web-1', 'pre', 1, ended)];
    const tries = [failedTry(1), failedTry(2, { exitCode: 0 })];
    const troubled = see({ pods, marks: hookMarks('pre', 'Pending', { ended: 1, tries }) });
    expect(troubled.flatMap(describeSickPods)).toEqual(['web-1-hook-pre failed']);
    const mended = see({ pods, marks: hookMarks('pre', 'Succeeded', { ended: 2, tries }) });
    expect(mended.flatMap(describeSickPods)).toEqual([]);
  });
});

test('a hook that is to run again is known by its earlier tries, whoever asked for it', () => {
  const record = JSON.stringify({ ended: 1, tries: [failedTry(1)] });
  const trees = buildDeploymentTrees({
    deployments: [deployment({ desired: 1, updated: 0 })],
    replicaSets: [replicaSet(2, { annotations: { 'slipway.dev/hook.pre': record } })],
    pods: [],
  });
  expect(linesOf(trees)[0]).toMatch(/^└─ pre hook {2}Pending {2}web-1-hook-pre {2}exit 1/);
});

test('the hooks of a ReplicaSet stand below its revision', () => {
  const tries = [{ ...failedTry(1, { exitCode: 0, reason: undefined }), pod: 'web-2-hook-pre' }];
  const annotations = hookMarks('pre', 'Succeeded', { ended: 1, tries });
  const trees = buildDeploymentTrees({
    deployments: [deployment({ desired: 1, updated: 0, apiVersion: 'slipway.dev/v1alpha1' })],
    replicaSets: [replicaSet(2, { desired: 1, annotations })],
    pods: [pod('web-2-a', 'web-2')],
    runOncePods: [
      hookPod('web-2', 'pre', 1, { phase: 'Succeeded' }),
      hookPod('web-2', 'post', 1, running),
    ],
  });
  expect(linesOf(trees)).toEqual([
    '├─ pre hook   Succeeded  web-2-hook-pre  exit 0  took 12s  40s',
    '├─ post hook  Pending    web-2-hook-post  12s',
    '└─ web-2-a  Running  1/1  12s',
  ]);
  expect(listChanges(new Map(), trees, false).lines).toContain(
    'deployment.slipway.dev/web web-2 pre hook Succeeded: 1 try',
  );
});
