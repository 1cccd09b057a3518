import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';

import { hookRecheckMs, type HookTurn } from '../../src/domain/shared/hook.js';
import { HookStarter } from '../../src/workflows/hook/hook-starter.js';

const ref = {
  cluster: 'local',
  namespace: 'shop',
  name: 'web',
  version: 1,
  moment: 'pre',
} as const;
const turn: HookTurn = { moment: 'pre', owner: 'first', round: 0, hasBegun: false };
const nowMs = 1_000;
const later = { untilMs: nowMs + 300_000 };
const soon = { untilMs: nowMs + hookRecheckMs };

let started: number;

beforeEach(() => {
  started = 0;
  jest.useFakeTimers({ now: nowMs });
});

afterEach(() => {
  jest.useRealTimers();
});

/** Whose runs are there already, or not. */
const starter = (isThere: boolean): HookStarter =>
  new HookStarter(() => {
    started += 1;
    return Promise.resolve(!isThere);
  });

test('a hook is started once for each turn, and again for what was made anew under its name', async () => {
  const hooks = starter(false);
  await hooks.start(turn, ref);
  await hooks.start({ ...turn, hasBegun: true }, ref);
  expect(started).toBe(1);
  await hooks.start({ ...turn, owner: 'second' }, ref);
  expect(started).toBe(2);
  expect(hooks.started?.owner).toBe('second');
});

test('a hook that was started is looked for as planned, and again when nothing is heard of it', async () => {
  const hooks = starter(false);
  await hooks.start(turn, ref);
  expect(hooks.limit(later)).toEqual(later);
  hooks.forget();
  await hooks.start(turn, ref);
  expect(started).toBe(2);
});

test('a run that was there already is looked for again soon, until it tells of that turn', async () => {
  const hooks = starter(true);
  await hooks.start(turn, ref);
  expect(hooks.limit(later)).toEqual(soon);
  expect(hooks.limit({})).toEqual(soon);
  expect(hooks.limit({ untilMs: nowMs + 1 })).toEqual({ untilMs: nowMs + 1 });
  await hooks.start(turn, ref);
  expect(hooks.limit(later)).toEqual(soon);
  await hooks.start({ ...turn, hasBegun: true }, ref);
  expect(hooks.limit(later)).toEqual(later);
  expect(started).toBe(1);
});

test('a run that tells of its turn already is not looked for sooner', async () => {
  const hooks = starter(true);
  await hooks.start({ ...turn, hasBegun: true }, ref);
  expect(hooks.limit(later)).toEqual(later);
});

test('the next turn forgets what the one before it was unsure of', async () => {
  let isThere = true;
  const hooks = new HookStarter(() => Promise.resolve(!isThere));
  await hooks.start(turn, ref);
  isThere = false;
  await hooks.start({ ...turn, moment: 'post' }, ref);
  expect(hooks.limit(later)).toEqual(later);
});
