import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from '@jest/globals';

import { findLocalStack } from '../../src/client/local-stack.js';

let folder = '';
const before = process.env['SLIPWAY_STATE_DIR'];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-state-'));
  process.env['SLIPWAY_STATE_DIR'] = folder;
});

afterEach(async () => {
  if (before === undefined) delete process.env['SLIPWAY_STATE_DIR'];
  else process.env['SLIPWAY_STATE_DIR'] = before;
  await rm(folder, { recursive: true });
});

const settings = { dropIn: true, nodes: 1, worker: true, unsafeNoFsync: false };
const write = (state: object): Promise<void> =>
  writeFile(join(folder, 'state.json'), JSON.stringify({ version: 1, parts: {}, ...state }));

test('without a state there is no stack, and none once it is down', async () => {
  expect(findLocalStack()).toBeUndefined();
  await write({ ports: { temporal: { grpc: 7233 } } });
  expect(findLocalStack()).toBeUndefined();
});

test('a stack that is up is found with its cluster and its Temporal', async () => {
  await write({ settings, ports: { temporal: { grpc: 21_000 } } });
  expect(findLocalStack()).toEqual({
    folder,
    kubeconfig: join(folder, 'kubeconfig'),
    context: undefined,
    temporalAddress: '127.0.0.1:21000',
  });
});

test('what the user brought to the stack is used as it was given', async () => {
  const own = { kubeconfig: '/own', context: 'mine', temporalAddress: 'temporal:7233' };
  await write({ settings: { ...settings, ...own }, ports: {} });
  expect(findLocalStack()).toEqual({ folder, ...own });
});
