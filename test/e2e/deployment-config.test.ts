import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { searchAttributes } from '../../src/contracts/search-attributes.js';
import { taskQueue } from '../../src/contracts/task-queues.js';
import { versionWorkflowId } from '../../src/contracts/workflow-ids.js';
import { cancelReasons } from '../../src/domain/deployment-config/cancel-reasons.js';
import { configAnnotations } from '../../src/kubernetes/deployment-configs/annotations.js';
import { decodeConfig } from '../../src/kubernetes/deployment-configs/build-controller.js';
import type { ReplicationController } from '../../src/kubernetes/deployment-configs/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { ConfigTrial, hasty, reasonOf } from '../support/config-trial.js';
import { sharedServers } from '../support/deployment-trial.js';
import { waitFor } from '../support/wait-for.js';

let trial: ConfigTrial;

beforeAll(async () => {
  trial = await ConfigTrial.open(sharedServers());
});
afterAll(async () => {
  await trial.close();
});

const broken = 'example.com/web:404';
const causesOf = async (name: string): Promise<string[]> =>
  (await trial.get(name)).status?.details?.causes?.map(({ type }) => type) ?? [];

describe('versions', () => {
  test('the first is made by the config, and each change of the template makes one more', async () => {
    await trial.create('rolled');
    const first = await trial.untilPhase('rolled-1', 'Complete');
    expect(first.metadata.labels).toMatchObject({ [configAnnotations.configName]: 'rolled' });
    expect(first.spec?.selector).toMatchObject({ deployment: 'rolled-1', app: 'rolled' });
    expect(first.metadata.annotations).not.toHaveProperty([configAnnotations.desiredReplicas]);
    expect(await causesOf('rolled')).toEqual(['ConfigChange']);

    await trial.setImage('rolled', 'example.com/web:2');
    const second = await trial.untilPhase('rolled-2', 'Complete');
    const image = decodeConfig(second)?.spec.template.spec?.containers[0]?.image;
    expect(image).toBe('example.com/web:2');
    await trial.untilServing('rolled-2', 4);
    await trial.untilServing('rolled-1', 0);
    expect(await trial.untilRunEnded('rolled', 2)).toBe('COMPLETED');
    const { typedSearchAttributes } = await trial.run('rolled', 2).describe();
    expect(typedSearchAttributes.get(searchAttributes.phase)).toBe('Complete');
    const config = await trial.untilCondition(
      'rolled',
      'Progressing',
      'NewReplicationControllerAvailable',
    );
    expect(config.status).toMatchObject({ latestVersion: 2, updatedReplicas: 4 });
  });

  test('what is no change of the template makes none', async () => {
    await trial.create('steady');
    await trial.untilPhase('steady-1', 'Complete');
    await trial.patch('steady', { metadata: { labels: { team: 'shop' } }, spec: { replicas: 6 } });
    await trial.untilServing('steady-1', 6);
    expect((await trial.get('steady')).status?.latestVersion).toBe(1);
  });

  test('without triggers one is made when somebody asks, once for each time', async () => {
    await trial.create('asked', { triggers: [] });
    const request = JSON.stringify({ version: 1, by: 'ann', reason: 'first try' });
    await trial.patch('asked', {
      metadata: { annotations: { [configAnnotations.request]: request } },
    });
    await trial.untilPhase('asked-1', 'Complete');
    const config = await waitFor('the request is answered', async () => {
      const found = await trial.get('asked');
      const isOpen = found.metadata.annotations?.[configAnnotations.request] !== undefined;
      return isOpen ? undefined : found;
    });
    expect(config.status).toMatchObject({
      latestVersion: 1,
      details: { causes: [{ type: 'Manual', by: 'ann' }] },
    });
    // The same request again asks for a version that is there.
    await trial.patch('asked', {
      metadata: { annotations: { [configAnnotations.request]: request } },
    });
    await waitFor('it is taken away', async () => {
      const { metadata } = await trial.get('asked');
      return metadata.annotations?.[configAnnotations.request] === undefined ? true : undefined;
    });
    expect((await trial.get('asked')).status?.latestVersion).toBe(1);
  });

  test('the history keeps as many as its limit says', async () => {
    await trial.create('limited', { revisionHistoryLimit: 1, replicas: 1 });
    for (const version of [1, 2, 3]) {
      await trial.untilPhase(`limited-${version}`, 'Complete');
      await trial.setImage('limited', `example.com/web:${version + 1}`);
    }
    await trial.untilPhase('limited-4', 'Complete');
    await waitFor('old versions are gone', async () =>
      (await trial.version('limited-2')) === undefined ? true : undefined,
    );
    expect(await trial.version('limited-3')).toBeDefined();
  });
});

