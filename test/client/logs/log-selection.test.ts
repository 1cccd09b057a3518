import { describe, expect, test } from '@jest/globals';

import {
  describeSelectionEnd,
  findFault,
  judgeSelection,
  needsPrefix,
  selectSources,
  type LogPicture,
  type LogSelection,
} from '../../../src/client/logs/log-selection.js';
import { buildPicture, type LogTarget } from '../../../src/client/logs/log-target.js';
import { judgeVersion } from '../../../src/client/configs/config-logs.js';
import { decodeConfig } from '../../../src/kubernetes/deployment-configs/build-controller.js';
import type { DeploymentConfig } from '../../../src/kubernetes/deployment-configs/objects.js';
import { readHooks } from '../../../src/kubernetes/hooks/read-hooks.js';
import type { Pod } from '../../../src/kubernetes/objects.js';
import { resources } from '../../../src/kubernetes/resources.js';
import { config, hookMarks, hookPod, job, version } from '../support/configs.js';

const exec = (failurePolicy: 'Retry' | 'Abort') => ({
  failurePolicy,
  execNewPod: { containerName: 'web', command: ['true'] },
});

const strategies = {
  hooks: {
    type: 'Recreate' as const,
    recreateParams: { pre: exec('Retry'), post: exec('Abort') },
    lifecycle: { abort: exec('Retry') },
  },
  one: { type: 'Recreate' as const, recreateParams: { pre: exec('Abort') } },
  custom: { type: 'Custom' as const, customParams: { image: 'deployer' } },
  plain: { type: 'Rolling' as const },
};

const target: LogTarget = {
  title: 'version 1 of dc/web',
  namespace: 'shop',
  root: { type: resources.deploymentConfigs, name: 'web' },
  holder: { type: resources.replicationControllers, name: 'web-1' },
  listWishes: (holder) => readHooks(decodeConfig(holder)?.spec.strategy),
  hasDeployer: (holder) => decodeConfig(holder)?.spec.strategy?.type === 'Custom',
  judge: (holder, root) => judgeVersion(holder, root as DeploymentConfig | undefined),
};

interface Facts {
  readonly strategy?: keyof typeof strategies;
  readonly phase?: string;
  readonly marks?: Record<string, string>;
  readonly pods?: readonly Pod[];
  readonly latest?: number;
}

function see({ strategy = 'hooks', phase = 'New', marks = {}, pods = [], latest = 1 }: Facts) {
  const spec = { strategy: strategies[strategy] };
  const picture = buildPicture(target, {
    root: config({ spec, status: { latestVersion: latest } }),
    holder: version(1, { phase, ready: 0, spec, marks }),
    pods,
  });
  if (picture === undefined) throw new Error('there is a holder');
  return picture;
}

const created = (pod: Pod, time: string): Pod => ({
  ...pod,
  metadata: { ...pod.metadata, creationTimestamp: `2026-01-01T${time}Z` },
});
const running = { phase: 'Running' };
const ended = (number: number, over: object = {}) => ({
  number,
  pod: `web-1-hook-pre${number === 1 ? '' : `-${number}`}`,
  startedAtMs: Date.parse('2026-01-01T00:00:10Z'),
  endedAtMs: Date.parse('2026-01-01T00:00:20Z'),
  exitCode: 1,
  reason: 'Error',
  tail: 'no table',
  ...over,
});
const podsOf = (picture: LogPicture, selection: LogSelection = {}): string[] =>
  selectSources(picture, selection).map(({ pod }) => pod);

/** Two failed tries of the pre hook, of which the first is gone, then success; the post hook runs. */
const twice = {
  ...hookMarks('pre', 'Succeeded', {
    ended: 2,
    tries: [ended(1), ended(2, { exitCode: 0, reason: undefined, tail: undefined })],
  }),
  ...hookMarks('post', 'Running', { ended: 0 }),
};
const halfWay = see({
  phase: 'Running',
  marks: twice,
  pods: [
    created(hookPod('web-1', 'post', 1, running), '00:00:40'),
    created(hookPod('web-1', 'pre', 2, { phase: 'Succeeded' }), '00:00:30'),
  ],
});

