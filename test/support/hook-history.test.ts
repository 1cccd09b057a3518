import { describe, expect, test } from '@jest/globals';

import { configAnnotations } from '../../src/kubernetes/deployment-configs/annotations.js';
import { hookTryAnnotation } from '../../src/kubernetes/hooks/annotations.js';
import { writeHookRecord } from '../../src/kubernetes/hooks/hook-record.js';
import { runOnceFinalizer } from '../../src/kubernetes/run-once-pods/hold.js';
import type { PastObject, PastWrite } from './etcd-history.js';
import { HookHistory } from './hook-history.js';

type Step = Omit<PastWrite, 'revision' | 'namespace'>;

const pod = (phase: string, over: Partial<PastObject> = {}, number = 1): Step => ({
  kind: 'pods',
  name: `web-1-hook-pre${number === 1 ? '' : `-${number}`}`,
  isCreation: false,
  object: {
    uid: `uid-${number}`,
    annotations: { [hookTryAnnotation]: String(number) },
    finalizers: [runOnceFinalizer],
    isBeingDeleted: false,
    phase,
    ...over,
  },
});

const made = (number = 1): Step => ({ ...pod('Pending', {}, number), isCreation: true });

const noted = (
  phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed',
  ended: number,
  /** Of the pod; 0 before there is one. */
  number = 1,
  over: Partial<PastObject> = {},
): Step => ({
  kind: 'controllers',
  name: 'web-1',
  isCreation: false,
  object: {
    uid: 'uid',
    annotations: {
      [configAnnotations.phase]: 'New',
      ...writeHookRecord(
        { phase, ended, ...(number === 0 ? {} : { pod: pod('', {}, number).name }) },
        'pre',
      ),
      ...over.annotations,
    },
    finalizers: [],
    isBeingDeleted: false,
    replicas: over.replicas ?? 0,
  },
});

const letGo = pod('Succeeded', { finalizers: [] });

const rollout = {
  kind: 'controllers',
  name: 'web-1',
  isPast: ({ object }: PastWrite) =>
    (object?.replicas ?? 0) > 0 || object?.annotations[configAnnotations.phase] === 'Pending',
} as const;

const problemsOf = (...steps: readonly Step[]): readonly string[] =>
  new HookHistory(rollout, ['pre']).read(
    steps.map((step, index) => ({ ...step, revision: index, namespace: 'shop' })),
  ).problems;

describe('a history', () => {
  const begun = [noted('Pending', 0, 0), made()];
  const success = [...begun, noted('Pending', 0), pod('Running'), noted('Running', 0)];
  const succeeded = [...success, pod('Succeeded'), noted('Succeeded', 1)];

  test('as it should be tells of no problem', () => {
    expect(problemsOf(...succeeded, letGo, noted('Succeeded', 1, 1, { replicas: 1 }))).toEqual([]);
  });

  test('with a second try is as it should be', () => {
    const first = [
      ...success,
      pod('Failed'),
      noted('Pending', 1),
      pod('Failed', { finalizers: [] }),
    ];
    const second = [made(2), pod('Running', {}, 2), noted('Running', 1, 2)];
    const end = [pod('Succeeded', {}, 2), noted('Succeeded', 2, 2)];
    expect(problemsOf(...first, ...second, ...end)).toEqual([]);
  });

  test.each<readonly [string, readonly Step[], string]>([
    ['a pod that was made twice', [...success, made()], 'pod web-1-hook-pre was made twice'],
    ['a try after success', [...succeeded, made(2)], 'was made after it had Succeeded'],
    ['a try too soon', [...success, made(2)], 'was made when 0 had ended'],
    ['a pod let go too soon', [...success, letGo], 'was let go before its end was noted'],
    ['a pod before all', [made()], 'was made before it was noted to begin'],
    ['a second beginning', [...success, noted('Pending', 0, 0)], 'it was Running before'],
    ['a note of another pod', [...begun, noted('Pending', 0, 2)], 'there never was such a pod'],
    ['a note of success', [...success, noted('Succeeded', 1)], 'the pod was not'],
    ['a note of failure', [...succeeded.slice(0, 6), noted('Failed', 1)], 'the pod was not'],
    ['a note that it runs', [...begun, noted('Running', 0)], 'the pod was not'],
    ['a note that goes back', [...success, noted('Pending', 0)], 'it was Running before'],
    ['a note after the end', [...succeeded, noted('Running', 1)], 'it was over before'],
    ['tries that are skipped', [...success, noted('Pending', 2)], '0 had ended before'],
    ['a size too soon', [...success, noted('Running', 0, 1, { replicas: 1 })], 'went on while'],
    [
      'a phase too soon',
      [...begun, noted('Pending', 0, 1, { annotations: { [configAnnotations.phase]: 'Pending' } })],
      'went on while its pre hook was Pending',
    ],
  ])('with %s tells of it', (_what, steps, problem) => {
    expect(problemsOf(...steps)).toContainEqual(expect.stringContaining(problem));
  });
});
