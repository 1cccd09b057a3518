import { describe, expect, test } from '@jest/globals';

import {
  judgeImageRepository,
  type ImageRepositorySpec,
} from '../../../src/domain/images/judge-image-repository.js';
import {
  emptyImageRepositoryStatus,
  planImageRepository,
  planNextCheckMs,
  type ImageRepositoryPlan,
  type ImageRepositoryStatus,
} from '../../../src/domain/images/plan-image-repository.js';
import type { RegistryAnswer } from '../../../src/domain/images/registry-answer.js';
import { findCondition, toTimestamp } from '../../../src/domain/shared/conditions.js';

const startMs = Date.parse('2026-01-01T00:00:00Z');
const minuteMs = 60_000;
const digestOf = (digit: string): string => `sha256:${digit.repeat(64)}`;
const imageOf = (digit: string): string => `quay.io/app@${digestOf(digit)}`;
const found = (digit: string): RegistryAnswer => ({ kind: 'found', digest: digestOf(digit) });
const missing: RegistryAnswer = { kind: 'missing' };
const unreachable: RegistryAnswer = {
  kind: 'unreachable',
  problem: "quay.io can't be asked about app: the connection was refused",
};
const refused: RegistryAnswer = { kind: 'refused', problem: 'quay.io refuses to tell about app' };
const nonsense: RegistryAnswer = {
  kind: 'nonsense',
  problem: 'no usable answer about quay.io/app',
};

const spec: ImageRepositorySpec = { repository: 'quay.io/app', tags: ['stable', 'edge'] };

interface Step {
  readonly spec?: ImageRepositorySpec;
  readonly askedFor?: readonly string[];
  readonly before?: ImageRepositoryStatus;
  readonly answers: Readonly<Record<string, RegistryAnswer>>;
  readonly nowMs?: number;
}

function plan(step: Step): ImageRepositoryPlan {
  return planImageRepository({
    wish: judgeImageRepository(step.spec ?? spec, step.askedFor ?? []),
    status: step.before ?? emptyImageRepositoryStatus,
    answers: Object.entries(step.answers).map(([tag, answer]) => ({ tag, answer })),
    nowMs: step.nowMs ?? startMs,
  });
}

const readyOf = (status: ImageRepositoryStatus) => findCondition(status.conditions, 'Ready');
const both = { stable: found('a'), edge: found('b') };
const resolved = plan({ answers: both }).status;

describe('a first check', () => {
  test('resolves all tags', () => {
    expect(plan({ answers: both })).toEqual({
      status: {
        tags: [
          {
            tag: 'stable',
            image: `quay.io/app@${digestOf('a')}`,
            digest: digestOf('a'),
            resolvedAt: '2026-01-01T00:00:00Z',
          },
          {
            tag: 'edge',
            image: `quay.io/app@${digestOf('b')}`,
            digest: digestOf('b'),
            resolvedAt: '2026-01-01T00:00:00Z',
          },
        ],
        conditions: [
          {
            type: 'Ready',
            status: 'True',
            reason: 'Resolved',
            message: 'quay.io/app has told what its 2 tags stand for',
            lastUpdateTime: '2026-01-01T00:00:00Z',
            lastTransitionTime: '2026-01-01T00:00:00Z',
          },
        ],
        lastCheckedAt: '2026-01-01T00:00:00Z',
      },
      nextCheckMs: startMs + minuteMs,
    });
  });

  test('a tag that is not there has no entry, and the others have', () => {
    const { status } = plan({ answers: { stable: found('a'), edge: missing } });
    expect(status.tags.map(({ tag }) => tag)).toEqual(['stable']);
    expect(readyOf(status)).toMatchObject({
      status: 'False',
      reason: 'TagNotFound',
      message: 'quay.io/app has no tag edge',
    });
  });

  test('several missing tags are named together', () => {
    const { status } = plan({ answers: { stable: missing, edge: missing } });
    expect(readyOf(status)?.message).toBe('quay.io/app has no tags stable, edge');
  });
});

