import { describe, expect, test } from '@jest/globals';

import { planVersion } from '../../../src/domain/deployment-config/plan-version.js';
import type { VersionObservation } from '../../../src/domain/deployment-config/observation.js';
import {
  hookCheckMs,
  isSameTurn,
  toHookTurn,
  type HookSummary,
} from '../../../src/domain/shared/hook.js';
import {
  controller,
  recreate,
  stepsOf,
  versionObservation,
  versionsNowMs,
} from '../../support/versions.js';

const old = controller({ version: 1, desired: 10 });
const hook = (over: Partial<HookSummary> & Pick<HookSummary, 'moment'>): HookSummary => ({
  isMandatory: true,
  ended: 0,
  ...over,
});
const look = (
  over: Partial<Parameters<typeof controller>[0]>,
  others = [old],
  more: Parameters<typeof versionObservation>[1] = {},
): VersionObservation => versionObservation([...others, controller({ version: 2, ...over })], more);

const hookOf = (seen: VersionObservation): string | undefined => planVersion(seen).hook?.moment;

describe('a pre hook', () => {
  const at = (over: Partial<HookSummary> = {}, more = {}) =>
    look({ phase: 'New', hooks: [hook({ moment: 'pre', ...over })], ...more });

  test('runs while the version is New, and before anything is scaled', () => {
    expect(hookOf(at())).toBe('pre');
    expect(stepsOf(at())).toEqual([]);
    expect(hookOf(at({ phase: 'Running' }))).toBe('pre');
  });

  test('that has succeeded is done', () => {
    expect(hookOf(at({ phase: 'Succeeded' }))).toBeUndefined();
    expect(stepsOf(at({ phase: 'Succeeded' }))).toEqual(['web-2: New to Pending']);
  });

  test('that has failed fails the version, if it is mandatory', () => {
    const failed = { phase: 'Failed', reason: 'pod x failed with exit code 1' } as const;
    expect(planVersion(at(failed)).actions[0]).toMatchObject({
      to: 'Failed',
      reason: 'the pre hook failed: pod x failed with exit code 1',
    });
    expect(stepsOf(at({ ...failed, isMandatory: false }))).toEqual(['web-2: New to Pending']);
  });

  test('is not begun while the config is paused, but one that runs is waited for', () => {
    const own = { phase: 'New', hooks: [hook({ moment: 'pre' })] } as const;
    expect(hookOf(look(own, [old], { config: { paused: true } }))).toBeUndefined();
    const running = { phase: 'New', hooks: [hook({ moment: 'pre', phase: 'Running' })] } as const;
    expect(hookOf(look(running, [old], { config: { paused: true } }))).toBe('pre');
  });

  test('waits for a version that is under way', () => {
    const running = controller({ version: 1, phase: 'Running', desired: 4 });
    const seen = look({ phase: 'New', hooks: [hook({ moment: 'pre' })] }, [running]);
    expect(hookOf(seen)).toBeUndefined();
    expect(stepsOf(seen)).toEqual(['cancel web-1']);
  });

  test('comes before a deployer', () => {
    const custom = { type: 'Custom', timeoutSeconds: 600, activeDeadlineSeconds: 60 } as const;
    expect(hookOf(at({}, { strategy: custom }))).toBe('pre');
    expect(stepsOf(at({ phase: 'Succeeded' }, { strategy: custom }))).toEqual([
      'start web-2-deploy',
    ]);
  });
});

describe('a mid hook', () => {
  const hooks = [hook({ moment: 'mid' })];
  const gone = controller({ version: 1 });

  test('runs when the last old pod is gone, and before the first new one comes', () => {
    const own = { phase: 'Running', strategy: recreate, hooks } as const;
    expect(hookOf(look(own))).toBeUndefined();
    expect(stepsOf(look(own))).toEqual(['web-1: 10 to 0']);
    expect(hookOf(look(own, [gone], { oldPods: 1 }))).toBeUndefined();
    expect(hookOf(look(own, [gone], { oldPods: 0 }))).toBe('mid');
    expect(stepsOf(look(own, [gone], { oldPods: 0 }))).toEqual([]);
    const done = { ...own, hooks: [hook({ moment: 'mid', phase: 'Succeeded' })] } as const;
    expect(stepsOf(look(done, [gone], { oldPods: 0 }))).toEqual(['web-2: 0 to 1']);
  });
});

test('a mid hook runs also where there is to be no pod', () => {
  const own = { phase: 'Running', strategy: recreate, hooks: [hook({ moment: 'mid' })] } as const;
  const gone = controller({ version: 1 });
  const more = { oldPods: 0, config: { replicas: 0 } };
  expect(hookOf(look(own, [gone], more))).toBe('mid');
  const done = { ...own, hooks: [hook({ moment: 'mid', phase: 'Succeeded' })] } as const;
  expect(stepsOf(look(done, [gone], more))).toEqual(['web-2: Running to Complete']);
});

describe('a post hook', () => {
  const complete = { phase: 'Running', desired: 10 } as const;
  const gone = controller({ version: 1 });

  test('runs when all pods are there, and the version is Running until it has ended', () => {
    expect(hookOf(look({ ...complete, hooks: [hook({ moment: 'post' })] }, [gone]))).toBe('post');
    const early = { ...complete, available: 9, hooks: [hook({ moment: 'post' })] };
    expect(hookOf(look(early, [gone]))).toBeUndefined();
    const done = { ...complete, hooks: [hook({ moment: 'post', phase: 'Succeeded' })] } as const;
    expect(stepsOf(look(done, [gone]))).toEqual(['web-2: Running to Complete']);
  });

  test('whose failure does not matter lets the version complete', () => {
    const failed = hook({ moment: 'post', phase: 'Failed', isMandatory: false });
    expect(stepsOf(look({ ...complete, hooks: [failed] }, [gone]))).toEqual([
      'web-2: Running to Complete',
    ]);
  });

  test('takes all the time that it has', () => {
    const running = hook({ moment: 'post', phase: 'Running' });
    const ancient = { createdAtMs: versionsNowMs - 10_000_000 };
    expect(stepsOf(look({ ...complete, ...ancient, hooks: [running] }, [gone]))).toEqual([]);
  });
});

