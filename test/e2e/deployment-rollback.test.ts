import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { searchAttributes } from '../../src/contracts/search-attributes.js';
import { taskQueue } from '../../src/contracts/task-queues.js';
import type { DeploymentApi } from '../../src/domain/deployment/observation.js';
import { annotations } from '../../src/kubernetes/deployments/annotations.js';
import type { Deployment, KubernetesObject, ReplicaSet } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import {
  conditionOf,
  DeploymentTrial,
  imageOf,
  sharedServers,
} from '../support/deployment-trial.js';
import { runSlipway } from '../support/slipway-command.js';
import { waitFor } from '../support/wait-for.js';

let trial: DeploymentTrial;

beforeAll(async () => {
  trial = await DeploymentTrial.open(sharedServers());
});
afterAll(async () => {
  await trial.close();
});

const good = 'example.com/web:1';
const better = 'example.com/web:2';
const missing = 'example.com/web:404';
const crashing = 'example.com/web:crash';

interface EventObject extends KubernetesObject {
  readonly type: string;
  readonly reason: string;
  readonly note: string;
}

async function untilEvent(name: string, reason: string): Promise<EventObject> {
  return waitFor(`an event ${reason} about ${name}`, async () => {
    const { items } = await trial.cluster.client.list<EventObject>(
      resources.events,
      trial.namespace,
      { fieldSelector: `regarding.name=${name},reason=${reason}` },
    );
    return items[0];
  });
}

async function setOf(name: string, image: string): Promise<ReplicaSet | undefined> {
  return (await trial.replicaSets(name)).find((set) => imageOf(set) === image);
}

const imageIn = ({ spec }: Deployment): string | undefined =>
  spec?.template.spec?.containers[0]?.image;

