import { afterEach, describe, expect, jest, test } from '@jest/globals';
import {
  ApplicationFailure,
  CancelledFailure,
  TerminatedFailure,
  WorkflowFailedError,
} from '@temporalio/client';
import { ActivityFailure, RetryState } from '@temporalio/common';

import { awaitRollbackEnd } from '../../../src/client/rollback/await-rollback-end.js';
import {
  readRollbackEnd,
  type RollbackEnd,
} from '../../../src/client/rollback/read-rollback-end.js';
import type { RollbackOutcome } from '../../../src/contracts/rollback.js';

const outcome: RollbackOutcome = {
  phase: 'Failed',
  summary: 'web has failed.',
  report: { configs: [] },
  standings: [],
};

const failure = (cause: Error | undefined): Promise<never> =>
  Promise.reject(new WorkflowFailedError('it failed', cause, RetryState.NON_RETRYABLE_FAILURE));

describe('how a run ended', () => {
  const unasked = () => Promise.reject(new Error('nobody was to be asked'));
  const read = (result: Promise<unknown>, ask: Parameters<typeof readRollbackEnd>[1] = unasked) =>
    readRollbackEnd(result, ask);

  test('with an outcome', async () => {
    const complete = { ...outcome, phase: 'Complete' as const };
    expect(await read(Promise.resolve(complete))).toEqual({
      kind: 'ended',
      outcome: complete,
    });
  });

  test('with one that comes with its failure', async () => {
    const cause = ApplicationFailure.create({ message: 'x', type: 'Failed', details: [outcome] });
    expect(await read(failure(cause))).toEqual({ kind: 'ended', outcome });
  });

  test('without any: what it was asked is wrong, or somebody ended it', async () => {
    const wrong = ApplicationFailure.nonRetryable('members: must be a list', 'BadInput');
    expect(await read(failure(wrong))).toEqual({
      kind: 'broken',
      why: 'members: must be a list',
      isBadInput: true,
    });
    expect(await read(failure(new TerminatedFailure('enough')))).toEqual({
      kind: 'broken',
      why: 'enough',
      isBadInput: false,
    });
  });

  test.each([
    ['BadInput', true],
    ['Refused', false],
  ])('what failed inside is told, not where: %s', async (type, isBadInput) => {
    const why = 'look at what going back means for web: is forbidden';
    const inside = ApplicationFailure.nonRetryable(why, type);
    const { NON_RETRYABLE_FAILURE: state } = RetryState;
    const around = new ActivityFailure('Activity task failed', 'x', '1', state, 'worker', inside);
    expect(await read(failure(around))).toEqual({ kind: 'broken', why, isBadInput });
  });

  test("by Temporal's cancel: it is asked where each config stands", async () => {
    const standings = [{ name: 'web', from: 2, to: 1, version: 3, state: 'Complete' as const }];
    const status = { ...outcome, phase: 'Cancelled' as const, standings };
    const cancelled = () => failure(new CancelledFailure('stop'));
    expect(await read(cancelled(), () => Promise.resolve(status))).toEqual({
      kind: 'ended',
      outcome: status,
    });
    // No worker is there to answer.
    expect(await read(cancelled())).toEqual({ kind: 'cancelled' });
  });

  test('what is no end of the run is an error', async () => {
    await expect(read(Promise.reject(new Error('no connection')))).rejects.toThrow('no connection');
  });
});

describe('waiting for the end of a run', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  const never = new Promise<RollbackEnd>(() => undefined);
  const run = (isTaken: boolean, end = never) => ({
    workflowId: 'rollback/local/shop/web',
    end: () => end,
    isTaken: () => Promise.resolve(isTaken),
  });

  test.each([
    [
      false,
      [
        'no worker has taken rollback/local/shop/web yet; is one running? "slipway worker" starts one',
      ],
    ],
    [true, []],
  ])('a worker that takes it up is missed after ten seconds: %s', async (isTaken, expected) => {
    jest.useFakeTimers();
    const said: string[] = [];
    const stop = new AbortController();
    const waiting = awaitRollbackEnd(run(isTaken), (line) => said.push(line), stop.signal);
    await jest.advanceTimersByTimeAsync(9_000);
    expect(said).toEqual([]);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(said).toEqual(expected);
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });

  test('it ends with the run', async () => {
    const end: RollbackEnd = { kind: 'ended', outcome };
    const found = await awaitRollbackEnd(
      run(true, Promise.resolve(end)),
      () => undefined,
      new AbortController().signal,
    );
    expect(found).toBe(end);
  });

  test('or at once, where nobody waits any more', async () => {
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(awaitRollbackEnd(run(true), () => undefined, signal)).rejects.toThrow('too late');
  });
});