test('a version that is given up waits for the end of its hook', () => {
  const running = hook({ moment: 'pre', phase: 'Running' });
  const own = { phase: 'New', isCancelled: true, hooks: [running] } as const;
  expect(stepsOf(look(own))).toEqual([]);
  expect(hookOf(look(own))).toBe('pre');
  const ended = hook({ moment: 'pre', phase: 'Failed', reason: 'its deployment was stopped' });
  expect(stepsOf(look({ ...own, hooks: [ended] }))).toEqual(['web-2: New to Failed']);
});

describe('an abort hook', () => {
  const failed = { phase: 'Failed', startedAtMs: versionsNowMs - 5_000 } as const;
  const abort = hook({ moment: 'abort', isMandatory: false });

  test('runs beside the way back', () => {
    const seen = look({ ...failed, hooks: [abort] }, [controller({ version: 1, desired: 8 })]);
    expect(hookOf(seen)).toBe('abort');
    expect(stepsOf(seen)).toEqual(['web-1: 8 to 10']);
    expect(planVersion(look({ ...failed, hooks: [abort] })).next.kind).toBe('wait');
  });

  test('is over when it has ended, however', () => {
    const over = look({ ...failed, hooks: [{ ...abort, phase: 'Failed' }] });
    expect(planVersion(over)).toMatchObject({ actions: [], next: { kind: 'end' } });
    expect(hookOf(over)).toBeUndefined();
  });

  test.each([
    ['is due', undefined],
    ['runs', 'Running'],
  ] as const)('that %s comes to its end before the version is tried again', (_what, phase) => {
    const hooks = [{ ...abort, ...(phase && { phase }) }];
    const seen = look({ ...failed, isRetried: true, hooks }, [old]);
    expect([hookOf(seen), stepsOf(seen)]).toEqual(['abort', []]);
  });

  test.each(['Succeeded', 'Failed'] as const)('that has %s lets it be tried again', (phase) => {
    const seen = look({ ...failed, isRetried: true, hooks: [{ ...abort, phase }] }, [old]);
    expect(stepsOf(seen)).toEqual(['web-2: Failed to New']);
  });

  test('of an earlier version is waited for by the hooks of the next', () => {
    const reverting = controller({
      version: 1,
      phase: 'Failed',
      hooks: [{ ...abort, phase: 'Running', ended: 2 }],
    });
    const own = { phase: 'New', hooks: [hook({ moment: 'pre' })] } as const;
    const plan = planVersion(look(own, [reverting]));
    const turn = { moment: 'abort', owner: reverting.uid, version: 1, round: 2, hasBegun: true };
    expect(plan.hook).toEqual(turn);
    expect(plan.next).toEqual({ kind: 'wait', untilMs: versionsNowMs + hookCheckMs });
    expect(plan.status?.conditions).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining('abort hook of "web-1"') }),
    );
    // One that has no hook has nothing to wait for.
    expect(stepsOf(look({ phase: 'New' }, [reverting]))).toEqual(['web-2: New to Pending']);
    const reverted = { ...reverting, hooks: [{ ...abort, phase: 'Failed' as const }] };
    expect(planVersion(look(own, [reverted])).hook).toMatchObject({ moment: 'pre' });
  });

  test('has nothing to revert where a hook ended before its first try', () => {
    const refused = hook({ moment: 'pre', phase: 'Failed' });
    expect(hookOf(look({ phase: 'Failed', hooks: [refused, abort] }))).toBeUndefined();
    const tried = { ...refused, ended: 1 };
    expect(hookOf(look({ phase: 'Failed', hooks: [tried, abort] }))).toBe('abort');
  });

  test('has nothing to revert where nothing began, or where all went well', () => {
    expect(hookOf(look({ phase: 'Failed', hooks: [abort] }))).toBeUndefined();
    const well = { phase: 'Complete', desired: 10, startedAtMs: 1, hooks: [abort] } as const;
    expect(hookOf(look(well, [controller({ version: 1 })]))).toBeUndefined();
  });
});

test('a hook that is to run once more is another turn', () => {
  const turn = (over: Partial<HookSummary>) =>
    toHookTurn(hook({ moment: 'pre', ...over }), { uid: 'uid' });
  const first = turn({});
  expect(isSameTurn(turn({}), first)).toBe(true);
  // Its tries are its own affair.
  expect(isSameTurn(turn({ phase: 'Pending', ended: 2 }), first)).toBe(true);
  expect(isSameTurn(turn({ ended: 1 }), first)).toBe(false);
  // One that failed before its first try was reset all the same.
  expect(isSameTurn(turn({ resets: 1 }), first)).toBe(false);
  expect(isSameTurn({ ...first, version: 1 }, first)).toBe(false);
  // Its version was deleted and made anew.
  expect(isSameTurn({ ...turn({ phase: 'Pending' }), owner: 'other' }, first)).toBe(false);
  expect(isSameTurn(first, undefined)).toBe(false);
});
