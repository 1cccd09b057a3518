import { execFile, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';

import { describeDeployment } from '../../src/client/tree/describe-deployment.js';
import type { TreeList } from '../../src/client/tree/tree.js';
import { connectCluster, type Cluster } from '../../src/kubernetes/connect.js';
import { annotations } from '../../src/kubernetes/deployments/annotations.js';
import { deploymentTypes } from '../../src/kubernetes/deployments/deployment-key.js';
import type { Deployment } from '../../src/kubernetes/objects.js';
import { withNamespace } from '../support/namespaces.js';
import {
  runSlipway,
  slipwayPath,
  startSlipway,
  type CommandResult,
} from '../support/slipway-command.js';
import { waitFor } from '../support/wait-for.js';

type Api = keyof typeof deploymentTypes;
const apis: Api[] = ['apps/v1', 'slipway.dev/v1alpha1'];
const shortNames: Record<Api, string> = {
  'apps/v1': 'deployment.apps/web',
  'slipway.dev/v1alpha1': 'deployment.slipway.dev/web',
};
const kubeconfig = process.env['SLIPWAY_E2E_KUBECONFIG'] ?? '';
const env = {
  KUBECONFIG: kubeconfig,
  TEMPORAL_ADDRESS: process.env['SLIPWAY_E2E_TEMPORAL_ADDRESS'],
};

let cluster: Cluster;
let folder = '';

beforeAll(async () => {
  cluster = connectCluster({ kubeconfig });
  folder = await mkdtemp(join(tmpdir(), 'slipway-cli-'));
});

afterAll(async () => {
  await cluster.client.close();
  await rm(folder, { recursive: true });
});

const slipway = (...words: string[]): Promise<CommandResult> => runSlipway(words, { env });

/** Deploys a text from the standard input. */
const deploy = (namespace: string, text: string, ...words: string[]): Promise<CommandResult> =>
  runSlipway(['deploy', '-n', namespace, '-f', '-', ...words], { env, input: text });

interface Facts {
  readonly name?: string;
  readonly image?: string;
  readonly replicas?: number;
  readonly selector?: string;
  /** How long each pod takes to become ready on the stack's nodes. */
  readonly readyAfter?: string;
  readonly spec?: object;
}

function manifest(api: Api, facts: Facts = {}): string {
  const { name = 'web', image = 'example.com/web:1', replicas = 3 } = facts;
  return JSON.stringify({
    apiVersion: api,
    kind: 'Deployment',
    metadata: { name, annotations: { 'kubernetes.io/change-cause': `image ${image}` } },
    spec: {
      replicas,
      selector: { matchLabels: { app: facts.selector ?? name } },
      template: {
        metadata: {
          labels: { app: name },
          annotations: { 'kwok.slipway.dev/ready-after': facts.readyAfter ?? '0s' },
        },
        spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'main', image }] },
      },
      ...facts.spec,
    },
  });
}

const read = (api: Api, namespace: string, name = 'web'): Promise<Deployment> =>
  cluster.client.get<Deployment>(deploymentTypes[api], namespace, name);

const imageOf = ({ spec }: Deployment): string | undefined =>
  spec?.template.spec?.containers[0]?.image;

/** Collects what a running command prints. */
function collect(child: ChildProcess): { stdout: string; stderr: string } {
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (text: Buffer) => (output.stdout += text.toString()));
  child.stderr?.on('data', (text: Buffer) => (output.stderr += text.toString()));
  return output;
}

async function interrupt(child: ChildProcess): Promise<number | null> {
  const ended = once(child, 'exit') as Promise<[number | null]>;
  child.kill('SIGINT');
  return (await ended)[0];
}

