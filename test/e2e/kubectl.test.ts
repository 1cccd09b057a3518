import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import type { HistoryEntry } from '../../src/client/history/history-entry.js';
import { createProgress } from '../../src/client/terminal/progress.js';
import { ensureToolchain } from '../../src/dev/toolchain/ensure-toolchain.js';
import type { ReplicaSet } from '../../src/kubernetes/objects.js';
import { DeploymentTrial, imageOf, sharedServers } from '../support/deployment-trial.js';
import { configTrigger, imageTrigger } from '../support/image-trial.js';
import { runSlipway, type CommandResult } from '../support/slipway-command.js';
import { SilentRepository } from '../support/silent-repository.js';
import { waitFor } from '../support/wait-for.js';

const api = 'apps/v1';
const servers = sharedServers();
/** Where kubectl keeps what it has learned about the server. */
const home = mkdtempSync(join(tmpdir(), 'slipway-kubectl-'));

let trial: DeploymentTrial;
let program = '';

beforeAll(async () => {
  const programs = await ensureToolchain({
    tools: ['kubectl'],
    progress: createProgress(process.stderr),
  });
  program = programs.kubectl;
  trial = await DeploymentTrial.open(servers);
}, 900_000);
afterAll(async () => {
  await trial.close();
  rmSync(home, { recursive: true });
});

/** Runs kubectl to its end; an exit code other than 0 is a result, not an error. */
function tryKubectl(words: string, input = ''): Promise<CommandResult> {
  const args = [`--kubeconfig=${servers.kubeconfig}`, `--namespace=${trial.namespace}`];
  const env = { HOME: home, PATH: process.env['PATH'] };
  return new Promise((resolve, reject) => {
    const child = execFile(
      program,
      [...args, ...words.split(' ')],
      { env },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : error.code;
        if (typeof code === 'number') resolve({ code, stdout, stderr });
        else reject(error ?? new Error('no exit code'));
      },
    );
    child.stdin?.end(input);
  });
}

/** Runs kubectl and tells what it printed. */
async function kubectl(words: string, input?: string): Promise<string> {
  const { code, stdout, stderr } = await tryKubectl(words, input);
  if (code !== 0) throw new Error(`kubectl ${words} ended with ${code}: ${stderr}`);
  return stdout;
}

async function apply(name: string, spec: object = {}, image?: string): Promise<void> {
  const manifest = trial.manifest(api, name, { replicas: 3, ...spec }, image);
  await kubectl('apply -f -', JSON.stringify(manifest));
}

const rolledOut = (name: string): Promise<string> =>
  kubectl(`rollout status deployment/${name} --timeout=60s`);

/** The lines of a table, each as its cells. */
const cellsOf = (table: string): string[][] =>
  table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/ {2,}/));

const imageNow = (name: string): Promise<string> =>
  kubectl(`get deployment/${name} -o jsonpath={.spec.template.spec.containers[0].image}`);

async function newestSet(name: string): Promise<ReplicaSet | undefined> {
  const sets = await trial.replicaSets(name);
  return sets.find((set) => (set.spec?.replicas ?? 0) > 0);
}

test('rollout status follows it to its end, and get shows it', async () => {
  await apply('shown');
  expect(await rolledOut('shown')).toMatch(/^deployment "shown" successfully rolled out$/m);
  const [header, row] = cellsOf(await kubectl('get deployment shown'));
  expect(header).toEqual(['NAME', 'READY', 'UP-TO-DATE', 'AVAILABLE', 'AGE']);
  expect(row).toEqual(['shown', '3/3', '3', '3', expect.stringMatching(/^\d+s$/)]);
  const [wideHeader, wideRow] = cellsOf(await kubectl('get deployment shown -o wide'));
  expect(wideHeader?.slice(5)).toEqual(['CONTAINERS', 'IMAGES', 'SELECTOR']);
  expect(wideRow?.slice(5)).toEqual(['main', 'example.com/web:1', 'app=shown']);
  const set = await newestSet('shown');
  expect(set?.metadata.annotations).not.toHaveProperty([
    'kubectl.kubernetes.io/last-applied-configuration',
  ]);
});

