import { createServer, type Server } from 'node:net';

import { describe, expect, test } from '@jest/globals';

import { answers, isFree, pickFreePort } from '../../../src/dev/stack/ports.js';

describe('ports', () => {
  const listen = (port: number): Promise<Server> =>
    new Promise((resolve) => {
      const server = createServer().listen(port, '127.0.0.1', () => {
        resolve(server);
      });
    });

  test('one that is used is seen, and so is that it is free again', async () => {
    const port = await pickFreePort();
    expect(port).toBeGreaterThanOrEqual(20_000);
    expect(port).toBeLessThan(30_000);
    const server = await listen(port);
    expect(await isFree(port)).toBe(false);
    expect(await answers(port)).toBe(true);
    await new Promise((resolve) => server.close(resolve));
    expect(await isFree(port)).toBe(true);
    expect(await answers(port)).toBe(false);
  });
});
