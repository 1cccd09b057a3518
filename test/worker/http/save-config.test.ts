import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { expect, test } from '@jest/globals';

import { waitAtMost } from '../../../src/worker/http/deployment-configs/save-config.js';

test('a wait ends in time, though memory is tidied up meanwhile', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const asked = new AbortController();
  const end = await waitAtMost(300, asked.signal, async (within) => {
    const isLate = once(within, 'abort').then(() => 'in time');
    for (let count = 0; count < 5; count += 1) {
      await delay(20);
      collect();
    }
    return Promise.race([isLate, delay(3_000, 'never', { ref: false })]);
  });
  expect(end).toBe('in time');
});
