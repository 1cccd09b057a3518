import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, expect, test } from '@jest/globals';

import { cachedToolPath } from '../../../src/dev/toolchain/cache-paths.js';
import { argoRolloutsCrds } from '../../../src/dev/toolchain/companions.js';
import { findTool } from '../../../src/dev/toolchain/find-tool.js';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-find-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function writeProgram(path: string, answer: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\necho '${answer}'\n`);
  chmodSync(path, 0o755);
  return path;
}

const environment = (): Record<string, string> => ({
  PATH: `${join(folder, 'empty')}:${join(folder, 'bin')}:/bin:/usr/bin`,
  SLIPWAY_CACHE: join(folder, 'cache'),
});

test('a binary of the pinned version on PATH is used', async () => {
  const path = writeProgram(join(folder, 'bin', 'etcd'), 'etcd Version: 3.6.8');
  expect(await findTool('etcd', environment())).toEqual({ kind: 'found', where: 'path', path });
});

test('one of another version is passed over for the cache', async () => {
  writeProgram(join(folder, 'bin', 'etcd'), 'etcd Version: 3.5.0');
  const path = writeProgram(cachedToolPath(join(folder, 'cache'), 'etcd'), 'etcd Version: 3.6.8');
  expect(await findTool('etcd', environment())).toEqual({ kind: 'found', where: 'cache', path });
});

test('the variable wins over both', async () => {
  writeProgram(join(folder, 'bin', 'etcd'), 'etcd Version: 3.6.8');
  const path = writeProgram(join(folder, 'mine'), 'anything');
  const named = { ...environment(), SLIPWAY_ETCD_BIN: path };
  expect(await findTool('etcd', named)).toEqual({ kind: 'found', where: 'variable', path });
});

test('a folder is not a program', async () => {
  const found = await findTool('etcd', { ...environment(), SLIPWAY_ETCD_BIN: folder });
  expect(found.kind).toBe('invalid');
});

test('a binary without the folders that belong to it is passed over', async () => {
  const whole = join(folder, 'bin', 'argo-rollouts');
  writeProgram(whole, 'v1.10.1+unknown');
  const cached = cachedToolPath(join(folder, 'cache'), 'argo-rollouts');
  writeProgram(cached, 'v1.10.1+unknown');
  expect(await findTool('argo-rollouts', environment())).toEqual({ kind: 'build' });
  mkdirSync(argoRolloutsCrds(cached));
  expect(await findTool('argo-rollouts', environment())).toMatchObject({ where: 'cache' });
  mkdirSync(argoRolloutsCrds(whole));
  expect(await findTool('argo-rollouts', environment())).toMatchObject({ where: 'path' });
});

test('without any it is built', async () => {
  expect(await findTool('etcd', environment())).toEqual({ kind: 'build' });
});
