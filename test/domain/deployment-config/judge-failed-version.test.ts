import { describe, expect, test } from '@jest/globals';

import { cancelReasons } from '../../../src/domain/deployment-config/cancel-reasons.js';
import { judgeFailedVersion } from '../../../src/domain/deployment-config/judge-failed-version.js';
import type {
  ConfigSummary,
  ControllerSummary,
} from '../../../src/domain/deployment-config/observation.js';
import type { HookMoment, HookPhase, HookSummary } from '../../../src/domain/shared/hook.js';
import { controller, noStatus, versionObservation } from '../../support/versions.js';

const hook = (moment: HookMoment, phase?: HookPhase): HookSummary => ({
  moment,
  isMandatory: true,
  ended: phase === undefined ? 0 : 1,
  ...(phase === undefined ? {} : { phase }),
});

interface Scene {
  readonly failed?: Partial<ControllerSummary>;
  readonly config?: Partial<ConfigSummary>;
  readonly others?: readonly ControllerSummary[];
  readonly isRollback?: boolean;
}

function judge({ failed, config, others, isRollback = false }: Scene = {}) {
  const controllers = [
    ...(others ?? [controller({ version: 1 }), controller({ version: 2 })]),
    controller({
      version: 3,
      phase: 'Failed',
      statusReason: cancelReasons.timedOut,
      startedAtMs: 1,
      ...failed,
    }),
  ];
  const seen = versionObservation(controllers, {
    config: { latestVersion: 3, rollsBackOnFailure: true, ...config },
  });
  return judgeFailedVersion(seen, { isRollback });
}

const none = { kind: 'none' };

test('a version that has failed leads back to the last complete one, and says why', () => {
  expect(judge()).toEqual({
    kind: 'rollBack',
    release: 2,
    notes: `version 3 has failed: ${cancelReasons.timedOut}`,
  });
  const others = [controller({ version: 1 }), controller({ version: 2, phase: 'Failed' })];
  expect(judge({ others })).toMatchObject({ release: 1 });
});

test('so does one that the apiserver will not have, as long as that is so', () => {
  const refused = {
    type: 'Progressing',
    status: 'False',
    reason: 'ReplicationControllerCreateError',
    message: 'spec.template.spec: nonsense',
  } as const;
  const judgeRefused = (generation: number) =>
    judgeFailedVersion(
      versionObservation([controller({ version: 1 })], {
        config: {
          latestVersion: 2,
          rollsBackOnFailure: true,
          generation,
          status: { ...noStatus, observedGeneration: 1, conditions: [refused] },
        },
      }),
      { isRollback: false },
    );
  expect(judgeRefused(1)).toEqual({
    kind: 'rollBack',
    release: 1,
    notes: 'version 2 has failed: spec.template.spec: nonsense',
  });
  expect(judgeRefused(2)).toEqual(none);
});

describe('it does not', () => {
  test.each<[string, Scene]>([
    ['where nobody asks for that', { config: { rollsBackOnFailure: false } }],
    ['while the config is paused', { config: { paused: true } }],
    ['when the config goes', { config: { beingDeleted: true } }],
    ['a second time', { config: { rolledBackFrom: 3 } }],
    ['before it has failed', { failed: { phase: 'Running' } }],
    ['when it is complete', { failed: { phase: 'Complete' } }],
    ['when somebody has stopped it', { failed: { isCancelled: true, statusReason: 'enough' } }],
    ['when somebody tries it again', { failed: { isRetried: true } }],
    ['when it was overtaken', { failed: { statusReason: cancelReasons.newerFound } }],
    ['when the old side has won', { failed: { statusReason: cancelReasons.oldWon } }],
  ])('%s', (_title, scene) => {
    expect(judge(scene)).toEqual(none);
  });

  test('when it was a rollback itself', () => {
    expect(judge({ isRollback: true })).toMatchObject({ kind: 'stay', reason: 'WasRollback' });
  });

  test('when nothing was complete before', () => {
    const others = [
      controller({ version: 1, phase: 'Failed' }),
      controller({ version: 2, beingDeleted: true }),
    ];
    expect(judge({ others })).toMatchObject({ kind: 'stay', reason: 'NoCompleteVersion' });
  });
});

test('one that failed before is no matter: it is about this version', () => {
  expect(judge({ config: { rolledBackFrom: 2 } })).toMatchObject({ kind: 'rollBack' });
});

describe('a hook that has succeeded', () => {
  test.each(['pre', 'mid', 'post'] as const)('keeps it from going back: %s', (moment) => {
    const verdict = judge({ failed: { hooks: [hook(moment, 'Succeeded')] } });
    expect(verdict).toMatchObject({ kind: 'stay', reason: 'HookNotUndone' });
    expect(verdict).toHaveProperty('message', expect.stringContaining(`its ${moment} hook`));
  });

  test('does not when an abort hook has undone it', () => {
    const hooks = [hook('pre', 'Succeeded'), hook('abort', 'Succeeded')];
    expect(judge({ failed: { hooks } })).toMatchObject({ kind: 'rollBack' });
  });

  test('does when the abort hook has failed', () => {
    const hooks = [hook('pre', 'Succeeded'), { ...hook('abort', 'Failed'), isMandatory: false }];
    expect(judge({ failed: { hooks } })).toMatchObject({ reason: 'HookNotUndone' });
  });

  test('keeps it from going back also where it was that of a failed version before', () => {
    const migrated = controller({
      version: 2,
      phase: 'Failed',
      hooks: [hook('pre', 'Succeeded')],
    });
    const others = [controller({ version: 1, hooks: [hook('pre', 'Succeeded')] }), migrated];
    const failed = { hooks: [hook('pre', 'Failed')] };
    const verdict = judge({ others, failed });
    expect(verdict).toMatchObject({ kind: 'stay', reason: 'HookNotUndone' });
    expect(verdict).toHaveProperty('message', expect.stringContaining("version 2's pre hook"));
    const undone = { ...migrated, hooks: [hook('pre', 'Succeeded'), hook('abort', 'Succeeded')] };
    expect(judge({ others: [controller({ version: 1 }), undone], failed })).toMatchObject({
      kind: 'rollBack',
      release: 1,
    });
  });

  test('is gone over when the config says so', () => {
    const failed = { hooks: [hook('pre', 'Succeeded')] };
    const config = { rollsBackOverHooks: true };
    expect(judge({ failed, config })).toMatchObject({ kind: 'rollBack' });
  });
});

test('a hook that has failed, or has not run, is no obstacle', () => {
  expect(judge({ failed: { hooks: [hook('pre', 'Failed')] } })).toMatchObject({ kind: 'rollBack' });
  expect(judge({ failed: { hooks: [hook('post')] } })).toMatchObject({ kind: 'rollBack' });
});

test('the abort hook is waited for: another version would keep it from running', () => {
  const hooks = [hook('pre', 'Failed'), hook('abort')];
  expect(judge({ failed: { hooks } })).toEqual(none);
  expect(judge({ failed: { hooks: [hook('pre', 'Failed'), hook('abort', 'Running')] } })).toEqual(
    none,
  );
});
