import { execFile, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import type { Progress } from '../../src/client/terminal/progress.js';
import { processIdentity } from '../../src/dev/process-identity.js';
import { waitUntil } from '../../src/dev/stack/wait-until.js';
import { buildLockPath, cachedToolPath } from '../../src/dev/toolchain/cache-paths.js';
import { argoRolloutsCrds } from '../../src/dev/toolchain/companions.js';
import { ensureToolchain } from '../../src/dev/toolchain/ensure-toolchain.js';

const run = promisify(execFile);

let folder = '';
let notes: string[] = [];

const progress: Progress = {
  step: (title, work) => {
    notes.push(title);
    return work(() => undefined);
  },
  note: (line) => notes.push(line),
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-toolchain-'));
  mkdirSync(join(folder, 'bin'));
  notes = [];
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const cache = (): string => join(folder, 'cache');

/** Nothing of the developer's machine but a shell's own programs. */
const environment = (): Record<string, string> => ({
  PATH: `${join(folder, 'bin')}:/usr/bin:/bin`,
  HOME: folder,
  SLIPWAY_CACHE: cache(),
  CALLS: join(folder, 'calls'),
});

/** A go that answers `go env` and leaves the rest to a script; each call of it is written down. */
function writeGo(script: string, version = 'go1.26.8'): void {
  const path = join(folder, 'bin', 'go');
  writeFileSync(
    path,
    `#!/bin/sh
if [ "$1" = env ]; then
  echo '{"GOVERSION": "${version}", "GOTOOLCHAIN": "local", "GOCACHE": "${folder}/go-build"}'
  exit 0
fi
echo "$*" >> "$CALLS"
${script}
`,
  );
  chmodSync(path, 0o755);
}

/** What a successful `go install` of kwok leaves behind. */
const leaveKwok = 'printf "#!/bin/sh\\n" > "$GOBIN/kwok"; chmod +x "$GOBIN/kwok"';

const ensureKwok = (): Promise<Readonly<Record<'kwok', string>>> =>
  ensureToolchain({ tools: ['kwok'], progress, environment: environment() });

const calls = (): readonly string[] => {
  const path = join(folder, 'calls');
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
};

describe('a build', () => {
  test('is done once, and found in the cache from then on', async () => {
    writeGo(leaveKwok);
    const expected = { kwok: cachedToolPath(cache(), 'kwok') };
    expect(await ensureKwok()).toEqual(expected);
    expect(await ensureKwok()).toEqual(expected);
    expect(calls()).toEqual([
      'install -v -trimpath -ldflags=-s -w sigs.k8s.io/kwok/cmd/kwok@v0.8.0',
    ]);
    expect(notes).toEqual([
      `building a tool into ${cache()}: this takes some minutes, once`,
      'kwok 0.8.0, build 1 of 1',
    ]);
    expect(readdirSync(cache()).sort()).toEqual(['logs', 'tools']);
  });

  test('that two ask for at once is done by one, and the other says that it waits', async () => {
    const gate = join(folder, 'gate');
    writeGo(`while [ ! -e '${gate}' ]; do sleep 0.05; done; ${leaveKwok}`);
    const both = Promise.all([ensureKwok(), ensureKwok()]);
    const waiting = await waitUntil(
      () => Promise.resolve(notes.find((note) => note.includes('waiting for it'))),
      { withinMs: 10_000 },
    );
    expect(waiting).toBe(
      `another slipway (process ${process.pid}) is building the tools: waiting for it`,
    );
    writeFileSync(gate, '');
    const [first, second] = await both;
    expect(first).toEqual(second);
    expect(calls()).toHaveLength(1);
  });

  test('that was killed half-way blocks nobody', async () => {
    writeGo(leaveKwok);
    const dead = spawn('true');
    await new Promise((resolve) => dead.once('exit', resolve));
    mkdirSync(join(cache(), 'scratch', 'kwok'), { recursive: true });
    writeFileSync(join(cache(), 'scratch', 'kwok', 'kwok'), 'half a binary');
    writeFileSync(buildLockPath(cache()), JSON.stringify({ pid: dead.pid, identity: 'ended' }));
    const { kwok } = await ensureKwok();
    expect(readFileSync(kwok, 'utf8')).toBe('#!/bin/sh\n');
  });

  test('that is called off ends go and what go has started', async () => {
    const pidFile = join(folder, 'pid');
    writeGo(`sleep 600 & echo $! > '${pidFile}'; wait`);
    const controller = new AbortController();
    const build = ensureToolchain({
      tools: ['kwok'],
      progress,
      environment: environment(),
      signal: controller.signal,
    });
    const readPid = (): string | undefined =>
      existsSync(pidFile) ? readFileSync(pidFile, 'utf8').trim() || undefined : undefined;
    const pid = Number(await waitUntil(() => Promise.resolve(readPid()), { withinMs: 10_000 }));
    controller.abort(new Error('called off'));
    await expect(build).rejects.toThrow('called off');
    await waitUntil(() => Promise.resolve(processIdentity(pid) === undefined || undefined), {
      withinMs: 10_000,
    });
    expect(readdirSync(cache())).toEqual(['logs']);
  });
});

describe('a build in a copy of the source', () => {
  const crds = (): string => argoRolloutsCrds(cachedToolPath(cache(), 'argo-rollouts'));
  const ensureArgo = (): Promise<Readonly<Record<'argo-rollouts', string>>> =>
    ensureToolchain({ tools: ['argo-rollouts'], progress, environment: environment() });

  const moduleCrds = (): string => join(folder, 'module', 'manifests', 'crds');

  /** What Go's module cache has of it: nothing in it may be written. */
  function writeModule(): string {
    const source = join(folder, 'module');
    mkdirSync(moduleCrds(), { recursive: true });
    writeFileSync(join(source, 'go.mod'), 'module example', { mode: 0o444 });
    writeFileSync(join(moduleCrds(), 'crd.yaml'), 'kind: Crd', { mode: 0o444 });
    chmodSync(moduleCrds(), 0o555);
    return source;
  }
  afterEach(() => {
    if (existsSync(moduleCrds())) chmodSync(moduleCrds(), 0o755);
  });

  /** Builds only where it may write, as a build with generated files would. */
  const build = 'echo >> go.mod && printf "#!/bin/sh\\n" > "$6" && chmod +x "$6"';

  test('leaves the module alone and keeps what belongs to the tool beside it', async () => {
    const source = writeModule();
    writeGo(`if [ "$1" = mod ]; then echo '{"Dir": "${source}"}'; else ${build}; fi`);
    const path = cachedToolPath(cache(), 'argo-rollouts');
    expect(await ensureArgo()).toEqual({ 'argo-rollouts': path });
    expect(readFileSync(path, 'utf8')).toBe('#!/bin/sh\n');
    expect(readFileSync(join(crds(), 'crd.yaml'), 'utf8')).toBe('kind: Crd');
    expect(statSync(crds()).mode & 0o777).toBe(0o755);
    expect(readFileSync(join(source, 'go.mod'), 'utf8')).toBe('module example');
    expect(calls()).toEqual([
      'mod download -json github.com/argoproj/argo-rollouts@v1.10.1',
      expect.stringMatching(/^build -v -trimpath .* \.\/cmd\/rollouts-controller$/),
    ]);
    expect(readdirSync(cache()).sort()).toEqual(['logs', 'tools']);
  });

  test('is done again when what belongs to the tool is gone', async () => {
    const source = writeModule();
    writeGo(`if [ "$1" = mod ]; then echo '{"Dir": "${source}"}'; else ${build}; fi`);
    await ensureArgo();
    rmSync(crds(), { recursive: true });
    await ensureArgo();
    expect(existsSync(crds())).toBe(true);
    expect(calls()).toHaveLength(4);
  });

  test('says what is wrong when the module can not be had', async () => {
    const reason = 'github.com/argoproj/argo-rollouts@v1.10.1: dial tcp: no such host';
    writeGo(`echo '{ "Error": "${reason}" }'; exit 1`);
    await expect(ensureArgo()).rejects.toThrow(
      "argo-rollouts can't be built: the Go module registry can't be reached",
    );
  });
});

describe('a failure is one sentence that says what to do', () => {
  test('no Go', async () => {
    const bare = { ...environment(), PATH: join(folder, 'bin') };
    await expect(
      ensureToolchain({ tools: ['kwok', 'etcd'], progress, environment: bare }),
    ).rejects.toThrow(
      'Go 1.26 or later is needed to build kwok, etcd, and no go is on PATH: install it from https://go.dev/dl, or set SLIPWAY_KWOK_BIN, SLIPWAY_ETCD_BIN to the paths of existing binaries',
    );
  });

  test('an old Go', async () => {
    writeGo(leaveKwok, 'go1.22.5');
    await expect(ensureKwok()).rejects.toThrow(
      `Go 1.26 or later is needed, and ${join(folder, 'bin', 'go')} is go1.22.5: install a newer one`,
    );
    expect(calls()).toEqual([]);
  });

  test('a full disk', async () => {
    writeGo('echo "write $WORK/b1/a.out: no space left on device" >&2; exit 1');
    await expect(ensureKwok()).rejects.toThrow(
      `kwok can't be built: the disk is full: free some space in ${cache()}, ${folder}/go-build, or set SLIPWAY_CACHE`,
    );
  });

  test('an unreachable registry, with the whole story in a log', async () => {
    const reason =
      'go: sigs.k8s.io/kwok/cmd/kwok@v0.8.0: Get "https://proxy.golang.org/x": dial tcp: lookup proxy.golang.org: no such host';
    writeGo(`echo '${reason}' >&2; exit 1`);
    const log = join(cache(), 'logs', 'kwok.log');
    await expect(ensureKwok()).rejects.toThrow(
      `kwok can't be built: the Go module registry can't be reached (${reason}): check the network, or set GOPROXY or HTTPS_PROXY to one that answers (log: ${log})`,
    );
    expect(readFileSync(log, 'utf8')).toContain(reason);
    expect(existsSync(cachedToolPath(cache(), 'kwok'))).toBe(false);
  });

  test('a variable that names no program', async () => {
    const wrong = { ...environment(), SLIPWAY_KWOK_BIN: '/nowhere/kwok' };
    await expect(
      ensureToolchain({ tools: ['kwok'], progress, environment: wrong }),
    ).rejects.toMatchObject({
      message: 'SLIPWAY_KWOK_BIN: /nowhere/kwok is not a file that can be run',
      exitCode: 2,
    });
  });

  test('and a later try starts afresh', async () => {
    writeGo('exit 1');
    await expect(ensureKwok()).rejects.toThrow("kwok can't be built: go says: nothing");
    writeGo(leaveKwok);
    expect(await ensureKwok()).toEqual({ kwok: cachedToolPath(cache(), 'kwok') });
  });
});

test('the binaries of this stack are the pinned ones', async () => {
  const paths = await ensureToolchain({
    tools: ['etcd', 'kube-apiserver', 'kwok', 'kubectl', 'registry'],
    progress,
  });
  const ask = async (path: string): Promise<string> => (await run(path, ['--version'])).stdout;
  expect(await ask(paths.etcd)).toContain('etcd Version: 3.6.8');
  expect(await ask(paths['kube-apiserver'])).toBe('Kubernetes v1.36.3\n');
  expect(await ask(paths.kwok)).toContain('v0.8.0');
  expect(await ask(paths.registry)).toContain('v3.0.0');
  const { stdout } = await run(paths.kubectl, ['version', '--client']);
  expect(stdout).toContain('Client Version: v1.36.3\n');
  // kubectl and the registry are no part of the stack, so they may have to be built here.
}, 900_000);