test('rollout status says how far it is, and fails once the deadline is exceeded', async () => {
  await apply('late', { progressDeadlineSeconds: 2 }, 'example.com/web:404');
  const { code, stdout, stderr } = await tryKubectl('rollout status deployment/late --timeout=60s');
  expect(stdout).toContain(
    'Waiting for deployment "late" rollout to finish: 0 of 3 updated replicas are available...',
  );
  expect(stderr).toContain('error: deployment "late" exceeded its progress deadline');
  expect(code).toBe(1);
  const [, row] = cellsOf(await kubectl('get deployment late'));
  expect(row?.slice(0, 4)).toEqual(['late', '0/3', '3', '0']);
});

describe('history and undo', () => {
  const name = 'back';
  const history = async (): Promise<string[][]> => {
    const lines = await kubectl(`rollout history deployment/${name}`);
    return cellsOf(lines.replace(/^deployment.*\n/, ''));
  };
  const untilHistory = (expected: readonly (readonly string[])[]): Promise<true> =>
    waitFor(`the history is ${JSON.stringify(expected)}`, async () =>
      JSON.stringify(await history()) ===
      JSON.stringify([['REVISION', 'CHANGE-CAUSE'], ...expected])
        ? true
        : undefined,
    );

  beforeAll(async () => {
    await apply(name);
    await rolledOut(name);
    for (const [tag, cause] of [
      ['2', 'second'],
      ['3', 'third'],
    ]) {
      await kubectl(`set image deployment/${name} main=example.com/web:${tag}`);
      await kubectl(`annotate deployment/${name} --overwrite kubernetes.io/change-cause=${cause}`);
      await rolledOut(name);
    }
  });

  test('each revision has its cause', async () => {
    await untilHistory([
      ['1', '<none>'],
      ['2', 'second'],
      ['3', 'third'],
    ]);
  });

  test('one revision shows its template', async () => {
    const text = await kubectl(`rollout history deployment/${name} --revision=2`);
    expect(text).toContain(`deployment.apps/${name} with revision #2`);
    expect(text).toMatch(/Image:\s+example\.com\/web:2/);
    expect(text).toMatch(/change-cause: second/);
  });

  test('undo goes back one, and the revision becomes the newest', async () => {
    const said = await kubectl(`rollout undo deployment/${name}`);
    expect(said).toBe(`deployment.apps/${name} rolled back\n`);
    await rolledOut(name);
    expect(await imageNow(name)).toBe('example.com/web:2');
    await untilHistory([
      ['1', '<none>'],
      ['3', 'third'],
      ['4', 'second'],
    ]);
  });

  test('undo --to-revision goes back to that one', async () => {
    await kubectl(`rollout undo deployment/${name} --to-revision=1`);
    await rolledOut(name);
    expect(await imageNow(name)).toBe('example.com/web:1');
    await untilHistory([
      ['3', 'third'],
      ['4', 'second'],
      ['5', '<none>'],
    ]);
    expect(await trial.replicaSets(name)).toHaveLength(3);
  });

  test('slipway tells which program it was each time, and what it went back to', async () => {
    const entries = await historyOf(`deployment.apps/${name}`);
    expect(
      entries.map(({ revision, manager, why, backTo, outcome }) => ({
        revision,
        manager,
        why,
        backTo,
        outcome,
      })),
    ).toEqual([
      line(5, 'kubectl', 'back to revision 1', 1),
      line(4, 'kubectl', 'back to revision 2', 2),
      line(3, 'kubectl-set', 'third'),
      line(2, 'kubectl-set', 'second'),
      line(1, 'kubectl-client-side-apply', 'manual change'),
    ]);
    const [{ annotations = {} } = {}] = (await trial.replicaSets(name)).map(
      ({ metadata }) => metadata,
    );
    expect(annotations).toHaveProperty(['slipway.dev/stays']);
    const { metadata } = await trial.get(api, name);
    expect(metadata.annotations).not.toHaveProperty(['slipway.dev/stays']);
  });

  test('undo to the revision that it has changes nothing; to one that never was, fails', async () => {
    const said = await kubectl(`rollout undo deployment/${name} --to-revision=5`);
    expect(said).toBe(
      `deployment.apps/${name} skipped rollback (current template already matches revision 5)\n`,
    );
    const { code, stderr } = await tryKubectl(`rollout undo deployment/${name} --to-revision=99`);
    expect(stderr).toContain('unable to find specified revision 99 in history');
    expect(code).toBe(1);
  });
});

