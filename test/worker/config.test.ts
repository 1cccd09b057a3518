import { describe, expect, test } from '@jest/globals';

import { readWorkerConfig } from '../../src/worker/config.js';

test('nothing given: not a drop-in, no HTTP, level info', () => {
  expect(readWorkerConfig({}, {})).toEqual({ dropIn: false, logLevel: 'info' });
});

test('a flag wins over the environment', () => {
  const environment = { SLIPWAY_LOG_LEVEL: 'warn', SLIPWAY_HTTP_ADDRESS: '0.0.0.0:8080' };
  expect(readWorkerConfig({ logLevel: 'debug' }, environment)).toMatchObject({
    logLevel: 'debug',
    httpAddress: '0.0.0.0:8080',
  });
});

test.each([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
  ['', false],
])('SLIPWAY_DROP_IN=%p means %p', (value, expected) => {
  expect(readWorkerConfig({}, { SLIPWAY_DROP_IN: value }).dropIn).toBe(expected);
});

describe('mistakes are named, a line each', () => {
  test.each([
    [
      { logLevel: 'loud' },
      {},
      '--log-level: must be one of trace, debug, info, warn, error, not "loud"',
    ],
    [{}, { SLIPWAY_LOG_LEVEL: 'loud' }, 'SLIPWAY_LOG_LEVEL: must be one of'],
    [{}, { SLIPWAY_DROP_IN: 'maybe' }, 'SLIPWAY_DROP_IN: must be true or false, not "maybe"'],
    [{ httpAddress: ':' }, {}, '--http-address: must be HOST:PORT, not ":"'],
    [{ clusterName: 'a/b' }, {}, '--cluster-name: may have letters'],
  ])('%j and %j', (flags, environment, sentence) => {
    expect(() => readWorkerConfig(flags, environment)).toThrow(sentence);
  });

  test('all at once', () => {
    const read = () => readWorkerConfig({ logLevel: 'x', httpAddress: 'y' }, {});
    expect(read).toThrow(/--http-address[^\n]*\n--log-level|--log-level[^\n]*\n--http-address/);
  });
});