describe('a later check', () => {
  const laterMs = startMs + minuteMs;
  const again = (answers: Step['answers'], before = resolved): ImageRepositoryStatus =>
    plan({ before, answers, nowMs: laterMs }).status;

  test('with the same digests changes only when it was', () => {
    expect(again(both)).toEqual({ ...resolved, lastCheckedAt: toTimestamp(laterMs) });
  });

  test('a new digest moves the old one aside', () => {
    expect(again({ stable: found('c'), edge: found('b') }).tags).toEqual([
      {
        tag: 'stable',
        image: `quay.io/app@${digestOf('c')}`,
        digest: digestOf('c'),
        resolvedAt: toTimestamp(laterMs),
        previous: imageOf('a'),
        history: [{ digest: digestOf('a'), resolvedAt: '2026-01-01T00:00:00Z' }],
      },
      resolved.tags[1],
    ]);
  });

  test('a tag remembers what it stood for, the latest ten', () => {
    const letters = ['b', 'c', 'd', 'e', 'f', '0', '1', '2', '3', '4', '5', '6'];
    const moved = letters.reduce(
      (before, letter) => again({ ...both, stable: found(letter) }, before),
      resolved,
    );
    expect(moved.tags[0]?.history?.map(({ digest }) => digest)).toEqual(
      letters.slice(1, -1).reverse().map(digestOf),
    );
    expect(moved.tags[0]?.history?.[0]?.resolvedAt).toBe(toTimestamp(laterMs));
  });

  test('only the last digest before counts as the previous one', () => {
    const second = again({ ...both, stable: found('c') });
    const third = again({ ...both, stable: found('a') }, second);
    expect(third.tags[0]).toMatchObject({ digest: digestOf('a'), previous: imageOf('c') });
  });

  test.each([
    ['TagNotFound', missing, 'quay.io/app has no tag stable'],
    ['RegistryUnreachable', unreachable, unreachable.problem],
    ['RegistryRefused', refused, refused.problem],
    ['RegistryAnswerInvalid', nonsense, nonsense.problem],
  ])('%s leaves the digest as it was and says so', (reason, answer, message) => {
    const status = again({ ...both, stable: answer });
    expect(status.tags).toEqual(resolved.tags);
    expect(readyOf(status)).toMatchObject({
      status: 'False',
      reason,
      message,
      lastTransitionTime: toTimestamp(laterMs),
    });
  });

  test('one tag may move while another fails', () => {
    const status = again({ stable: unreachable, edge: found('c') });
    expect(status.tags.map(({ digest }) => digest)).toEqual([digestOf('a'), digestOf('c')]);
    expect(readyOf(status)?.reason).toBe('RegistryUnreachable');
  });

  test('the gravest problem is the reason', () => {
    const three = { ...spec, tags: ['a', 'b', 'c', 'd'] };
    const answers = { a: missing, b: nonsense, c: refused, d: unreachable };
    expect(readyOf(plan({ spec: three, answers }).status)?.reason).toBe('RegistryUnreachable');
    const milder = { a: missing, b: nonsense, c: refused, d: found('a') };
    expect(readyOf(plan({ spec: three, answers: milder }).status)?.reason).toBe('RegistryRefused');
  });

  test('the transition time moves with the status alone, and the message always', () => {
    const failed = again({ ...both, stable: unreachable });
    const other: RegistryAnswer = { kind: 'unreachable', problem: 'it took longer than 30 s' };
    const evenLater = { before: failed, nowMs: laterMs + minuteMs };
    const second = plan({ ...evenLater, answers: { ...both, stable: other } }).status;
    expect(readyOf(second)).toEqual({ ...readyOf(failed), message: 'it took longer than 30 s' });
    const third = plan({ ...evenLater, answers: { ...both, stable: missing } }).status;
    expect(readyOf(third)).toMatchObject({
      reason: 'TagNotFound',
      lastTransitionTime: toTimestamp(laterMs),
      lastUpdateTime: toTimestamp(laterMs + minuteMs),
    });
    const back = plan({ ...evenLater, answers: both }).status;
    expect(readyOf(back)).toMatchObject({
      status: 'True',
      reason: 'Resolved',
      lastTransitionTime: toTimestamp(laterMs + minuteMs),
    });
  });

  test('tags that nobody follows any more go, new ones come', () => {
    const { status } = plan({
      spec: { ...spec, tags: ['edge'] },
      askedFor: ['v1'],
      before: resolved,
      answers: { edge: found('b'), v1: found('d') },
    });
    expect(status.tags.map(({ tag }) => tag)).toEqual(['edge', 'v1']);
    expect(status.tags[0]).toEqual(resolved.tags[1]);
  });

  test('nothing is kept from another repository', () => {
    const { status } = plan({
      spec: { ...spec, repository: 'quay.io/other' },
      before: resolved,
      answers: { stable: unreachable, edge: found('b') },
    });
    expect(status.tags).toEqual([
      {
        tag: 'edge',
        image: `quay.io/other@${digestOf('b')}`,
        digest: digestOf('b'),
        resolvedAt: toTimestamp(startMs),
      },
    ]);
  });

  test('answers for tags that are not followed are passed over', () => {
    expect(again({ ...both, other: found('f') }).tags).toEqual(resolved.tags);
  });

  test('other conditions and fields stay', () => {
    const before = {
      ...resolved,
      observedGeneration: 3,
      conditions: [...resolved.conditions, { type: 'Other', status: 'True' } as const],
    };
    const status = again({ ...both, stable: missing }, before);
    expect(status).toMatchObject({ observedGeneration: 3 });
    expect(findCondition(status.conditions, 'Other')).toEqual({ type: 'Other', status: 'True' });
  });
});