const line = (revision: number, manager: string, why: string, backTo: number | null = null) => ({
  revision,
  manager,
  why,
  backTo,
  outcome: 'Complete',
});

async function historyOf(ref: string): Promise<HistoryEntry[]> {
  const words = ['history', ref, '--no-runs', '-o', 'json', '-n', trial.namespace];
  const { stdout } = await runSlipway(words, { env: { KUBECONFIG: servers.kubeconfig } });
  return JSON.parse(stdout) as HistoryEntry[];
}

test('an edit of a DeploymentConfig is kubectl’s, though its image is filled in by others', async () => {
  const name = 'edited';
  const repository = await SilentRepository.create(trial, name);
  const image = repository.image('a');
  await repository.set('a');
  const { template } = trial.manifest(api, name, {}, ' ').spec;
  const triggers = [configTrigger, imageTrigger('edited:latest', ['main'])];
  const config = {
    apiVersion: 'apps.openshift.io/v1',
    kind: 'DeploymentConfig',
    metadata: { name },
    spec: { replicas: 1, template, triggers },
  };
  await kubectl('create -f -', JSON.stringify(config));
  const complete = (version: number): Promise<HistoryEntry[]> =>
    waitFor(`version ${version} is complete`, async () => {
      const entries = await historyOf(`dc/${name}`);
      const [newest] = entries;
      return newest?.revision === version && newest.outcome === 'Complete' ? entries : undefined;
    });
  await complete(1);
  const patch = JSON.stringify({ spec: { template: { metadata: { annotations: { a: 'b' } } } } });
  await kubectl(`patch dc ${name} --type merge -p ${patch}`);
  expect(await complete(2)).toMatchObject([
    { who: null, manager: 'kubectl-patch', triggers: ['ConfigChange'], images: [image] },
    { who: null, manager: 'kubectl-create', triggers: ['ConfigChange'], images: [image] },
  ]);
});

test('pause holds a new image back, refuses undo, and resume lets it go', async () => {
  const name = 'held';
  await apply(name);
  await rolledOut(name);
  await kubectl(`set image deployment/${name} main=example.com/web:2`);
  await rolledOut(name);
  expect(await kubectl(`rollout pause deployment/${name}`)).toBe(
    `deployment.apps/${name} paused\n`,
  );
  await kubectl(`set image deployment/${name} main=example.com/web:3`);
  await trial.untilCondition(api, name, 'Progressing', 'DeploymentPaused');
  await waitFor('the change was seen', async () => {
    const { metadata, status } = await trial.get(api, name);
    return status?.observedGeneration === metadata.generation ? true : undefined;
  });
  expect((await trial.replicaSets(name)).map(imageOf).sort()).toEqual([
    'example.com/web:1',
    'example.com/web:2',
  ]);
  const again = await tryKubectl(`rollout pause deployment/${name}`);
  expect(again.stderr).toContain('is already paused');
  const undo = await tryKubectl(`rollout undo deployment/${name}`);
  expect(undo.stderr).toContain('you cannot rollback a paused deployment');
  expect(undo.code).toBe(1);
  expect(await kubectl(`rollout resume deployment/${name}`)).toBe(
    `deployment.apps/${name} resumed\n`,
  );
  await rolledOut(name);
  expect(imageOf((await newestSet(name))!)).toBe('example.com/web:3');
});

test('restart replaces every pod with one of the same image', async () => {
  const name = 'restarted';
  await apply(name);
  await rolledOut(name);
  const before = new Set((await trial.pods(name)).map(({ metadata }) => metadata.uid));
  expect(await kubectl(`rollout restart deployment/${name}`)).toBe(
    `deployment.apps/${name} restarted\n`,
  );
  await rolledOut(name);
  const after = await waitFor('three pods that run', async () => {
    const pods = (await trial.pods(name)).filter((pod) => !pod.metadata.deletionTimestamp);
    return pods.length === 3 ? pods : undefined;
  });
  expect(after.filter(({ metadata }) => before.has(metadata.uid))).toEqual([]);
  const set = await newestSet(name);
  expect(imageOf(set!)).toBe('example.com/web:1');
  expect(set?.spec?.template?.metadata?.annotations).toHaveProperty([
    'kubectl.kubernetes.io/restartedAt',
  ]);
});

