import { expect, test } from '@jest/globals';

import { cachedToolPath, cacheFolder } from '../../../src/dev/toolchain/cache-paths.js';

test.each([
  [{ SLIPWAY_CACHE: '/a', XDG_CACHE_HOME: '/b', HOME: '/c' }, '/a'],
  [{ XDG_CACHE_HOME: '/b', HOME: '/c' }, '/b/slipway'],
  [{ SLIPWAY_CACHE: '', XDG_CACHE_HOME: '', HOME: '/c' }, '/c/.cache/slipway'],
])('with %j the cache is %s', (environment, folder) => {
  expect(cacheFolder(environment)).toBe(folder);
});

test('versions and platforms have paths of their own', () => {
  expect(cachedToolPath('/cache', 'kwok', 'darwin', 'arm64')).toBe(
    '/cache/tools/kwok/0.8.0/darwin-arm64/kwok',
  );
});