describe.each(apis)('bad input, %s', (api) => {
  const mistakes: readonly (readonly [name: string, text: string, sentence: RegExp])[] = [
    [
      'misspelt',
      manifest(api, { name: 'misspelt' }).replace('"replicas"', '"replcas"'),
      /^spec\.replcas: there is no such field; did you mean replicas\?$/,
    ],
    [
      'misspelt-inside',
      manifest(api, { name: 'misspelt-inside' }).replace('"image"', '"imge"'),
      /^spec\.template\.spec\.containers\[.+\]\.imge: there is no such field; did you mean image\?$/,
    ],
    [
      'negative',
      manifest(api, { name: 'negative', replicas: -1 }),
      /^spec\.replicas: must be greater than or equal to 0$/,
    ],
    [
      'mismatch',
      manifest(api, { name: 'mismatch', selector: 'other' }),
      /^spec\.(selector|template\.metadata\.labels): .*match.*$/,
    ],
    [
      'imageless',
      manifest(api, { name: 'imageless' }).replace(',"image":"example.com/web:1"', ''),
      /^spec\.template\.spec\.containers\[0\]\.image: is required$/,
    ],
  ];

  test('each mistake is one sentence; exit 2, and nothing is changed', async () => {
    await withNamespace(cluster, async (namespace) => {
      // The good object comes first: it must not be applied either.
      const documents = [manifest(api, { name: 'good' }), ...mistakes.map(([, text]) => text)];
      const { code, stdout, stderr } = await deploy(namespace, documents.join('\n---\n'));
      expect([code, stdout]).toEqual([2, '']);
      const lines = stderr.trimEnd().split('\n');
      expect(lines).toHaveLength(mistakes.length);
      for (const [index, [name, , sentence]] of mistakes.entries()) {
        const start = `slipway: stdin: Deployment ${name}: `;
        expect(lines[index]?.slice(0, start.length)).toBe(start);
        expect(lines[index]?.slice(start.length)).toMatch(sentence);
      }
      const { items } = await cluster.client.list(deploymentTypes[api], namespace);
      expect(items).toEqual([]);
    });
  });

  test('an object that is there stays as it is', async () => {
    await withNamespace(cluster, async (namespace) => {
      await rollOut(api, namespace, 'example.com/web:1');
      const bad = manifest(api, { image: 'example.com/web:2', replicas: -1 });
      expect(await deploy(namespace, bad)).toEqual({
        code: 2,
        stdout: '',
        stderr:
          'slipway: stdin: Deployment web: spec.replicas: must be greater than or equal to 0\n',
      });
      expect(imageOf(await read(api, namespace))).toBe('example.com/web:1');
    });
  });
});

test('an unreachable cluster, a missing namespace and a missing file are one sentence each', async () => {
  const config = parse(await readFile(kubeconfig, 'utf8')) as {
    clusters: { cluster: { server: string } }[];
  };
  config.clusters[0]!.cluster.server = 'https://127.0.0.1:1';
  const unreachable = join(folder, 'unreachable');
  await writeFile(unreachable, JSON.stringify(config));
  const input = manifest('apps/v1');
  const sentence =
    "slipway: the cluster at https://127.0.0.1:1 can't be reached: the connection was refused\n";
  expect(
    await Promise.all([
      runSlipway(['deploy', '-f', '-'], { env: { ...env, KUBECONFIG: unreachable }, input }),
      slipway('get', '-w', '--kubeconfig', unreachable),
      deploy('nowhere', input),
      slipway('deploy', '-f', join(folder, 'nothing.yaml')),
    ]),
  ).toEqual([
    { code: 2, stdout: '', stderr: sentence },
    { code: 2, stdout: '', stderr: sentence },
    {
      code: 2,
      stdout: '',
      stderr:
        'slipway: stdin: Deployment web: metadata.namespace: there is no namespace "nowhere"\n',
    },
    {
      code: 2,
      stdout: '',
      stderr: `slipway: ${join(folder, 'nothing.yaml')}: there is no such file\n`,
    },
  ]);
});