describe('what can be read', () => {
  test('stands in the order of time, with how each pod stands', () => {
    expect(halfWay.sources).toEqual([
      {
        pod: 'web-1-hook-pre',
        moment: 'pre',
        number: 1,
        state: 'Ended',
        isGone: true,
        hasSucceeded: false,
        words: 'failed with exit code 1',
        tail: 'no table',
      },
      {
        pod: 'web-1-hook-pre-2',
        moment: 'pre',
        number: 2,
        state: 'Ended',
        isGone: false,
        hasSucceeded: true,
        words: 'succeeded with exit code 0',
        container: 'main',
      },
      {
        pod: 'web-1-hook-post',
        moment: 'post',
        number: 1,
        state: 'Running',
        isGone: false,
        hasSucceeded: false,
        words: 'runs',
        container: 'main',
      },
    ]);
  });

  test('stands in the order of time also where hooks are run again', () => {
    const pods = [
      created(hookPod('web-1', 'pre', 2, running), '00:03:00'),
      created(hookPod('web-1', 'post', 1, running), '00:02:00'),
      created(hookPod('web-1', 'pre', 1, running), '00:01:00'),
    ];
    expect(podsOf(see({ pods }))).toEqual([
      'web-1-hook-pre',
      'web-1-hook-post',
      'web-1-hook-pre-2',
    ]);
  });

  test('of one second stands in the order of turns', () => {
    const pods = [
      hookPod('web-1', 'abort', 1, running),
      hookPod('web-1', 'post', 1, running),
      job('web-1-deploy', 'web-1', running),
      hookPod('web-1', 'pre', 2, running),
      hookPod('web-1', 'pre', 1, running),
    ];
    expect(podsOf(see({ strategy: 'custom', pods }))).toEqual([
      'web-1-hook-pre',
      'web-1-hook-pre-2',
      'web-1-deploy',
      'web-1-hook-post',
      'web-1-hook-abort',
    ]);
  });

  test.each<[string, Pod['status'], string]>([
    ['that is about to start', { phase: 'Pending' }, 'has not started'],
    ['that can not start', { phase: 'Pending', reason: 'Evicted' }, 'has not started (Evicted)'],
  ])('of a pod %s is nothing yet', (_what, status, words) => {
    const marks = hookMarks('pre', 'Pending', { ended: 0 });
    const picture = see({ marks, pods: [hookPod('web-1', 'pre', 1, status)] });
    expect(picture.sources[0]).toMatchObject({ state: 'Waiting', words });
  });

  test('is of the container that does the work', () => {
    const pod = hookPod('web-1', 'pre', 1, running);
    const containers = [{ name: 'mesh' }, { name: 'lifecycle' }];
    const picture = see({ pods: [{ ...pod, spec: { containers } }] });
    expect(picture.sources[0]?.container).toBe('lifecycle');
  });

  test.each<[string, Facts, object]>([
    [
      'that failed',
      { pods: [job('web-1-deploy', 'web-1', { phase: 'Failed', message: 'no host' })] },
      { state: 'Ended', isGone: false, hasSucceeded: false, words: 'failed', tail: 'no host' },
    ],
    [
      'that is gone',
      {
        phase: 'Failed',
        marks: {
          'openshift.io/deployer-pod.name': 'web-1-deploy',
          'openshift.io/deployment.status-reason': 'pod web-1-deploy failed',
        },
      },
      { state: 'Ended', isGone: true, words: 'is gone (pod web-1-deploy failed)' },
    ],
    [
      'that waits',
      { pods: [job('web-1-deploy', 'web-1', { phase: 'Pending', reason: 'x', message: 'y' })] },
      { state: 'Waiting', words: 'has not started (x: y)' },
    ],
  ])('of a deployer %s is told', (_what, facts, source) => {
    const picture = see({ strategy: 'custom', ...facts });
    expect(picture.sources).toMatchObject([{ pod: 'web-1-deploy', ...source }]);
    expect(podsOf(picture, { deployer: true })).toEqual(['web-1-deploy']);
  });

  test('can be narrowed to a hook and a try', () => {
    expect(podsOf(halfWay)).toHaveLength(3);
    expect(podsOf(halfWay, { hook: 'pre' })).toEqual(['web-1-hook-pre', 'web-1-hook-pre-2']);
    expect(podsOf(halfWay, { hook: 'pre', number: 2 })).toEqual(['web-1-hook-pre-2']);
    expect(podsOf(halfWay, { deployer: true })).toEqual([]);
    const pods = [hookPod('web-1', 'pre', 1, running)];
    expect(podsOf(see({ strategy: 'one', pods }), { number: 1 })).toEqual(['web-1-hook-pre']);
  });
});

describe('what can not be there', () => {
  test.each<[LogPicture, LogSelection, string]>([
    [
      see({ strategy: 'plain' }),
      {},
      'version 1 of dc/web has no hooks and no deployer; what its other pods write is shown by "kubectl logs"',
    ],
    [
      halfWay,
      { deployer: true },
      '--deployer: version 1 of dc/web has none; only versions of strategy Custom have',
    ],
    [
      halfWay,
      { hook: 'mid' },
      '--hook: version 1 of dc/web has no mid hook; it has pre, post, abort',
    ],
    [
      see({ strategy: 'custom' }),
      { hook: 'pre' },
      '--hook: version 1 of dc/web has no pre hook; it has none',
    ],
    [
      halfWay,
      { number: 1 },
      '--try: say of which hook with --hook; version 1 of dc/web has pre, post, abort',
    ],
    [see({ strategy: 'custom' }), { number: 1 }, '--try: version 1 of dc/web has no hooks'],
    [
      halfWay,
      { hook: 'pre', number: 3 },
      '--try: there is no try 3 of the pre hook of version 1 of dc/web; 1, 2 are known',
    ],
    [
      see({}),
      { hook: 'pre', number: 1 },
      '--try: there is no try 1 of the pre hook of version 1 of dc/web; none is known',
    ],
  ])('%#: is one sentence', (picture, selection, sentence) => {
    expect(findFault(picture, selection, false)).toBe(sentence);
  });

  test('may come when it is waited for', () => {
    expect(findFault(see({}), { hook: 'pre', number: 2 }, true)).toBeUndefined();
    expect(findFault(halfWay, { hook: 'post', number: 2 }, true)).toBeUndefined();
    expect(findFault(halfWay, { hook: 'pre', number: 3 }, true)).toMatch(/no try 3/);
    const over = see({ phase: 'Complete' });
    expect(findFault(over, { hook: 'pre', number: 1 }, true)).toMatch(/no try 1/);
    const tries = [ended(5)];
    const marks = hookMarks('pre', 'Pending', { ended: 5, tries });
    expect(findFault(see({ marks }), { hook: 'pre', number: 2 }, true)).toMatch(/5 is known/);
    expect(findFault(see({ marks }), { hook: 'pre', number: 6 }, true)).toBeUndefined();
  });
});

