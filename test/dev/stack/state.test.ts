import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { processIdentity } from '../../../src/dev/process-identity.js';
import { decidePart } from '../../../src/dev/stack/decide-part.js';
import { describeStatus } from '../../../src/dev/stack/describe.js';
import { layoutOf, type Layout } from '../../../src/dev/stack/layout.js';
import { emptyState, readState, writeState } from '../../../src/dev/stack/state.js';
import { readStatus } from '../../../src/dev/stack/status.js';

let layout: Layout;

beforeEach(() => {
  layout = layoutOf(mkdtempSync(join(tmpdir(), 'slipway-state-')));
});
afterEach(() => {
  rmSync(layout.folder, { recursive: true });
});

const settings = { dropIn: true, nodes: 10, worker: true, unsafeNoFsync: false };
const alive = (): { pid: number; identity: string; fingerprint: string } => ({
  pid: process.pid,
  identity: processIdentity(process.pid)!,
  fingerprint: 'f',
});

describe('the state file', () => {
  test('is empty where there is none, and reads back what was written, for its owner only', () => {
    expect(readState(layout)).toEqual(emptyState());
    const state = { ...emptyState(), settings, parts: { etcd: alive() } };
    writeState(layout, state);
    expect(readState(layout)).toEqual(state);
    expect(statSync(layout.state).mode & 0o777).toBe(0o600);
  });

  test.each(['{"version":2}', 'nonsense'])('%s is refused in one sentence', (text) => {
    writeFileSync(layout.state, text);
    expect(() => readState(layout)).toThrow(/is not a state that this version of Slipway wrote/);
  });
});

describe('the status', () => {
  test('of nothing is down', async () => {
    const status = await readStatus(layout.folder);
    expect(status).toMatchObject({
      state: 'down',
      temporal: null,
      clusters: [],
      federation: null,
      worker: { running: false, http: null },
    });
    expect(describeStatus(status)).toEqual(['Slipway is not up. "slipway dev up" starts it.']);
  });

  test('tells a part that has ended, and one whose pid is now another process', async () => {
    writeState(layout, {
      ...emptyState(),
      settings: { ...settings, kubeconfig: '/mine', context: 'prod', clusterName: 'big' },
      ports: { temporal: { grpc: 1, ui: 2 } },
      parts: { temporal: { ...alive(), identity: 'another' }, worker: alive() },
    });
    const status = await readStatus(layout.folder);
    expect(status).toMatchObject({
      state: 'degraded',
      temporal: { address: '127.0.0.1:1', ui: 'http://127.0.0.1:2' },
      clusters: [{ name: 'big', kubeconfig: '/mine', context: 'prod' }],
      worker: { running: true },
    });
    expect(status.parts.map(({ name, running }) => [name, running])).toEqual([
      ['temporal', false],
      ['worker', true],
    ]);
    expect(describeStatus(status).join('\n')).toMatch(
      /temporal {2}DOWN: it is not running; its log is .*temporal\.log/,
    );
  });

  test('tells a part that runs and does not answer', async () => {
    writeState(layout, {
      ...emptyState(),
      settings: { ...settings, kubeconfig: '/mine', worker: false },
      // Nobody can listen on this port.
      ports: { temporal: { grpc: 0 } },
      parts: { temporal: alive() },
    });
    const status = await readStatus(layout.folder);
    expect(status.state).toBe('degraded');
    expect(status.parts[0]!.problem).toBe('its port 0 (grpc) does not answer');
  });

  test('says where the HTTP API is, unless there is to be no worker', async () => {
    const write = (worker: boolean): void => {
      const own = { ...settings, kubeconfig: '/mine', temporalAddress: 'a:1', worker };
      writeState(layout, { ...emptyState(), settings: own, ports: { worker: { http: 9 } } });
    };
    write(true);
    const status = await readStatus(layout.folder);
    expect(status.worker).toEqual({ running: false, http: 'http://127.0.0.1:9' });
    expect(describeStatus(status).join('\n')).toMatch(/HTTP API +http:\/\/127\.0\.0\.1:9/);
    write(false);
    expect((await readStatus(layout.folder)).worker.http).toBeNull();
  });
});

test.each([
  [undefined, 'start'],
  [{ fingerprint: 'same' }, 'keep'],
  [{ fingerprint: 'other' }, 'replace'],
])('a part that runs as %j: %s', (running, kind) => {
  expect(decidePart(running, 'same').kind).toBe(kind);
});
