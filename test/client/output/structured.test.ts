import { expect, test } from '@jest/globals';
import { parse } from 'yaml';

import {
  formatDocument,
  formatStreamed,
  formatYaml,
} from '../../../src/client/output/structured.js';

const value = { name: 'web', on: 'off', list: [1, 2] };

test('JSON is indented as a document and one line in a stream', () => {
  expect(JSON.parse(formatDocument(value, 'json'))).toEqual(value);
  expect(formatDocument(value, 'json').split('\n').length).toBeGreaterThan(2);
  expect(formatStreamed(value, 'json')).toBe(`${JSON.stringify(value)}\n`);
});

test('YAML documents in a stream are separated', () => {
  const stream = formatStreamed(value, 'yaml') + formatStreamed(value, 'yaml');
  expect(stream.match(/^---$/gm)).toHaveLength(2);
});

test('YAML means the same to a reader of YAML 1.1, such as kubectl', () => {
  expect(parse(formatYaml(value), { version: '1.1' })).toEqual(value);
  const twice = { a: value, b: value };
  expect(formatYaml(twice)).not.toContain('&');
});
