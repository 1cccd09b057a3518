import { expect, test } from '@jest/globals';

import { wasCancelled } from '../../../src/client/rollback/was-cancelled.js';
import type { RollbackStanding } from '../../../src/contracts/rollback.js';

const stopped: RollbackStanding = { name: 'web', from: 2, to: 1, version: 3, state: 'Failed' };
const never: RollbackStanding = { name: 'db', from: 2, to: 1, state: 'Failed' };
const untouched: RollbackStanding = { ...never, state: 'Untouched' };

test('a version that somebody has cancelled makes it a cancel', () => {
  expect(wasCancelled({ standings: [stopped, untouched] }, ['cancelled'])).toBe(true);
  expect(wasCancelled({ standings: [stopped, stopped] }, ['cancelled', 'cancelled'])).toBe(true);
});

test('what was cancelled because another failed, or could not begin, does not', () => {
  expect(wasCancelled({ standings: [stopped, stopped] }, ['cancelled', 'failed'])).toBe(false);
  expect(wasCancelled({ standings: [stopped, never] }, ['cancelled'])).toBe(false);
});