describe.each(apis)('a rollout from its start to its end and back, %s', (api) => {
  const ref = shortNames[api];

  test('deploy, get and undo', async () => {
    await withNamespace(cluster, async (namespace) => {
      const first = await deploy(namespace, manifest(api));
      expect(first.stderr).toBe('');
      expect(first.stdout).toMatch(new RegExp(`^${ref} in ${namespace} applied\n`));
      expect(first.stdout).toMatch(/: complete after \S+: 3 of 3 updated, 3 available\n$/);
      expect(first.code).toBe(0);
      await rollOut(api, namespace, 'example.com/web:2');

      const { stdout: tree } = await slipway('get', '-n', namespace);
      expect(tree.split('\n')[0]).toBe(`${ref}  Complete  3 of 3 updated, 3 available`);
      expect(tree).toMatch(/^├─ revision 2 {2}web-\w+ {2}example\.com\/web:2 {2}3\/3 ready/m);
      expect(tree.match(/Running {2}1\/1/g)).toHaveLength(3);
      expect(tree).toMatch(/^└─ 1 older revision without pods$/m);

      const undo = await slipway('undo', 'deploy/web', '-n', namespace);
      expect(undo).toEqual({ code: 0, stdout: `${ref} goes back to revision 1\n`, stderr: '' });
      const back = await waitFor('revision 1 has become revision 3', async () => {
        const object = await read(api, namespace);
        return object.metadata.annotations?.[annotations.revision] === '3' ? object : undefined;
      });
      expect(imageOf(back)).toBe('example.com/web:1');
      expect(back.metadata.annotations).toMatchObject({
        [annotations.changeCause]: 'image example.com/web:1',
      });
    });
  });
});

/** As a user without the command line would. */
async function rollOut(api: Api, namespace: string, image: string): Promise<void> {
  const object = JSON.parse(manifest(api, { image })) as Deployment;
  object.metadata.namespace = namespace;
  await cluster.client.apply(deploymentTypes[api], object);
  await waitFor(`${image} is rolled out`, async () => {
    const { phase } = describeDeployment(await read(api, namespace));
    return phase === 'Complete' ? true : undefined;
  });
}

test('what is known of an object: get -o, history, diff and a preview of undo', async () => {
  const api = 'slipway.dev/v1alpha1';
  await withNamespace(cluster, async (namespace) => {
    const at = ['-n', namespace];
    await rollOut(api, namespace, 'example.com/web:1');
    await rollOut(api, namespace, 'example.com/web:2');
    const [json, history, revision, diff, preview, unknown] = await Promise.all([
      slipway('get', 'deploy/web', '-o', 'json', ...at),
      slipway('history', 'deploy/web', ...at),
      slipway('history', 'deploy/web', '--revision', '1', ...at),
      slipway('diff', 'deploy/web', '--revision', '1', '-o', 'json', ...at),
      slipway('undo', 'deploy/web', '--dry-run', ...at),
      slipway('undo', 'deploy/web', '--to-revision', '9', ...at),
    ]);
    const [item] = (JSON.parse(json.stdout) as TreeList).items;
    expect(item).toMatchObject({
      apiVersion: api,
      namespace,
      name: 'web',
      phase: 'Complete',
      revisions: [
        { revision: 2, current: true, images: ['example.com/web:2'] },
        { revision: 1, current: false, images: ['example.com/web:1'] },
      ],
    });
    expect(item?.kind === 'Deployment' && item.revisions[0]?.pods).toHaveLength(3);
    expect(history.stdout).toMatch(
      /^REVISION +WHEN +WHO +WHY +WHAT +TOOK +ENDED\n2 \* +\S+ ago +slipway +image example\.com\/web:2 +web:1 → :2 +\d+s +Complete$/m,
    );
    expect(history.stdout).toMatch(
      /^1 +\S+ ago +slipway +image example\.com\/web:1 +web:1 +\d+s +Complete$/m,
    );
    expect(history.stdout).toMatch(/^\S+ ago +\S+ +2 +completed: Complete +[-\w]{36}$/m);
    expect(parse(revision.stdout)).toMatchObject({
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ image: 'example.com/web:1' }] },
    });
    const change = {
      path: 'spec.containers[0].image',
      from: 'example.com/web:1',
      to: 'example.com/web:2',
    };
    expect(JSON.parse(diff.stdout)).toEqual({ from: 1, to: null, changes: [change] });
    expect(preview.stdout).toContain('-       image: example.com/web:2');
    expect(imageOf(await read(api, namespace))).toBe('example.com/web:2');
    expect(unknown).toEqual({
      code: 2,
      stdout: '',
      stderr: `slipway: ${shortNames[api]}: revision 9 is not in its history, which has 2, 1\n`,
    });
  });
});

