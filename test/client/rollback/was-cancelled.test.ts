import { expect, test } from '@jest/globals';

import { wasCancelled } from '../../../src/client/rollback/was-cancelled.js';
import type { RollbackOutcome, RollbackStanding } from '../../../src/contracts/rollback.js';

const failed: RollbackStanding = { name: 'web', from: 2, to: 1, version: 3, state: 'Failed' };
const stopped: RollbackStanding = { ...failed, isCancelled: true };
const never: RollbackStanding = { name: 'db', from: 2, to: 1, state: 'Failed' };
const untouched: RollbackStanding = { ...never, state: 'Untouched' };

const judge = (...standings: RollbackStanding[]): boolean =>
  wasCancelled({ phase: 'Failed', standings });

test('a version that somebody has cancelled makes it a cancel', () => {
  expect(judge(stopped, untouched)).toBe(true);
  expect(judge(stopped, stopped)).toBe(true);
});

test('what was cancelled because another failed, or could not begin, does not', () => {
  expect(judge(stopped, failed)).toBe(false);
  expect(judge(stopped, never)).toBe(false);
  expect(judge(failed, untouched)).toBe(false);
});

test.each<[RollbackOutcome['phase'], boolean]>([
  ['Cancelled', true],
  ['Failed', false],
])('a run that is %s by itself, with nothing touched: %s', (phase, expected) => {
  expect(wasCancelled({ phase, standings: [untouched] })).toBe(expected);
});