test('scale changes the size and nothing else; a wrong precondition changes nothing', async () => {
  const name = 'sized';
  await apply(name);
  await rolledOut(name);
  expect(await kubectl(`scale deployment/${name} --replicas=5`)).toBe(
    `deployment.apps/${name} scaled\n`,
  );
  await rolledOut(name);
  expect(cellsOf(await kubectl(`get deployment ${name}`))[1]?.[1]).toBe('5/5');
  const refused = await tryKubectl(`scale deployment/${name} --current-replicas=4 --replicas=1`);
  expect(refused.stderr).toContain('Expected replicas to be 4, was 5');
  await kubectl(`scale deployment/${name} --current-replicas=5 --replicas=2`);
  await waitFor('two are left', async () =>
    cellsOf(await kubectl(`get deployment ${name}`))[1]?.[1] === '2/2' ? true : undefined,
  );
  const sets = await trial.replicaSets(name);
  expect(sets.map((set) => set.spec?.replicas)).toEqual([2]);
});

test('autoscale finds it by its scale subresource and brings it to its lower bound', async () => {
  const name = 'automatic';
  await apply(name, { replicas: 1 });
  await rolledOut(name);
  const said = await kubectl(`autoscale deployment/${name} --min=3 --max=6 --cpu=50%`);
  expect(said).toBe(`horizontalpodautoscaler.autoscaling/${name} autoscaled\n`);
  await waitFor('the autoscaler has scaled it', async () => {
    const { status } = await trial.get(api, name);
    return status?.availableReplicas === 3 ? true : undefined;
  });
  const condition = (type: string): Promise<string> =>
    kubectl(`get hpa ${name} -o jsonpath={.status.conditions[?(@.type=="${type}")].status}`);
  expect(await condition('AbleToScale')).toBe('True');
  expect(await trial.replicaSets(name)).toHaveLength(1);
});

test('describe tells its sizes, conditions, ReplicaSets and events', async () => {
  const name = 'described';
  await apply(name);
  await rolledOut(name);
  await kubectl(`set image deployment/${name} main=example.com/web:2`);
  await rolledOut(name);
  const sets = await trial.replicaSets(name);
  const fresh = sets.find((set) => imageOf(set) === 'example.com/web:2')?.metadata.name ?? '';
  const old = sets.find((set) => imageOf(set) === 'example.com/web:1')?.metadata.name ?? '';
  const text = await waitFor('the events have arrived', async () => {
    const said = await kubectl(`describe deployment ${name}`);
    return new RegExp(`Scaled down replica set ${old} from \\d+ to 0`).test(said)
      ? said
      : undefined;
  });
  expect(text).toMatch(/^Annotations:\s+deployment\.kubernetes\.io\/revision: 2$/m);
  expect(text).toMatch(
    /^Replicas:\s+3 desired \| 3 updated \| 3 total \| 3 available \| 0 unavailable$/m,
  );
  expect(text).toMatch(/^ {2}Available\s+True\s+MinimumReplicasAvailable$/m);
  expect(text).toMatch(/^ {2}Progressing\s+True\s+NewReplicaSetAvailable$/m);
  expect(text).toMatch(new RegExp(`^OldReplicaSets:\\s+${old} \\(0/0 replicas created\\)$`, 'm'));
  expect(text).toMatch(new RegExp(`^NewReplicaSet:\\s+${fresh} \\(3/3 replicas created\\)$`, 'm'));
  expect(text).toMatch(/^ {2}Normal\s+ScalingReplicaSet\s+\S+.*Scaled up replica set/m);
});

test('wait --for=condition=Available ends when it is, and not before', async () => {
  const name = 'awaited';
  await apply(name, {}, 'example.com/web:404');
  await trial.untilCondition(api, name, 'Available', 'MinimumReplicasUnavailable');
  const words = `wait --for=condition=Available deployment/${name}`;
  const early = await tryKubectl(`${words} --timeout=0`);
  expect([early.code, early.stdout]).toEqual([1, '']);
  const waiting = kubectl(`${words} --timeout=60s`);
  await kubectl(`set image deployment/${name} main=example.com/web:2`);
  expect(await waiting).toBe(`deployment.apps/${name} condition met\n`);
});
