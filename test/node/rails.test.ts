import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { hookPodName, type HookMoment } from '../../src/domain/shared/hook.js';
import type { Pod } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { phaseOf, ConfigTrial } from '../support/config-trial.js';
import { sharedServers } from '../support/deployment-trial.js';
import { readExample } from '../support/example-manifest.js';
import { HookTrial } from '../support/hook-trial.js';
import { makeExampleImages } from '../support/real-node-images.js';
import { endOf, findKubectl, podEnd, runKubectl } from '../support/real-node.js';
import { runSlipway, type CommandResult } from '../support/slipway-command.js';
import { waitFor } from '../support/wait-for.js';

// What docs/hooks.md leads its readers through; here the database is down as early as rails-2 is due.

const servers = sharedServers();
const env = { KUBECONFIG: servers.kubeconfig, TEMPORAL_ADDRESS: servers.temporalAddress };
const migrations = {
  createArticles: '20260101000001',
  addAuthor: '20260201000001',
  addRating: '20260301000001',
};

let trial: ConfigTrial;
let hooks: HookTrial;
let kubectl = '';

beforeAll(async () => {
  kubectl = await findKubectl();
  trial = await ConfigTrial.open(servers);
  hooks = new HookTrial(trial);
  await makeExampleImages();
  await deploy(readExample('real-namespace.yaml', { 'name: real': `name: ${trial.namespace}` }));
}, 900_000);
afterAll(async () => {
  await trial.close();
});

const deploy = (input: string): Promise<CommandResult> =>
  runSlipway(['deploy', '-n', trial.namespace, '-f', '-'], { env, input });

const k = (...words: readonly string[]): Promise<CommandResult> =>
  runKubectl(kubectl, [`--namespace=${trial.namespace}`, ...words]);

/** What the database itself says, line by line. */
async function ask(statement: string): Promise<readonly string[]> {
  const words = ['exec', 'rc/postgres-1', '--container=postgres', '--', 'psql', '-Atc', statement];
  const { code, stdout, stderr } = await k(...words);
  if (code !== 0) throw new Error(`the database can't be asked: ${stderr}`);
  return stdout.split('\n').filter((line) => line !== '');
}

const columns = (): Promise<readonly string[]> =>
  ask(
    `select column_name from information_schema.columns where table_name = 'articles' order by ordinal_position`,
  );

const applied = (): Promise<readonly string[]> =>
  ask('select version from schema_migrations order by version');

const logsOf = async (version: string, moment: HookMoment, number = 1): Promise<string> =>
  (await k('logs', hookPodName(version, moment, number))).stdout;

/** Where the application answers: in the pod of that version that is ready. */
async function addressOf(version: string): Promise<string> {
  await trial.untilServing(version, 1);
  const pods = await trial.cluster.client.list<Pod>(resources.pods, trial.namespace, {
    labelSelector: `deployment=${version}`,
  });
  const serving = pods.items.find(({ metadata }) => metadata.deletionTimestamp === undefined);
  return `http://${serving?.status?.podIP}:8080/articles`;
}

const readArticles = async (version: string): Promise<unknown> =>
  (await fetch(await addressOf(version))).json();

const scaleDatabase = async (size: number): Promise<void> => {
  expect((await k('scale', 'dc/postgres', `--replicas=${size}`)).code).toBe(0);
  await trial.untilServing('postgres-1', size);
};

describe('a Rails application with a database of its own', () => {
  test('is deployed as rails-1 once its database is migrated', async () => {
    expect(await deploy(readExample('rails/database.yaml'))).toMatchObject({ code: 0 });
    expect(await deploy(readExample('rails/rails.yaml'))).toMatchObject({ code: 0 });
    expect(await logsOf('rails-1', 'pre')).toContain('CreateArticles: migrated');
    expect(await columns()).toEqual(['id', 'title']);
    expect(await applied()).toEqual([migrations.createArticles]);
    const body = new URLSearchParams({ title: 'Hello' });
    const { status } = await fetch(await addressOf('rails-1'), { method: 'POST', body });
    expect(status).toBe(201);
  }, 180_000);

  test('is not deployed as rails-2 while the database is down, and is when it is back', async () => {
    await scaleDatabase(0);
    const deployed = deploy(readExample('rails/rails.yaml', { 'rails:1': 'rails:2' }));
    const refused = endOf(
      await podEnd(trial.cluster, trial.namespace, hookPodName('rails-2', 'pre')),
    );
    expect(refused).toMatchObject({
      exitCode: 1,
      message: expect.stringContaining('Connection refused'),
    });
    await podEnd(trial.cluster, trial.namespace, hookPodName('rails-2', 'pre', 2));
    const waiting = (await trial.version('rails-2'))!;
    expect([phaseOf(waiting), waiting.spec?.replicas]).toEqual(['New', 0]);
    expect((await trial.version('rails-1'))?.spec?.replicas).toBe(1);
    await scaleDatabase(1);
    expect(await deployed).toMatchObject({ code: 0 });
    expect(await columns()).toEqual(['id', 'title', 'author']);
    expect(await applied()).toEqual([migrations.createArticles, migrations.addAuthor]);
    expect(await readArticles('rails-2')).toEqual([{ id: 1, title: 'Hello', author: null }]);
    expect((await trial.version('rails-1'))?.spec?.replicas).toBe(0);
    const seen = await runSlipway(['get', '-n', trial.namespace, 'dc/rails'], { env });
    expect(seen.stdout).toMatch(/try \d+ +Succeeded +rails-2-hook-pre-\d+ +exit 0/);
  }, 240_000);

  test('has its migration taken back when it fails as rails-3, and serves as rails-2', async () => {
    const { code } = await deploy(
      readExample('rails/rails.yaml', {
        'rails:1': 'rails:3',
        'ready-after: 0s': 'ready-after: 1h',
      }),
    );
    expect(code).toBe(1);
    await hooks.untilPhase('rails-3', 'abort', 'Succeeded');
    expect(await logsOf('rails-3', 'pre')).toContain('AddRatingToArticles: migrated');
    expect(await logsOf('rails-3', 'abort')).toContain('AddRatingToArticles: reverted');
    expect(await columns()).toEqual(['id', 'title', 'author']);
    expect(await applied()).toEqual([migrations.createArticles, migrations.addAuthor]);
    expect(await readArticles('rails-2')).toEqual([{ id: 1, title: 'Hello', author: null }]);
    expect(await trial.untilRunEnded('rails', 3)).toBe('FAILED');
  }, 240_000);

  test('keeps what others have migrated when a version fails that has migrated nothing', async () => {
    const { code } = await deploy(
      readExample('rails/rails.yaml', {
        'rails:1': 'rails:2',
        'path: /up': 'path: /missing',
        'timeoutSeconds: 60': 'timeoutSeconds: 15',
      }),
    );
    expect(code).toBe(1);
    await hooks.untilPhase('rails-4', 'abort', 'Succeeded');
    expect(await logsOf('rails-4', 'abort')).toContain('rails-4 has brought no migration');
    expect(await applied()).toEqual([migrations.createArticles, migrations.addAuthor]);
    await waitFor('rails-2 serves', () => readArticles('rails-2'));
  }, 240_000);
});