test('a recreation ends all old pods before new ones come', async () => {
  await trial.create('recreated', { strategy: { type: 'Recreate' } });
  await trial.untilPhase('recreated-1', 'Complete');
  await trial.setImage('recreated', 'example.com/web:2');
  await trial.untilPhase('recreated-2', 'Complete');
  await trial.untilServing('recreated-2', 4);
});

test('a test has pods only while it is being deployed', async () => {
  await trial.create('tested', { test: true });
  await trial.untilPhase('tested-1', 'Complete');
  await trial.untilServing('tested-1', 0);
});

describe('in flight', () => {
  test('a version that is cancelled fails, and the last complete one serves again', async () => {
    await trial.create('stopped');
    await trial.untilPhase('stopped-1', 'Complete');
    await trial.setImage('stopped', broken);
    await trial.untilPhase('stopped-2', 'Running');
    await trial.annotateVersion('stopped-2', { [configAnnotations.cancelled]: 'true' });
    const failed = await trial.untilPhase('stopped-2', 'Failed');
    expect(reasonOf(failed)).toBe(cancelReasons.byUser);
    await trial.untilServing('stopped-1', 4);
    await trial.untilServing('stopped-2', 0);
    await trial.untilCondition('stopped', 'Progressing', 'RolloutCancelled');
    expect(await trial.untilRunEnded('stopped', 2)).toBe('FAILED');
  });

  test('cancelling the run does the same', async () => {
    await trial.create('called-off');
    await trial.untilPhase('called-off-1', 'Complete');
    await trial.setImage('called-off', broken);
    await trial.untilPhase('called-off-2', 'Running');
    await trial.run('called-off', 2).cancel();
    await trial.untilPhase('called-off-2', 'Failed');
    await trial.untilServing('called-off-1', 4);
    expect(await trial.untilRunEnded('called-off', 2)).toBe('CANCELLED');
  });

  test('a newer version takes over from one that is under way', async () => {
    await trial.create('overtaken');
    await trial.untilPhase('overtaken-1', 'Complete');
    await trial.setImage('overtaken', broken);
    await trial.untilPhase('overtaken-2', 'Running');
    await trial.setImage('overtaken', 'example.com/web:3');
    const failed = await trial.untilPhase('overtaken-2', 'Failed');
    expect(reasonOf(failed)).toBe(cancelReasons.newerFound);
    await trial.untilPhase('overtaken-3', 'Complete');
    await trial.untilServing('overtaken-3', 4);
  });

  test('one that gets nowhere fails after its time, and can be tried again', async () => {
    await trial.create('late');
    await trial.untilPhase('late-1', 'Complete');
    await trial.setImage('late', broken, hasty);
    const failed = await trial.untilPhase('late-2', 'Failed');
    expect(reasonOf(failed)).toContain(cancelReasons.timedOut);
    await trial.untilServing('late-1', 4);
    await trial.untilCondition('late', 'Progressing', 'ProgressDeadlineExceeded');
    await trial.annotateVersion('late-2', { [configAnnotations.retry]: 'now' });
    await trial.untilPhase('late-2', 'Running');
    await trial.untilPhase('late-2', 'Failed');
  });

  test('a config that is paused makes no version and holds the one that is under way', async () => {
    await trial.create('held');
    await trial.untilPhase('held-1', 'Complete');
    await trial.setImage('held', broken);
    await trial.untilPhase('held-2', 'Running');
    await trial.run('held', 2).signal('pause', { reason: 'lunch' });
    await trial.untilCondition('held', 'Progressing', 'DeploymentPaused');
    await trial.setImage('held', 'example.com/web:3');
    await trial.untilCondition('held', 'Progressing', 'DeploymentPaused');
    expect((await trial.get('held')).status?.latestVersion).toBe(2);
    await trial.run('held', 2).signal('resume');
    await trial.untilPhase('held-3', 'Complete');
  });
});