describe('an answer for one tag, after a notification', () => {
  const noticeMs = startMs + 20_000;
  const notice = (answers: Step['answers'], before = resolved): ImageRepositoryPlan =>
    plan({ before, answers, nowMs: noticeMs });

  test('moves that tag and not the time of the next check', () => {
    const { status, nextCheckMs } = notice({ stable: found('c') });
    expect(status.tags[0]).toMatchObject({ digest: digestOf('c'), previous: imageOf('a') });
    expect(status.tags[1]).toEqual(resolved.tags[1]);
    expect(status.lastCheckedAt).toBe(resolved.lastCheckedAt);
    expect(status.conditions).toEqual(resolved.conditions);
    expect(nextCheckMs).toBe(startMs + minuteMs);
  });

  test('does not make ready what others keep from being so', () => {
    const lacking = plan({ answers: { stable: found('a'), edge: missing } }).status;
    expect(readyOf(notice({ stable: found('c') }, lacking).status)?.reason).toBe('TagNotFound');
  });

  test('has everything checked when the registry is back', () => {
    const down = plan({ before: resolved, answers: { stable: unreachable, edge: unreachable } });
    const { status, nextCheckMs } = notice({ stable: found('c') }, down.status);
    expect(readyOf(status)?.reason).toBe('RegistryUnreachable');
    expect(nextCheckMs).toBe(noticeMs);
  });

  test('tells of a failure', () => {
    expect(readyOf(notice({ stable: refused }).status)?.reason).toBe('RegistryRefused');
  });

  test('is a whole check where there is but one tag', () => {
    const { status } = plan({ spec: { ...spec, tags: ['one'] }, answers: { one: found('a') } });
    expect(readyOf(status)).toMatchObject({
      status: 'True',
      message: 'quay.io/app has told what its tag stands for',
    });
  });
});

describe('a wrong spec', () => {
  test('is said, touches no tag and leaves nothing to wait for', () => {
    const { status, nextCheckMs } = plan({
      spec: { ...spec, repository: 'Quay.io/App' },
      before: resolved,
      answers: {},
    });
    expect(status.tags).toEqual(resolved.tags);
    expect(readyOf(status)).toMatchObject({
      status: 'False',
      reason: 'InvalidSpec',
      message: 'spec.repository: "Quay.io/App" is not a repository: "App" must be in lower case',
    });
    expect(nextCheckMs).toBeUndefined();
  });

  test('once mended, is checked at once', () => {
    const wrong = plan({ spec: { ...spec, tags: ['?'] }, answers: {} }).status;
    const wish = judgeImageRepository(spec, []);
    if (wish.kind === 'invalid') throw new Error(wish.problem);
    expect(planNextCheckMs(wish.value, wrong, startMs)).toBe(startMs);
  });
});

test('without tags there is nothing to check', () => {
  const { status, nextCheckMs } = plan({ spec: { repository: 'quay.io/app' }, answers: {} });
  expect(readyOf(status)).toMatchObject({
    status: 'True',
    message: 'no tag of quay.io/app is asked for',
  });
  expect(status.lastCheckedAt).toBeUndefined();
  expect(nextCheckMs).toBeUndefined();
});

