import { expect, test } from '@jest/globals';

import { parseChallenges } from '../../src/registry/parse-challenges.js';

const read = (header: string): unknown =>
  parseChallenges(header).map(({ scheme, parameters }) => [scheme, Object.fromEntries(parameters)]);

const bearer = {
  realm: 'https://auth.example/token',
  service: 'reg',
  scope: 'repository:a:pull,push',
};
const written = 'realm="https://auth.example/token",service="reg",scope="repository:a:pull,push"';

test.each([
  [`Bearer ${written}`, [['bearer', bearer]]],
  [`bearer  ${written.replaceAll(',s', ' , s')}`, [['bearer', bearer]]],
  ['Bearer Realm="x", SERVICE=y', [['bearer', { realm: 'x', service: 'y' }]]],
  ['Bearer realm = "x"', [['bearer', { realm: 'x' }]]],
  ['Basic realm="a \\"quoted\\" word"', [['basic', { realm: 'a "quoted" word' }]]],
  ['Basic', [['basic', {}]]],
  [
    `Negotiate, Basic realm="x", Bearer ${written}`,
    [
      ['negotiate', {}],
      ['basic', { realm: 'x' }],
      ['bearer', bearer],
    ],
  ],
  [
    `Bearer ${written}, Basic realm="x"`,
    [
      ['bearer', bearer],
      ['basic', { realm: 'x' }],
    ],
  ],
  ['', []],
  [', ,', []],
  ['realm="x"', []],
  [
    'Bearer realm="never ends',
    [
      ['bearer', { realm: '' }],
      ['never', {}],
      ['ends', {}],
    ],
  ],
  ['Bearer realm="", service=""', [['bearer', { realm: '', service: '' }]]],
])('%s', (header, expected) => {
  expect(read(header)).toEqual(expected);
});

test('a long header takes no time', () => {
  const startMs = Date.now();
  parseChallenges(`Bearer ${'a="\\'.repeat(5_000)}`);
  parseChallenges('"'.repeat(16_000));
  expect(Date.now() - startMs).toBeLessThan(1_000);
});