test('what belongs to a config goes with it, and its run ends', async () => {
  await trial.create('deleted');
  await trial.untilPhase('deleted-1', 'Complete');
  await trial.setImage('deleted', broken);
  await trial.untilPhase('deleted-2', 'Running');
  const { client } = trial.cluster;
  const { resources } = await import('../../src/kubernetes/resources.js');
  await client.delete(resources.deploymentConfigs, trial.namespace, 'deleted');
  await waitFor('its versions are gone', async () =>
    (await trial.version('deleted-1')) === undefined ? true : undefined,
  );
  expect(await trial.untilRunEnded('deleted', 2)).toBe('COMPLETED');
});

test('a rollout takes its time between steps, and no longer than it may in all', async () => {
  const rollingParams = {
    updatePeriodSeconds: 3,
    timeoutSeconds: 4,
    maxSurge: 1,
    maxUnavailable: 0,
  };
  await trial.create('paced');
  await trial.untilPhase('paced-1', 'Complete');
  await trial.setImage('paced', 'example.com/web:2', {
    strategy: { type: 'Rolling', rollingParams, activeDeadlineSeconds: 5 },
  });
  const failed = await trial.untilPhase('paced-2', 'Failed');
  expect(reasonOf(failed)).toBe(cancelReasons.tookTooLong);
  await trial.untilServing('paced-1', 4);
});

