import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, test } from '@jest/globals';

import { packageRoot } from '../../src/dev/package-root.js';
import { isSameProcess } from '../../src/dev/process-identity.js';
import { layoutOf } from '../../src/dev/stack/layout.js';
import { partNames, type PartName } from '../../src/dev/stack/parts.js';
import { answers } from '../../src/dev/stack/ports.js';
import { readState, type PartRecord } from '../../src/dev/stack/state.js';
import type { StackStatus } from '../../src/dev/stack/status.js';
import { waitUntil } from '../../src/dev/stack/wait-until.js';
import { isNotFound } from '../../src/kubernetes/api-error.js';
import { connectCluster } from '../../src/kubernetes/connect.js';
import type { Pod } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';

/** A whole stack of its own, beside the one that the other tests share. */
const layout = layoutOf(join(mkdtempSync(join(tmpdir(), 'slipway-stack-')), 'state'));
const startWithinMs = 180_000;
/** A real node needs root, and is there only when asked for. */
const usualParts = partNames.filter((name) => name !== 'real-node');

interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Running {
  readonly finished: Promise<Finished>;
  interrupt(): void;
}

/** The command line as it is built, as a user would call it. */
function slipwayDev(...words: readonly string[]): Running {
  const program = join(packageRoot, 'dist', 'client', 'main.js');
  const child = spawn(process.execPath, [program, 'dev', ...words], {
    env: { ...process.env, SLIPWAY_STATE_DIR: layout.folder, NODE_OPTIONS: '' },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return {
    finished: new Promise((resolve) => {
      child.once('close', (code) => {
        resolve({ code, stdout, stderr });
      });
    }),
    interrupt: () => child.kill('SIGINT'),
  };
}

const up = (): Running => slipwayDev('up', '--fast-etcd', '--nodes', '3');
const runningParts = (): Partial<Record<PartName, PartRecord>> => readState(layout).parts;
const allPorts = (): readonly number[] =>
  Object.values(readState(layout).ports).flatMap((ports) => Object.values(ports));

async function readStatus(): Promise<{ code: number | null; status: StackStatus }> {
  const { code, stdout } = await slipwayDev('status', '-o', 'json').finished;
  return { code, status: JSON.parse(stdout) as StackStatus };
}

/** Every process that was ever written down here, so that none is forgotten. */
const seen = new Map<number, PartRecord>();

function remember(): Partial<Record<PartName, PartRecord>> {
  const parts = runningParts();
  for (const record of Object.values(parts)) seen.set(record.pid, record);
  return parts;
}

async function expectNothingLeft(): Promise<void> {
  const left = [...seen.values()].filter(({ pid, identity }) => isSameProcess(pid, identity));
  expect(left).toEqual([]);
  for (const port of allPorts()) expect([port, await answers(port)]).toEqual([port, false]);
}

afterAll(async () => {
  await slipwayDev('down', '--delete-data').finished;
  rmSync(join(layout.folder, '..'), { recursive: true, force: true });
}, startWithinMs);

describe('a stack of its own', () => {
  test(
    'Ctrl-C while it starts leaves nothing behind',
    async () => {
      const start = up();
      await waitUntil(
        () => Promise.resolve(remember()['kube-apiserver'] === undefined ? undefined : true),
        { withinMs: 60_000 },
      );
      start.interrupt();
      const { code, stderr } = await start.finished;
      expect(code).toBe(130);
      expect(stderr).toContain('interrupted: what was started is stopped again');
      expect(seen.size).toBeGreaterThanOrEqual(2);
      expect(runningParts()).toEqual({});
      await expectNothingLeft();
    },
    startWithinMs,
  );

  test(
    'up starts everything and says where it is',
    async () => {
      const { code, stdout, stderr } = await up().finished;
      remember();
      expect([code, stderr]).toEqual([0, expect.stringContaining('✓ worker')]);
      const { code: statusCode, status } = await readStatus();
      expect(statusCode).toBe(0);
      expect(status).toMatchObject({
        state: 'up',
        temporal: {
          address: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
          ui: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
        },
        clusters: [{ name: 'local', kubeconfig: layout.kubeconfig }],
        federation: null,
        worker: { running: true, http: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) },
      });
      const { temporal, worker } = status;
      for (const address of [temporal!.address, temporal!.ui!, worker.http!, layout.kubeconfig]) {
        expect(stdout).toContain(address);
      }
      expect(status.parts.map(({ name }) => name).sort()).toEqual([...usualParts].sort());
    },
    startWithinMs,
  );

  test('only its owner can read what it keeps', () => {
    expect(openToOthers(layout.folder)).toEqual([]);
    expect(readFileSync(join(layout.folder, '.gitignore'), 'utf8')).toBe('*\n');
  });

  test('a stranger gets no answer from the apiserver', async () => {
    const { 'kube-apiserver': ports } = readState(layout).ports;
    const url = `https://127.0.0.1:${ports!['https']!}/api`;
    const ca = readFileSync(join(layout.pki, 'ca.crt'));
    const code = await new Promise((resolve, reject) => {
      get(url, { ca, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).on('error', reject);
    });
    expect(code).toBe(401);
  });

  test(
    'up when it is up says so and touches nothing',
    async () => {
      const before = runningParts();
      const { code, stdout } = await up().finished;
      expect(code).toBe(0);
      expect(stdout).toContain('Slipway is already up.');
      expect(stdout).toContain(layout.kubeconfig);
      expect(runningParts()).toEqual(before);
    },
    startWithinMs,
  );

  test(
    'a part that crashed is seen, and up starts it and nothing else',
    async () => {
      const before = runningParts();
      for (const name of ['kwok', 'worker'] as const) process.kill(before[name]!.pid, 'SIGKILL');
      await waitUntil(
        () => {
          const { pid, identity } = before.worker!;
          return Promise.resolve(isSameProcess(pid, identity) ? undefined : true);
        },
        { withinMs: 10_000 },
      );
      const { code, status } = await readStatus();
      expect(code).toBe(1);
      expect(status.state).toBe('degraded');
      expect(status.worker.running).toBe(false);
      expect(status.parts.filter(({ running }) => !running).map(({ name }) => name)).toEqual([
        'kwok',
        'worker',
      ]);
      const words = await slipwayDev('status').finished;
      expect(words.code).toBe(1);
      expect(words.stdout).toMatch(/kwok +DOWN: it is not running; its log is \S+kwok\.log/);

      const healed = await up().finished;
      const after = remember();
      expect([healed.code, healed.stderr]).toEqual([
        0,
        expect.stringContaining('kwok is down: it is started again'),
      ]);
      const changed = usualParts.filter((name) => before[name]!.pid !== after[name]!.pid);
      expect(changed).toEqual(['kwok', 'worker']);
      expect((await readStatus()).status.state).toBe('up');
    },
    startWithinMs,
  );

  test('pods run on it, and go', async () => {
    const { client } = connectCluster({ kubeconfig: layout.kubeconfig });
    try {
      await client.create(resources.pods, {
        metadata: { name: 'one', namespace: 'default' },
        spec: { containers: [{ name: 'a', image: 'anything:1' }] },
      });
      const read = (): Promise<Pod> => client.get<Pod>(resources.pods, 'default', 'one');
      await waitUntil(async () => ((await read()).status?.phase === 'Running' ? true : undefined), {
        withinMs: 30_000,
      });
      await client.delete(resources.pods, 'default', 'one');
      await waitUntil(
        () =>
          read().then(
            () => undefined,
            (error: unknown) => isNotFound(error) || undefined,
          ),
        { withinMs: 30_000 },
      );
    } finally {
      await client.close();
    }
  }, 90_000);

  test(
    'down leaves no process and no port, and keeps the data',
    async () => {
      const { code, stdout } = await slipwayDev('down').finished;
      expect([code, stdout]).toEqual([0, 'Slipway is down.\n']);
      await expectNothingLeft();
      const { code: statusCode, status } = await readStatus();
      expect([statusCode, status.state, status.clusters]).toEqual([1, 'down', []]);
      expect(readdirSync(layout.folder)).toEqual(expect.arrayContaining(['etcd', 'temporal.db']));
      expect((await slipwayDev('down').finished).stdout).toBe('Slipway was not up.\n');
    },
    startWithinMs,
  );
});

function openToOthers(folder: string): readonly string[] {
  const paths = [
    folder,
    ...readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name))),
  ];
  return paths.filter((path) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats !== undefined && (stats.mode & 0o077) !== 0;
  });
}
