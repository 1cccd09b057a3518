import { expect, test } from '@jest/globals';

import { CheckQueue } from '../../../src/worker/watch/images/check-queue.js';

/** A queue whose checks end when the test says so. */
function setUp(limits = { total: 4, perHost: 2, reserve: 1 }) {
  const started: string[] = [];
  const ends = new Map<string, (hasAnswered: boolean | undefined) => void>();
  const queue = new CheckQueue((id) => {
    started.push(id);
    return new Promise((resolve) => ends.set(id, resolve));
  }, limits);
  return {
    started,
    queue,
    add: (host: string, ...ids: string[]) => {
      for (const id of ids) queue.add({ id, host, isUrgent: false });
    },
    hurry: (host: string, id: string) => {
      queue.add({ id, host, isUrgent: true });
    },
    end: async (id: string, hasAnswered: boolean | 'not asked' = true) => {
      ends.get(id)?.(hasAnswered === 'not asked' ? undefined : hasAnswered);
      await new Promise(setImmediate);
    },
  };
}

test('so many run at a time for one registry, and others beside it', async () => {
  const { started, add, end } = setUp();
  add('slow', 's1', 's2', 's3');
  add('quick', 'q1');
  expect(started).toEqual(['s1', 's2', 'q1']);
  await end('s1');
  expect(started).toEqual(['s1', 's2', 'q1', 's3']);
});

test('so many run at a time in all', async () => {
  const { started, add, end } = setUp();
  for (const host of ['a', 'b', 'c', 'd', 'e']) add(host, host);
  expect(started).toEqual(['a', 'b', 'c', 'd']);
  await end('b');
  expect(started).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('an urgent one goes before all others, and has a place in reserve', async () => {
  const { started, add, hurry, end } = setUp({ total: 2, perHost: 2, reserve: 1 });
  add('a', 'a1', 'a2', 'a3');
  hurry('a', 'a4');
  expect(started).toEqual(['a1', 'a2', 'a4']);
  hurry('a', 'a5');
  await end('a1');
  expect(started).toEqual(['a1', 'a2', 'a4', 'a5']);
});

test('what waits can become urgent, is run once, and stays urgent', () => {
  const { started, add, hurry } = setUp({ total: 1, perHost: 1, reserve: 1 });
  add('a', 'a1', 'a2', 'a3');
  hurry('b', 'b1');
  hurry('a', 'a3');
  add('a', 'a3');
  expect(started).toEqual(['a1', 'b1']);
});

test('a registry that does not answer keeps one place until it does', async () => {
  const { started, add, end } = setUp();
  add('away', 'x1', 'x2', 'x3', 'x4', 'x5', 'x6');
  await end('x1', false);
  await end('x2', false);
  expect(started).toEqual(['x1', 'x2', 'x3']);
  await end('x3', 'not asked');
  expect(started).toEqual(['x1', 'x2', 'x3', 'x4']);
  await end('x4', true);
  expect(started).toEqual(['x1', 'x2', 'x3', 'x4', 'x5', 'x6']);
});

test('what is taken out does not run', async () => {
  const { started, queue, add, end } = setUp({ total: 1, perHost: 1, reserve: 0 });
  add('a', 'a1', 'a2', 'a3');
  queue.remove('a2');
  await end('a1');
  queue.clear();
  await end('a3');
  expect(started).toEqual(['a1', 'a3']);
});