describe('the next check', () => {
  const wishFor = (
    changes: Partial<ImageRepositorySpec> = {},
    askedFor: readonly string[] = [],
  ) => {
    const wish = judgeImageRepository({ ...spec, ...changes }, askedFor);
    if (wish.kind === 'invalid') throw new Error(wish.problem);
    return wish.value;
  };

  test('is due at once where there was none', () => {
    expect(planNextCheckMs(wishFor(), emptyImageRepositoryStatus, startMs)).toBe(startMs);
  });

  test('is due at once for a tag that is new', () => {
    expect(planNextCheckMs(wishFor({}, ['new']), resolved, startMs + 5_000)).toBe(startMs + 5_000);
  });

  test('is not due at once for a tag that was not found', () => {
    const { status, nextCheckMs } = plan({ answers: { ...both, edge: missing } });
    expect(nextCheckMs).toBe(startMs + minuteMs);
    expect(planNextCheckMs(wishFor(), status, startMs + 5_000)).toBe(startMs + minuteMs);
  });

  test('is not put off by a clock that was wrong', () => {
    const future = { ...resolved, lastCheckedAt: toTimestamp(startMs + 24 * 60 * minuteMs) };
    expect(planNextCheckMs(wishFor(), future, startMs)).toBe(startMs);
    const broken = { ...resolved, lastCheckedAt: 'yesterday' };
    expect(planNextCheckMs(wishFor(), broken, startMs)).toBe(startMs);
  });

  /** The pauses between the checks of a registry that gives the same answer each time. */
  function pausesOf(answer: RegistryAnswer, intervalSeconds: number, count: number): number[] {
    const failing = { ...spec, tags: ['stable'], intervalSeconds };
    const pauses: number[] = [];
    let [nowMs, before] = [startMs, emptyImageRepositoryStatus];
    for (let turn = 0; turn < count; turn += 1) {
      const next = plan({ spec: failing, before, answers: { stable: answer }, nowMs });
      pauses.push(((next.nextCheckMs ?? 0) - nowMs) / 1_000);
      before = next.status;
      nowMs = next.nextCheckMs ?? 0;
    }
    return pauses;
  }

  test.each([unreachable, refused, nonsense])('comes ever later while it fails: %j', (answer) => {
    expect(pausesOf(answer, 60, 8)).toEqual([60, 60, 120, 240, 480, 600, 600, 600]);
  });

  test('never comes sooner than the interval', () => {
    expect(pausesOf(unreachable, 3_600, 4)).toEqual([3_600, 3_600, 3_600, 3_600]);
  });

  test('comes as ever while a tag is missing', () => {
    expect(pausesOf(missing, 60, 4)).toEqual([60, 60, 60, 60]);
  });

  test('comes as ever once it works again', () => {
    const down = plan({ before: resolved, answers: { stable: unreachable, edge: unreachable } });
    const up = plan({ before: down.status, answers: both, nowMs: startMs + 60 * minuteMs });
    expect(up.nextCheckMs).toBe(startMs + 61 * minuteMs);
  });

  test('does not count how long a tag was missing as a failure of the registry', () => {
    const lacking = plan({ answers: { stable: missing, edge: missing } }).status;
    const nowMs = startMs + 600 * minuteMs;
    const failing = plan({
      before: lacking,
      answers: { stable: unreachable, edge: unreachable },
      nowMs,
    });
    expect(failing.nextCheckMs).toBe(nowMs + minuteMs);
  });
});

test('a tag may have the name of what every object has', () => {
  const odd = { ...spec, tags: ['__proto__', 'constructor'] };
  const status = planImageRepository({
    wish: judgeImageRepository(odd, []),
    status: emptyImageRepositoryStatus,
    answers: [{ tag: '__proto__', answer: found('a') }],
    nowMs: startMs,
  }).status;
  expect(status.tags.map(({ tag }) => tag)).toEqual(['__proto__']);
});

describe('credentials that can not be used', () => {
  const problem = 'spec.pullSecrets[0]: there is no Secret "registry"';
  const planWith = (answer: RegistryAnswer, credentialProblems?: readonly string[]) =>
    planImageRepository({
      wish: judgeImageRepository({ ...spec, tags: ['stable'] }, []),
      status: emptyImageRepositoryStatus,
      answers: [{ tag: 'stable', answer }],
      credentialProblems,
      nowMs: startMs,
    }).status;

  test('have a condition of their own, and are no failure', () => {
    const status = planWith(found('a'), [problem]);
    expect(readyOf(status)).toMatchObject({ status: 'True' });
    expect(findCondition(status.conditions, 'CredentialsUsable')).toMatchObject({
      status: 'False',
      message: problem,
    });
  });

  test('are named where the registry refuses', () => {
    const message = `quay.io refuses to tell about app; ${problem}`;
    expect(readyOf(planWith(refused, [problem]))).toMatchObject({ message });
    expect(readyOf(planWith(unreachable, [problem]))?.message).not.toContain(problem);
  });

  test('are forgotten once they can be, and not before somebody has looked', () => {
    const before = planWith(found('a'), [problem]);
    const again = (credentialProblems?: readonly string[]) =>
      planImageRepository({
        wish: judgeImageRepository({ ...spec, tags: ['stable'] }, []),
        status: before,
        answers: [{ tag: 'stable', answer: found('a') }],
        credentialProblems,
        nowMs: startMs,
      }).status.conditions.map(({ type }) => type);
    expect(again([])).toEqual(['Ready']);
    expect(again()).toEqual(['Ready', 'CredentialsUsable']);
  });
});