test('pause, resume, cancel', async () => {
  const api = 'slipway.dev/v1alpha1';
  const ref = shortNames[api];
  await withNamespace(cluster, async (namespace) => {
    const at = ['-n', namespace];
    await rollOut(api, namespace, 'example.com/web:1');
    const pause = await slipway('pause', 'deploy/web', '--reason', 'lunch', ...at);
    expect(pause.stdout).toBe(`${ref} paused\n`);
    expect((await slipway('pause', 'deploy/web', ...at)).stdout).toBe(
      `${ref} is paused already: lunch\n`,
    );
    const follower = startSlipway(
      ['deploy', ...at, '-f', await save(api, 'example.com/web:2')],
      env,
    );
    const output = collect(follower);
    await waitFor('the follower says that it is paused, and why', () =>
      output.stdout.includes('Paused: lunch') ? true : undefined,
    );
    const refused = await slipway('undo', 'deploy/web', ...at);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      `slipway: ${ref}: it is paused, so it can't go back: resume it first\n`,
    ]);
    const exit = once(follower, 'exit') as Promise<[number | null]>;
    const cancel = await slipway('cancel', 'deploy/web', '--reason', 'wrong one', ...at);
    expect(cancel.stdout).toBe(`${ref} cancelled\n`);
    expect((await exit)[0]).toBe(3);
    expect(output.stdout).toMatch(/cancelled after .+ Cancelled: wrong one\n$/);

    expect((await slipway('resume', 'deploy/web', ...at)).stdout).toBe(`${ref} resumed\n`);
    const resumed = await read(api, namespace);
    expect(resumed.spec?.paused ?? false).toBe(false);
    // Who has written the template is noted until a revision knows it.
    expect(ownNotes(resumed).filter((name) => name !== annotations.changedBy)).toEqual([]);
    const ended = await waitFor('the rollout is complete', async () => {
      const object = await read(api, namespace);
      return describeDeployment(object).phase === 'Complete' ? object : undefined;
    });
    expect(ownNotes(ended)).toEqual([]);
    const idle = await slipway('cancel', 'deploy/web', ...at);
    expect([idle.code, idle.stderr]).toEqual([
      2,
      `slipway: ${ref}: there is nothing to cancel, because its rollout is complete\n`,
    ]);
  });
});

const ownNotes = ({ metadata }: Deployment): string[] =>
  Object.keys(metadata.annotations ?? {}).filter((name) => name.startsWith('slipway.dev/'));

async function save(api: Api, image: string): Promise<string> {
  const path = join(folder, `${api.replace('/', '-')}-${image.replaceAll('/', '-')}.yaml`);
  await writeFile(path, manifest(api, { image }));
  return path;
}