describe.each(['slipway.dev/v1alpha1', 'apps/v1'] as const)('a Deployment of %s', (api) => {
  const named = (name: string): string => `${name}-${api === 'apps/v1' ? 'builtin' : 'ours'}`;

  /** As each API asks for it. */
  const rollbackTo = (revision: number): object =>
    api === 'apps/v1'
      ? { metadata: { annotations: { [annotations.rollbackTo]: String(revision) } } }
      : { spec: { rollbackTo: { revision } } };

  const wish = (deployment: Deployment): unknown =>
    deployment.spec?.rollbackTo ?? deployment.metadata.annotations?.[annotations.rollbackTo];

  async function withTwoRevisions(name: string): Promise<void> {
    await trial.create(api, name);
    await trial.untilComplete(api, name);
    await trial.setImage(api, name, better);
    await trial.untilComplete(api, name);
  }

  async function untilWishIsGone(name: string): Promise<Deployment> {
    return waitFor(`the wish of ${name} is taken away`, async () => {
      const deployment = await trial.get(api, name);
      return wish(deployment) === undefined ? deployment : undefined;
    });
  }

  test.each([0, 1])('goes back when asked for revision %s', async (revision) => {
    const name = named(`asked-${revision}`);
    await withTwoRevisions(name);
    await trial.patch(api, name, rollbackTo(revision));
    await untilWishIsGone(name);
    const back = await trial.untilComplete(api, name);
    expect(imageIn(back)).toBe(good);
    expect(back.metadata.annotations).toMatchObject({ [annotations.revision]: '3' });
    const set = await setOf(name, good);
    expect(set?.metadata.annotations).toMatchObject({
      [annotations.revisionHistory]: '1',
      [annotations.startedBy]: 'Manual',
    });
    expect(await untilEvent(name, 'DeploymentRollback')).toMatchObject({
      type: 'Normal',
      note: `Rolled back deployment "${name}" to revision 1`,
    });
  });

  test.each([
    ['is not there', 9, 'DeploymentRollbackRevisionNotFound'],
    ['is the current one', 2, 'DeploymentRollbackTemplateUnchanged'],
  ])('stays when the revision asked for %s, and says so', async (_title, revision, reason) => {
    const name = named(`refused-${revision}`);
    await withTwoRevisions(name);
    await trial.patch(api, name, rollbackTo(revision));
    const { type } = await untilEvent(name, reason);
    expect(type).toBe('Warning');
    const stayed = await untilWishIsGone(name);
    expect(imageIn(stayed)).toBe(better);
    expect(stayed.metadata.annotations).toMatchObject({ [annotations.revision]: '2' });
  });

  /** Of a revision that is to fail: one that is not may need longer on a busy machine. */
  const hasty = { progressDeadlineSeconds: 2 };

  /** Revision 1 is complete, revision 2 can't be. */
  async function failingRollout(
    name: string,
    image: string,
    spec: object,
    failing: object = {},
  ): Promise<void> {
    const { onFailure, metadata } = rollsBack(api);
    const manifest = trial.manifest(api, name, { ...onFailure, ...spec });
    await trial.temporal.workflow.execute('deployment', {
      workflowId: trial.workflowId(name),
      taskQueue,
      args: [{ ...manifest, metadata: { ...manifest.metadata, ...metadata } }],
    });
    await trial.setImage(api, name, image, failing);
  }

  async function untilRolledBack(name: string, reason: string): Promise<Deployment> {
    await trial.untilCondition(api, name, 'RolledBack', reason);
    return trial.untilComplete(api, name);
  }

  test('rolls back by itself when the deadline is missed: once, and says why', async () => {
    const name = named('late-back');
    await failingRollout(name, missing, {}, hasty);
    const back = await untilRolledBack(name, 'ProgressDeadlineExceeded');
    expect(imageIn(back)).toBe(good);
    expect(conditionOf(back, 'RolledBack')?.message).toBe(
      'Revision 2 made no progress for 2 s; rolled back to revision 1',
    );
    expect((await untilEvent(name, 'DeploymentRollback')).note).toContain('made no progress');
    expect(await trial.untilRunEnded(name)).toBe('FAILED');
    await expect(trial.run(name).result()).rejects.toMatchObject({ cause: { type: 'RolledBack' } });
    const { typedSearchAttributes } = await trial.run(name).describe();
    expect(typedSearchAttributes.get(searchAttributes.phase)).toBe('RolledBack');
    const failed = await setOf(name, missing);
    expect(failed?.metadata.annotations?.[annotations.failed]).toContain('made no progress');

    // Whoever sends the same template again gets it, and its failure, without another rollback.
    await trial.setImage(api, name, missing);
    const stays = await trial.untilCondition(api, name, 'Progressing', 'ProgressDeadlineExceeded');
    expect(imageIn(stays)).toBe(missing);
    expect(conditionOf(stays, 'RolledBack')).toBeUndefined();
    expect(await trial.untilRunEnded(name)).toBe('FAILED');
    await expect(trial.run(name).result()).rejects.toMatchObject({
      cause: { type: 'ProgressDeadlineExceeded' },
    });
  });

  test('rolls back by itself when its pods crash, long before the deadline', async () => {
    const name = named('crash-back');
    await failingRollout(name, crashing, { progressDeadlineSeconds: 3_600 });
    const back = await untilRolledBack(name, 'PodsCrash');
    expect(imageIn(back)).toBe(good);
    expect(conditionOf(back, 'RolledBack')?.message).toMatch(
      /^Revision 2 failed: container main of pod \S+ keeps crashing with exit code 1, .*; rolled back to revision 1$/,
    );
    // A good template ends the story.
    await trial.setImage(api, name, better);
    const mended = await trial.untilComplete(api, name);
    expect(conditionOf(mended, 'RolledBack')).toBeUndefined();
    expect(mended.metadata.annotations).not.toHaveProperty([annotations.rolledBack]);
  });

  test('with Recreate goes back to what was complete, although none of its pods is left', async () => {
    const name = named('recreate-back');
    await failingRollout(name, missing, { strategy: { type: 'Recreate' } }, hasty);
    const back = await untilRolledBack(name, 'ProgressDeadlineExceeded');
    expect(imageIn(back)).toBe(good);
  });

  test('without an earlier revision stays failed, and says that there is none', async () => {
    const name = named('first-fails');
    const { onFailure, metadata } = rollsBack(api);
    const manifest = trial.manifest(
      api,
      name,
      { ...onFailure, progressDeadlineSeconds: 1 },
      missing,
    );
    const run = trial.temporal.workflow.execute('deployment', {
      workflowId: trial.workflowId(name),
      taskQueue,
      args: [{ ...manifest, metadata: { ...manifest.metadata, ...metadata } }],
    });
    const failure: unknown = await run.catch((error: unknown) => error);
    expect(failure).toMatchObject({ cause: { type: 'ProgressDeadlineExceeded' } });
    expect(String((failure as Error).cause)).toContain('nothing to roll back to');
  });

  test('rolled back under the eyes of "slipway deploy" makes it exit 1 and say why', async () => {
    const name = named('deploy-back');
    const { onFailure, metadata } = rollsBack(api);
    const deploy = (image: string, failing: object = {}) => {
      const manifest = trial.manifest(api, name, { ...onFailure, ...failing }, image);
      const text = JSON.stringify({ ...manifest, metadata: { ...manifest.metadata, ...metadata } });
      const { kubeconfig } = sharedServers();
      return runSlipway(['deploy', '-f', '-', '--kubeconfig', kubeconfig], { input: text });
    };
    expect((await deploy(good)).code).toBe(0);
    const failed = await deploy(missing, hasty);
    expect(failed.stdout).toContain('rolled back');
    expect(failed.stdout).toContain('Revision 2 made no progress for 2 s');
    expect(failed.code).toBe(1);
    // What it went back to is what this asks for, so there is nothing to complain about.
    expect((await deploy(good)).code).toBe(0);
  });
});

