import { describe, expect, test } from '@jest/globals';
import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  RetryState,
  TimeoutFailure,
} from '@temporalio/common';

import type { AdvanceRequest } from '../../src/contracts/advance.js';
import { advanceHereOrThere, writeHereOrThere } from '../../src/workflows/reach.js';

const request = { until: 'work' } as const;

type Request = Omit<AdvanceRequest<unknown, { readonly actions: readonly string[] }>, 'ref'>;

const wrap = (cause: Error, state: RetryState = RetryState.MAXIMUM_ATTEMPTS_REACHED) =>
  new ActivityFailure('Activity task failed', 'advanceHook', '1', state, 'worker', cause);

const unreachable = ApplicationFailure.retryable('the cluster can not be reached');
const refused = ApplicationFailure.nonRetryable('spec: is wrong');
const cancelled = new CancelledFailure('cancelled');

/** Which one was asked, and for what. */
async function advance(
  here: () => Promise<{ kind: 'unchanged' | 'gone' | 'elsewhere'; versions?: never }>,
): Promise<readonly string[]> {
  const asked: string[] = [];
  await advanceHereOrThere(
    request as Request,
    () => {
      asked.push('here');
      return here();
    },
    () => {
      asked.push('there');
      return Promise.resolve({ kind: 'gone' });
    },
  );
  return asked;
}

describe('what is to be brought forward', () => {
  test('is given to the watcher only where that is of use', async () => {
    expect(await advance(() => Promise.resolve({ kind: 'gone' }))).toEqual(['here']);
    expect(await advance(() => Promise.resolve({ kind: 'elsewhere' }))).toEqual(['here', 'there']);
    expect(await advance(() => Promise.resolve({ kind: 'unchanged' }))).toEqual(['here', 'there']);
  });

  test.each([
    ['a failure that may pass, as a local activity tells it', unreachable],
    ['a failure that may pass, as others tell it', wrap(unreachable)],
    [
      'a local activity that takes too long',
      new TimeoutFailure('too long', undefined, 'START_TO_CLOSE'),
    ],
    ['another that does', wrap(new TimeoutFailure('too long', undefined, 'START_TO_CLOSE'))],
  ])('after %s, it is given to the watcher', async (_what, error) => {
    expect(await advance(() => Promise.reject(error))).toEqual(['here', 'there']);
  });

  test.each([
    ['what will not pass', refused],
    ['what will not pass, as others tell it', wrap(refused)],
    ['that it was cancelled', cancelled],
    ['that it was cancelled, as others tell it', wrap(cancelled)],
    ['a failure after that', wrap(unreachable, RetryState.CANCEL_REQUESTED)],
    ['what nobody has thought of', new Error('a mistake')],
  ])('%s is told', async (_what, error) => {
    await expect(advance(() => Promise.reject(error))).rejects.toBe(error);
  });
});

test('a write that fails here in a way that may pass is made elsewhere', async () => {
  const done = { kind: 'done' } as const;
  const there = writeHereOrThere<typeof done>(
    () => Promise.reject(unreachable),
    () => Promise.resolve(done),
  );
  expect(await there).toEqual(done);
});
