import { describe, expect, test } from '@jest/globals';

import { ExpiringCache } from '../../../src/worker/http/caller/expiring-cache.js';

describe('answers that hold for a moment', () => {
  const open = (limit = 10) => {
    const clock = { ms: 0 };
    const cache = new ExpiringCache<number>({ forMs: 100, limit }, () => clock.ms);
    let made = 0;
    const make = (): Promise<number> => Promise.resolve((made += 1));
    return { cache, clock, get: (key: string) => cache.get(key, make) };
  };

  test('are given again until their time is over', async () => {
    const { clock, get } = open();
    expect([await get('a'), await get('b'), await get('a')]).toEqual([1, 2, 1]);
    clock.ms = 99;
    expect(await get('a')).toBe(1);
    clock.ms = 100;
    expect(await get('a')).toBe(3);
  });

  test('are made once for those who ask together', async () => {
    const { get } = open();
    expect(await Promise.all([get('a'), get('a')])).toEqual([1, 1]);
  });

  test('are not kept where there is no answer', async () => {
    const { cache, get } = open();
    await expect(cache.get('a', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    expect(cache.size).toBe(0);
    expect(await get('a')).toBe(1);
  });

  test('are no more than their limit, the oldest goes first', async () => {
    const { cache, get } = open(2);
    for (const key of ['a', 'b', 'c']) await get(key);
    expect(cache.size).toBe(2);
    expect([await get('c'), await get('b'), await get('a')]).toEqual([3, 2, 4]);
    expect(cache.size).toBe(2);
  });

  test('that are over make room for all', async () => {
    const { cache, clock, get } = open();
    for (const key of ['a', 'b', 'c']) await get(key);
    clock.ms = 100;
    await get('d');
    expect(cache.size).toBe(1);
  });
});
