import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ApplicationFailure, WorkflowFailedError } from '@temporalio/client';

import { readRollbackEnd } from '../../src/client/rollback/read-rollback-end.js';
import { sharedServers } from '../support/deployment-trial.js';
import { examined, ScriptedRollback } from '../support/scripted-rollback.js';

let scripted: ScriptedRollback;

beforeAll(async () => {
  scripted = await ScriptedRollback.open(sharedServers().temporalAddress);
});
afterAll(() => scripted.close());

const toEnd = (end: unknown) =>
  readRollbackEnd(end instanceof WorkflowFailedError ? Promise.reject(end) : Promise.resolve(end));

test('a version that comes between two looks is left alone: it is not what was to be left', async () => {
  let looks = 0;
  const { end, calls } = await scripted.run({
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
    const { end, calls } = await scripted.run(
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
    const { end, calls } = await scripted.run({ examineRollback });
    expect(calls.map(({ activity }) => activity)).toEqual(['examineRollback']);
    expect(await toEnd(end)).toEqual({ kind: 'broken', why, isBadInput: false });
  });
});

test('a block that is corrected meanwhile is left to a run of its own', async () => {
  const why = 'the block that asked for it was changed or taken away since';
  const { end, calls } = await scripted.run(
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
  const preview = await scripted.run({ examineRollback }, { dryRun: true });
  expect(preview.end).toMatchObject({ phase: 'DryRun' });
  expect(preview.calls[0]?.asked).toMatchObject({ dryRun: true });
  const real = await scripted.run({
    examineRollback,
    applyRollback: () => Promise.resolve({ kind: 'overtaken', why: 'somebody was faster' }),
  });
  expect(real.calls[0]?.asked).toMatchObject({ dryRun: false });
});