/** As each API says it. */
function rollsBack(api: DeploymentApi): { onFailure: object; metadata: object } {
  return api === 'apps/v1'
    ? { onFailure: {}, metadata: { annotations: { [annotations.rollbackOnFailure]: 'true' } } }
    : { onFailure: { rollbackOnFailure: true }, metadata: {} };
}

test('a template that can not be used is left by spec.rollbackTo', async () => {
  const api = 'slipway.dev/v1alpha1';
  const name = 'unusable';
  await trial.create(api, name);
  await trial.untilComplete(api, name);
  const container = { name: 'Not_A_Name', image: better };
  await trial.patch(api, name, { spec: { template: { spec: { containers: [container] } } } });
  await trial.untilCondition(api, name, 'Progressing', 'InvalidTemplate');
  expect((await untilEvent(name, 'InvalidTemplate')).note).toContain(
    'spec.template.spec.containers[0].name',
  );
  await trial.patch(api, name, { spec: { rollbackTo: {} } });
  const back = await trial.untilComplete(api, name);
  expect(imageIn(back)).toBe(good);
});

test.each([
  [annotations.rollbackOnFailure, 'perhaps'],
  [annotations.triggers, 'NewMoon'],
])(
  'a wrong annotation %s is named, and nothing is touched until it is mended',
  async (key, value) => {
    const name = `wrong-${value.toLowerCase()}`;
    await trial.create('apps/v1', name);
    await trial.untilComplete('apps/v1', name);
    await trial.patch('apps/v1', name, { metadata: { annotations: { [key]: value } } });
    const wrong = await trial.untilCondition('apps/v1', name, 'Progressing', 'InvalidTemplate');
    expect(conditionOf(wrong, 'Progressing')?.message).toContain(`metadata.annotations[${key}]`);
    expect((await untilEvent(name, 'InvalidTemplate')).note).toContain(key);
    expect(await trial.replicaSets(name)).toHaveLength(1);
    await trial.patch('apps/v1', name, { metadata: { annotations: { [key]: null } } });
    await trial.setImage('apps/v1', name, better);
    await trial.untilComplete('apps/v1', name);
  },
);

test.each(['two', '-1'])('a revision %s in the annotation is refused at once', async (revision) => {
  const name = 'wrong-revision';
  const manifest = trial.manifest('apps/v1', name);
  const note = { annotations: { [annotations.rollbackTo]: revision } };
  const object = { ...manifest, metadata: { ...manifest.metadata, ...note } };
  await expect(
    trial.cluster.client.create(resources.builtInDeployments, object),
  ).rejects.toMatchObject({ message: expect.stringMatching(/rollback/) as unknown });
});