test('a rollout that fails is exit 1, and one that takes too long too', async () => {
  await withNamespace(cluster, async (namespace) => {
    const stuck = (name: string, seconds: number): string =>
      manifest('apps/v1', {
        name,
        replicas: 1,
        readyAfter: '1h',
        spec: { progressDeadlineSeconds: seconds },
      });
    const [failed, slow] = await Promise.all([
      deploy(namespace, stuck('bad', 1)),
      deploy(namespace, stuck('slow', 600), '--timeout', '1s'),
    ]);
    expect(failed.stdout).toMatch(
      /bad: failed after .+ has timed out progressing\.\n {2}a pod of revision 1: Pending \(bad-\S+\)\n$/,
    );
    expect([failed.code, failed.stderr]).toEqual([1, '']);
    expect([slow.code, slow.stderr]).toEqual([
      1,
      'slipway: --timeout: not complete after 1s; what was applied goes on without us\n',
    ]);
  });
});

test('Ctrl-C ends the following, not the rollout', async () => {
  await withNamespace(cluster, async (namespace) => {
    const path = join(folder, 'slow.json');
    await writeFile(path, manifest('apps/v1', { replicas: 2, readyAfter: '5s' }));
    const follower = startSlipway(['deploy', '-n', namespace, '-f', path], env);
    const output = collect(follower);
    await waitFor('the follower shows progress', () =>
      output.stdout.includes('progressing') ? true : undefined,
    );
    expect(await interrupt(follower)).toBe(130);
    expect(output.stderr).toBe(
      'slipway: no longer following; what was applied goes on without us\n',
    );
    await waitFor('the rollout is complete all the same', async () => {
      const { status } = await read('apps/v1', namespace);
      return status?.availableReplicas === 2 ? true : undefined;
    });
  });
});

describe('get -w in a pipe', () => {
  test('prints a line per change, and no cursor codes', async () => {
    await withNamespace(cluster, async (namespace) => {
      await rollOut('slipway.dev/v1alpha1', namespace, 'example.com/web:1');
      const watching = startSlipway(['get', '-w', '-n', namespace], env);
      const data = startSlipway(['get', '-w', '-n', namespace, '-o', 'json'], env);
      const documents = startSlipway(['get', '-w', '-n', namespace, '-o', 'yaml'], env);
      const [lines, json, yaml] = [collect(watching), collect(data), collect(documents)];
      const saw = (output: { stdout: string }, text: string): Promise<boolean> =>
        waitFor(`get -w prints ${text}`, () => (output.stdout.includes(text) ? true : undefined));
      const all = [lines, json, yaml];
      await Promise.all(all.map((output) => saw(output, 'Complete')));
      await rollOut('slipway.dev/v1alpha1', namespace, 'example.com/web:2');
      await Promise.all(all.map((output) => saw(output, 'example.com/web:2')));
      await cluster.client.delete(deploymentTypes['slipway.dev/v1alpha1'], namespace, 'web');
      await saw(lines, 'deployment.slipway.dev/web deleted\n');
      await saw(json, '"deleted":true');
      await saw(yaml, 'deleted: true');
      const codes = await Promise.all([watching, data, documents].map(interrupt));
      expect(codes).toEqual([130, 130, 130]);

      expect(lines.stdout).not.toContain('\u001b');
      expect(lines.stdout).toMatch(/^deployment\.slipway\.dev\/web Complete: 3 of 3 updated/m);
      expect(lines.stdout).toMatch(/ revision 2: example\.com\/web:2, 3\/3 ready$/m);
      expect(new Set(lines.stdout.split('\n')).size).toBeGreaterThan(4);
      const trees = json.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { name: string });
      expect(trees.every(({ name }) => name === 'web')).toBe(true);
      const parsed = parseAllDocuments(yaml.stdout);
      expect(parsed.length).toBeGreaterThan(2);
    });
  });
});

