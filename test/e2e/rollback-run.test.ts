import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ApplicationFailure, WorkflowFailedError } from '@temporalio/client';

import { readRollbackEnd } from '../../src/client/rollback/read-rollback-end.js';
import { sharedServers } from '../support/deployment-trial.js';
import { examined, ScriptedRollback, type Script } from '../support/scripted-rollback.js';

let scripted: ScriptedRollback;

beforeAll(async () => {
  scripted = await ScriptedRollback.open(sharedServers().temporalAddress);
});
afterAll(() => scripted.close());

const toEnd = (end: unknown) =>
  readRollbackEnd(
    end instanceof WorkflowFailedError ? Promise.reject(end) : Promise.resolve(end),
    () => Promise.reject(new Error('none of these runs is to be asked for its status')),
  );

test('a version that comes between two looks is left alone: it is not what was to be left', async () => {
  let looks = 0;
  const { end, calls } = await scripted.rollBack({
    examineRollback: () => {
      looks += 1;
      // By then, the last complete version before the latest is the bad one.
      return Promise.resolve(looks === 1 ? examined() : examined({ from: 3 }));
    },
    applyRollback: () => Promise.resolve({ kind: 'changed', why: 'web has changed' }),
  });
  expect(calls.map(({ activity }) => activity)).toEqual([
    'examineRollback',
    'applyRollback',
    'examineRollback',
  ]);
  expect(calls[0]?.asked).toMatchObject({ members: [{ wish: { config: true } }] });
  expect(calls[0]?.asked).not.toHaveProperty(['members', '0', 'wish', 'release']);
  expect(calls[2]?.asked).toMatchObject({ members: [{ wish: { config: true, release: 1 } }] });
  const reason = 'web has version 3 by now, and was examined at version 2';
  expect(await toEnd(end)).toMatchObject({
    kind: 'ended',
    outcome: {
      phase: 'Failed',
      summary: `web could not go back: ${reason}.`,
      standings: [{ name: 'web', from: 2, to: 1, state: 'Failed', reason }],
    },
  });
});

describe('a look that fails for good', () => {
  const why = 'look at what going back means for web: it may not';
  const examineRollback = () => Promise.reject(ApplicationFailure.nonRetryable(why, 'Refused'));

  test('takes the block away that asked for it, and says why', async () => {
    const { end, calls } = await scripted.rollBack(
      { examineRollback, refuseRollback: () => Promise.resolve({ kind: 'done' }) },
      { fromBlock: true },
    );
    expect(calls.map(({ activity }) => activity)).toEqual(['examineRollback', 'refuseRollback']);
    expect(calls[1]?.asked).toMatchObject({
      ref: { name: 'web' },
      problems: [{ field: 'rollback', message: why }],
    });
    expect(await toEnd(end)).toEqual({ kind: 'broken', why, isBadInput: false });
  });

  test('leaves the block alone that did not', async () => {
    const { end, calls } = await scripted.rollBack({ examineRollback });
    expect(calls.map(({ activity }) => activity)).toEqual(['examineRollback']);
    expect(await toEnd(end)).toEqual({ kind: 'broken', why, isBadInput: false });
  });
});

test('a block that is corrected meanwhile is left to a run of its own', async () => {
  const why = 'the block that asked for it was changed or taken away since';
  const { end, calls } = await scripted.rollBack(
    {
      examineRollback: () => Promise.resolve(examined()),
      applyRollback: () => Promise.resolve({ kind: 'needless', why }),
    },
    { wish: { release: 1 }, fromBlock: true },
  );
  expect(calls.map(({ activity }) => activity)).toEqual(['examineRollback', 'applyRollback']);
  expect(await toEnd(end)).toMatchObject({
    kind: 'ended',
    outcome: { phase: 'Failed', standings: [{ name: 'web', state: 'Failed', reason: why }] },
  });
});

test('the look knows whether anything is done about it: a slow registry is waited for then', async () => {
  const examineRollback = () => Promise.resolve(examined());
  const preview = await scripted.rollBack({ examineRollback }, { dryRun: true });
  expect(preview.end).toMatchObject({ phase: 'DryRun' });
  expect(preview.calls[0]?.asked).toMatchObject({ dryRun: true });
  const real = await scripted.rollBack({
    examineRollback,
    applyRollback: () => Promise.resolve({ kind: 'overtaken', why: 'somebody was faster' }),
  });
  expect(real.calls[0]?.asked).toMatchObject({ dryRun: false });
});

test('a version whose run is cancelled while the config goes back is stopped as soon as it is made', async () => {
  const since = { deployment: '7', replicaSets: {} };
  let writes = 0;
  let isMade = false;
  const script: Script = {
    examineRollback: () => Promise.resolve(examined()),
    applyRollback: async (_asked, run) => {
      writes += 1;
      // By an ordinary activity, during which a cancel is told at once.
      if (writes === 1) return { kind: 'elsewhere' };
      await run.cancel();
      return { kind: 'done', version: 3, versions: since };
    },
    cancelVersion: () =>
      Promise.resolve(isMade ? { kind: 'done', version: '9' } : { kind: 'gone' }),
    awaitVersion: () => {
      isMade = true;
      return Promise.resolve({ kind: 'begun' });
    },
    advanceVersion: () => Promise.resolve({ kind: 'gone' }),
  };
  const { end, calls } = await scripted.makeVersion(script, 3, {});
  expect(calls.map(({ activity }) => activity)).toEqual([
    'examineRollback',
    'applyRollback',
    'applyRollback',
    'cancelVersion',
    'awaitVersion',
    'cancelVersion',
    'advanceVersion',
  ]);
  expect(calls[4]?.asked).toMatchObject({
    ref: { name: 'web', version: 3 },
    since,
    until: 'begun',
  });
  expect(end).toMatchObject({ cause: { name: 'CancelledFailure' } });
});