describe('a run that somebody starts', () => {
  const start = (name: string, version: number, input: object) =>
    trial.temporal.workflow.start('deploymentConfig', {
      workflowId: versionWorkflowId(
        { cluster: 'local', namespace: trial.namespace, name },
        version,
      ),
      taskQueue,
      args: [input],
    });
  const manifest = (name: string, image: string) => ({
    apiVersion: 'apps.openshift.io/v1',
    kind: 'DeploymentConfig',
    metadata: { name, annotations: { team: 'shop' } },
    spec: { replicas: 2, selector: { app: name }, template: trial.template(name, image) },
  });

  test('with a manifest applies it, makes one version of it and follows that', async () => {
    const first = await start('started', 1, manifest('started', 'example.com/web:1'));
    expect(await first.result()).toMatchObject({ phase: 'Complete', version: 1 });
    const config = await trial.get('started');
    expect(config.metadata.annotations).toMatchObject({ team: 'shop' });
    expect(config.status).toMatchObject({
      latestVersion: 1,
      details: {
        causes: [
          { type: 'Manual', by: expect.stringContaining(first.firstExecutionRunId) },
          { type: 'ConfigChange' },
        ],
      },
    });
    const second = await start('started', 2, manifest('started', 'example.com/web:2'));
    expect(await second.result()).toMatchObject({ phase: 'Complete', version: 2 });
    expect((await trial.get('started')).status?.latestVersion).toBe(2);
  });

  test('without one asks for the version', async () => {
    const ref = { cluster: 'local', namespace: trial.namespace, name: 'started', version: 3 };
    const request = { by: 'ci', reason: 'nightly' };
    const third = await start('started', 3, { ...ref, request });
    expect(await third.result()).toMatchObject({ phase: 'Complete', version: 3 });
    const [cause] = (await trial.get('started')).status?.details?.causes ?? [];
    expect(cause).toMatchObject({ type: 'Manual', reason: 'nightly' });
    expect(cause?.by).toMatch(/^ci \(run /);
  });

  test('fails with its version, and another one tries that again', async () => {
    const broken = {
      ...manifest('tried', 'example.com/web:404'),
      spec: {
        ...manifest('tried', 'example.com/web:404').spec,
        strategy: { type: 'Rolling', rollingParams: { timeoutSeconds: 2 } },
      },
    };
    const first = await start('tried', 1, broken);
    await expect(first.result()).rejects.toMatchObject({ cause: { type: 'Failed' } });
    const startOf = (version: ReplicationController | undefined): number =>
      Date.parse(version?.metadata.annotations?.[configAnnotations.startedAt] ?? '');
    const started = startOf(await trial.version('tried-1'));
    const ref = { cluster: 'local', namespace: trial.namespace, name: 'tried', version: 1 };
    const again = await start('tried', 1, { ...ref, request: {} });
    await expect(again.result()).rejects.toMatchObject({ cause: { type: 'Failed' } });
    const startedAgain = startOf(await trial.version('tried-1'));
    expect(startedAgain).toBeGreaterThan(started);
  });

  test.each<[string, number, object, RegExp]>([
    ['started', 9, { spec: {} }, /version: the next version of started is 4, not 9/],
    ['started', 3, {}, /version: started-3 is Complete already; the next version is 4/],
    ['started', 4, { kind: 'Deployment' }, /kind: must be DeploymentConfig/],
    ['started', 4, { metadata: { name: 'other' } }, /metadata.name: is "other"/],
    ['started', 4, { spec: { replicas: -1 } }, /spec.replicas/],
    ['started', 4, { spec: { replica: 1 } }, /replica/],
  ])('of %s-%s with %j is refused, and nothing changes', async (name, version, over, problem) => {
    const before = await trial.get(name);
    const run = await start(name, version, { ...manifest(name, 'example.com/web:9'), ...over });
    await expect(run.result()).rejects.toMatchObject({
      cause: { type: 'BadInput', message: expect.stringMatching(problem) },
    });
    expect((await trial.get(name)).spec).toEqual(before.spec);
  });

  test('for a config that is not there is refused', async () => {
    const ref = { cluster: 'local', namespace: trial.namespace, name: 'nobody', version: 1 };
    const run = await start('nobody', 1, { ...ref, request: {} });
    await expect(run.result()).rejects.toMatchObject({ cause: { type: 'BadInput' } });
  });
});

test('a namespace that is deleted takes its configs and Deployments along, and no run fails of that', async () => {
  const doomed = await ConfigTrial.open(sharedServers());
  const { namespace, cluster } = doomed;
  const names = Array.from({ length: 8 }, (_, index) => `doomed-${index}`);
  try {
    for (const name of names) {
      await doomed.create(name, { replicas: 1 });
      const labels = { app: `own-${name}` };
      await cluster.client.create(resources.slipwayDeployments, {
        metadata: { name: `own-${name}`, namespace },
        spec: {
          replicas: 1,
          selector: { matchLabels: labels },
          template: { ...doomed.template(name), metadata: { labels } },
        },
      });
    }
    for (const name of names) await doomed.untilPhase(`${name}-1`, 'Complete');
  } finally {
    await doomed.close();
  }
  const count = (status: string): Promise<number> =>
    trial.temporal.workflow
      .count(`SlipwayNamespace="${namespace}" AND ExecutionStatus="${status}"`)
      .then((found) => found.count);
  await waitFor('the namespace is gone', async () => {
    const list = await trial.cluster.client.list(resources.namespaces);
    return list.items.every(({ metadata }) => metadata.name !== namespace) || undefined;
  });
  await waitFor('its runs have ended', async () => (await count('Running')) === 0 || undefined);
  expect(await count('Completed')).toBeGreaterThanOrEqual(names.length);
  expect(await count('Failed')).toBe(0);
});