test('an object of either API is found, and two of one name are told apart', async () => {
  await withNamespace(cluster, async (namespace) => {
    const both = apis.map((api) => manifest(api, { replicas: 0 })).join('\n---\n');
    expect(await deploy(namespace, both, '--no-follow')).toEqual({
      code: 0,
      stdout: apis.map((api) => `${shortNames[api]} in ${namespace} applied\n`).join(''),
      stderr: '',
    });
    const [unclear, clear, missing, unknown] = await Promise.all([
      slipway('get', 'deployment/web', '-n', namespace),
      slipway('get', 'sdeploy/web', '-n', namespace, '-o', 'json'),
      slipway('pause', 'deployment/none', '-n', namespace),
      slipway('pause', 'deplyment/web', '-n', namespace),
    ]);
    expect(unclear).toEqual({
      code: 2,
      stdout: '',
      stderr: `slipway: deployment/web: namespace ${namespace} has two of that name: write deployment.slipway.dev/web or deployment.apps/web\n`,
    });
    expect((JSON.parse(clear.stdout) as TreeList).items).toMatchObject([
      { apiVersion: 'slipway.dev/v1alpha1' },
    ]);
    expect(missing.stderr).toBe(
      `slipway: deployment/none: namespace ${namespace} has no such Deployment\n`,
    );
    expect(unknown.stderr).toBe(
      'slipway: KIND: "deplyment" is not a kind that Slipway knows; did you mean deployment?\n',
    );
    expect([missing.code, unknown.code]).toEqual([2, 2]);
  });
});

test('without a kubeconfig the local stack is used', async () => {
  const stateDir = process.env['SLIPWAY_E2E_STATE_DIR'] ?? '';
  const result = await runSlipway(['get', '-n', 'kube-system', '-o', 'json'], {
    env: { KUBECONFIG: '', SLIPWAY_STATE_DIR: stateDir },
  });
  expect(result).toEqual({ code: 0, stdout: '{\n  "items": []\n}\n', stderr: '' });
});

describe('the shell', () => {
  test('bash completes commands, options, files and objects', async () => {
    await withNamespace(cluster, async (namespace) => {
      await rollOut('apps/v1', namespace, 'example.com/web:1');
      await installAs('slipway');
      await writeFile(join(folder, 'only-one.yaml'), '');
      const script = [
        'source <(slipway completion bash)',
        'try() { COMP_WORDS=(slipway "$@"); COMP_CWORD=$#; _slipway; echo "${COMPREPLY[*]}"; }',
        'try und',
        'try get -o ""',
        `try pause -n ${namespace} ""`,
        `try pause -n ${namespace} deploy/w`,
        `try deploy -f ${folder}/only-o`,
        'try get --kubeconfig /nowhere ""',
      ].join('\n');
      const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script], {
        env: { ...process.env, ...env, PATH: `${folder}:${process.env['PATH'] ?? ''}` },
      });
      expect(stderr).toBe('');
      expect(stdout.split('\n')).toEqual([
        'undo',
        'json yaml',
        'deployment/web',
        'deploy/web',
        `${folder}/only-one.yaml`,
        '',
        '',
      ]);
    });
  });

  const withZsh = spawnSync('zsh', ['--version']).status === 0 ? test : test.skip;
  withZsh('zsh takes its script', async () => {
    await installAs('slipway');
    const script = [
      'autoload -Uz compinit && compinit -u -D',
      'source <(slipway completion zsh)',
      'print -r -- ${_comps[slipway]} ${_comps[kubectl-slipway]}',
    ].join('\n');
    const { stdout, stderr } = await promisify(execFile)('zsh', ['-f', '-c', script], {
      env: { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` },
    });
    expect([stdout, stderr]).toEqual(['_slipway _slipway\n', '']);
  });

  test('kubectl’s users are told what they typed', async () => {
    const plugin = join(folder, 'kubectl-slipway');
    await symlink(slipwayPath, plugin);
    const { stdout } = await promisify(execFile)(process.execPath, [plugin, 'help', 'get']);
    expect(stdout).toContain('Usage: kubectl slipway get');
  });
});

async function installAs(name: string): Promise<void> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\nexec '${process.execPath}' '${slipwayPath}' "$@"\n`);
  await chmod(path, 0o755);
}
