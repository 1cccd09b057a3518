import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from '@jest/globals';

import { findStateFolder } from '../../../src/dev/stack/layout.js';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-layout-'));
  mkdirSync(join(folder, 'clone', 'src', 'deep'), { recursive: true });
  writeFileSync(join(folder, 'clone', 'package.json'), '{}');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

test('the state of a clone is the same from everywhere in it', () => {
  const expected = join(folder, 'clone', '.slipway');
  expect(findStateFolder(undefined, join(folder, 'clone'))).toBe(expected);
  expect(findStateFolder(undefined, join(folder, 'clone', 'src', 'deep'))).toBe(expected);
});

test('a folder that is asked for is taken from the current one', () => {
  expect(findStateFolder('../other', join(folder, 'clone'))).toBe(join(folder, 'other'));
  expect(findStateFolder('', join(folder, 'clone'))).toBe(join(folder, 'clone', '.slipway'));
});
