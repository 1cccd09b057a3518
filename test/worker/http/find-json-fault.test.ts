import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { findJsonFault } from '../../../src/worker/http/find-json-fault.js';

describe('where a text stops being JSON', () => {
  test.each([
    ['', 'its end, where more is expected'],
    ['{"a": ', 'its end, where more is expected'],
    ['[1, 2', 'its end, where more is expected'],
    ['{"a": 1,}', 'line 1, column 9'],
    ['[1,]', 'line 1, column 4'],
    ['{a: 1}', 'line 1, column 2'],
    ['{\n  "a": 1\n  "b": 2\n}', 'line 3, column 3'],
    ['{"a" 1}', 'line 1, column 6'],
    ['[1] 2', 'line 1, column 5'],
    ['[01]', 'line 1, column 3'],
    ['"a\nb"', 'line 1, column 1'],
    ['"\\x"', 'line 1, column 1'],
    ['[1}', 'line 1, column 3'],
    ['kind: DeploymentConfig', 'line 1, column 1'],
  ])('%j: %s', (text, where) => {
    expect(() => {
      JSON.parse(text);
    }).toThrow();
    expect(findJsonFault(text)).toBe(where);
  });

  test('is nowhere in JSON, and somewhere in all else', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.constantFrom('', '}', ']', ',', '"', '1', 'x'), check),
      { numRuns: 2_000 },
    );
    function check(json: string, position: number, inserted: string): void {
      const at = position % (json.length + 1);
      const text = json.slice(0, at) + inserted + json.slice(at);
      expect(findJsonFault(text) === undefined).toBe(isJson(text));
    }
  });

  test('is found in a text of some megabytes', () => {
    const long = JSON.stringify('ä"'.repeat(1_000_000));
    expect(findJsonFault(`[${long}, ${long}]`)).toBeUndefined();
    expect(findJsonFault(`[${long}\n ${long}]`)).toBe('line 2, column 2');
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