describe('following ends', () => {
  const failedPre = hookMarks('pre', 'Failed', { ended: 1, reason: 'no', tries: [ended(1)] });
  const reverted = hookMarks('abort', 'Succeeded', { ended: 1 });
  const cancelled = { 'openshift.io/deployment.cancelled': 'true' };

  test.each<[string, Facts, LogSelection, string | undefined, string | undefined]>([
    ['not while a version goes on', { phase: 'Running' }, {}, undefined, undefined],
    [
      'well with its version',
      { phase: 'Complete' },
      {},
      'complete',
      'version 1 of dc/web is complete',
    ],
    [
      'with one that failed before it began',
      { phase: 'Failed' },
      {},
      'failed',
      'version 1 of dc/web has failed',
    ],
    [
      'not before what it had begun is reverted',
      { phase: 'Failed', marks: failedPre },
      {},
      undefined,
      '',
    ],
    [
      'when that was overtaken',
      { phase: 'Failed', marks: failedPre, latest: 2 },
      {},
      'failed',
      'version 1 of dc/web has failed',
    ],
    [
      'when it is reverted',
      { phase: 'Failed', marks: { ...failedPre, ...reverted, ...cancelled } },
      {},
      'cancelled',
      'version 1 of dc/web was cancelled',
    ],
    [
      'with the hook that is wanted',
      { phase: 'New', marks: failedPre },
      { hook: 'pre' },
      'failed',
      'the pre hook of version 1 of dc/web has failed: no',
    ],
    [
      'well with a hook, though others go on',
      { phase: 'Running', marks: twice },
      { hook: 'pre' },
      'complete',
      'the pre hook of version 1 of dc/web has succeeded',
    ],
    ['not before that hook', { phase: 'New' }, { hook: 'post' }, undefined, ''],
    [
      'without a hook that is not needed',
      { phase: 'Complete', marks: twice },
      { hook: 'abort' },
      'complete',
      'version 1 of dc/web is complete, without its abort hook',
    ],
    ['with a try', { marks: failedPre }, { hook: 'pre', number: 1 }, 'failed', undefined],
    ['well with a try', { marks: twice }, { hook: 'pre', number: 2 }, 'complete', undefined],
    ['not before a try', { phase: 'New' }, { hook: 'pre', number: 1 }, undefined, undefined],
    [
      'without a try that is not needed',
      { marks: twice },
      { hook: 'pre', number: 3 },
      'failed',
      'the pre hook of version 1 of dc/web has succeeded, without a try 3',
    ],
    [
      'with the deployer',
      { strategy: 'custom', pods: [job('web-1-deploy', 'web-1', { phase: 'Succeeded' })] },
      { deployer: true },
      'complete',
      undefined,
    ],
    [
      'not before the deployer',
      { strategy: 'custom', pods: [job('web-1-deploy', 'web-1', running)] },
      { deployer: true },
      undefined,
      undefined,
    ],
  ])('%s', (_when, facts, selection, end, sentence) => {
    const picture = see(facts);
    expect(judgeSelection(picture, selection)).toBe(end);
    if (end === undefined) return;
    const told = describeSelectionEnd(picture, selection, end as 'complete');
    expect(told).toBe(sentence);
  });
});

describe('lines are marked with their pod', () => {
  test.each<[string, Facts, LogSelection, boolean, boolean]>([
    ['of several pods', { marks: twice }, {}, false, true],
    ['not of one', { marks: twice }, { hook: 'pre', number: 1 }, false, false],
    ['not of one that is there', { pods: [hookPod('web-1', 'pre', 1, running)] }, {}, false, false],
    [
      'where another hook may follow',
      { pods: [hookPod('web-1', 'pre', 1, running)] },
      {},
      true,
      true,
    ],
    ['where another try may follow', {}, { hook: 'pre' }, true, true],
    ['not of a hook that is tried once', {}, { hook: 'post' }, true, false],
    ['not of the only hook, tried once', { strategy: 'one' }, {}, true, false],
    ['not of a try', {}, { hook: 'pre', number: 1 }, true, false],
    ['not of a deployer', { strategy: 'custom' }, {}, true, false],
  ])('%s', (_what, facts, selection, follows, isMarked) => {
    expect(needsPrefix(see(facts), selection, follows)).toBe(isMarked);
  });
});
