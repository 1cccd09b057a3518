import { expect, test } from '@jest/globals';

import { gatherMs } from '../../../src/domain/deployment-config/gather-causes.js';

const source = { namespace: 'shop', repository: 'web', tag: 'latest' };
const follows = (automatic: boolean) => ({
  onConfigChange: true,
  images: [{ source, automatic, containerNames: ['web'] }],
});

test('a config that follows images waits for what comes together', () => {
  const input = { latestVersion: 1, triggers: follows(true), isAsked: false };
  expect(gatherMs(input)).toBeGreaterThan(500);
  expect(gatherMs({ ...input, latestVersion: 0 })).toBe(0);
  expect(gatherMs({ ...input, isAsked: true })).toBe(0);
  expect(gatherMs({ ...input, triggers: follows(false) })).toBe(0);
});
