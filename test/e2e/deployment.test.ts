import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WorkflowFailedError } from '@temporalio/client';

import { searchAttributes } from '../../src/contracts/search-attributes.js';
import { taskQueue } from '../../src/contracts/task-queues.js';
import type { DeploymentRunStatus } from '../../src/contracts/deployment.js';
import { annotations } from '../../src/kubernetes/deployments/annotations.js';
import { deploymentTypes } from '../../src/kubernetes/deployments/deployment-key.js';
import type { Pod } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import {
  conditionOf,
  DeploymentTrial,
  imageOf,
  sharedServers,
} from '../support/deployment-trial.js';
import { waitFor } from '../support/wait-for.js';

let trial: DeploymentTrial;

beforeAll(async () => {
  trial = await DeploymentTrial.open(sharedServers());
});
afterAll(async () => {
  await trial.close();
});

/** A node that doesn't exist: its pods stay pending. */
const nowhere = { nodeSelector: { 'kubernetes.io/hostname': 'nowhere' } };

describe.each(['slipway.dev/v1alpha1', 'apps/v1'] as const)('a Deployment of %s', (api) => {
  const named = (name: string): string => `${name}-${api === 'apps/v1' ? 'builtin' : 'ours'}`;

  test('is rolled out, updated and leaves a readable trace', async () => {
    const name = named('web');
    await trial.create(api, name);
    await trial.untilComplete(api, name);
    await trial.setImage(api, name, 'example.com/web:2');
    const deployment = await trial.untilComplete(api, name);

    expect(deployment.metadata.annotations).toMatchObject({ [annotations.revision]: '2' });
    expect(conditionOf(deployment, 'Available')).toMatchObject({
      status: 'True',
      reason: 'MinimumReplicasAvailable',
    });
    expect(conditionOf(deployment, 'Progressing')).toMatchObject({
      status: 'True',
      reason: 'NewReplicaSetAvailable',
    });
    const sets = await trial.replicaSets(name);
    expect(
      sets
        .map((set) => [
          imageOf(set),
          set.spec?.replicas,
          set.metadata.annotations?.[annotations.revision],
        ])
        .sort(),
    ).toEqual([
      ['example.com/web:1', 0, '1'],
      ['example.com/web:2', 4, '2'],
    ]);
    for (const set of sets) {
      expect(set.metadata.ownerReferences).toEqual([
        expect.objectContaining({ apiVersion: api, kind: 'Deployment', name, controller: true }),
      ]);
    }
    expect(await trial.untilRunEnded(name)).toBe('COMPLETED');
    const { typedSearchAttributes } = await trial.run(name).describe();
    const attributes = Object.fromEntries(
      typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]),
    );
    expect(attributes).toMatchObject({
      SlipwayKind: 'Deployment',
      SlipwayNamespace: trial.namespace,
      SlipwayName: name,
      SlipwayCluster: 'local',
      SlipwayPhase: 'Complete',
      SlipwayRevision: 2,
    });
    await waitFor('an event for each scaling', async () => {
      const { items } = await trial.cluster.client.list(resources.events, trial.namespace, {
        fieldSelector: `regarding.name=${name},reason=ScalingReplicaSet`,
      });
      return items.length >= 3 ? items : undefined;
    });
  });

  test('is scaled without a new revision', async () => {
    const name = named('scaled');
    await trial.create(api, name);
    await trial.untilComplete(api, name);
    await trial.patch(api, name, { spec: { replicas: 7 } });
    const deployment = await trial.untilComplete(api, name);
    expect(deployment.metadata.annotations).toMatchObject({ [annotations.revision]: '1' });
    expect(await trial.replicaSets(name)).toHaveLength(1);
  });

  test('goes back to a template it had, with the same ReplicaSet', async () => {
    const name = named('back');
    await trial.create(api, name);
    await trial.untilComplete(api, name);
    await trial.setImage(api, name, 'example.com/web:2');
    await trial.untilComplete(api, name);
    await trial.setImage(api, name, 'example.com/web:1');
    await trial.untilComplete(api, name);
    const sets = await trial.replicaSets(name);
    expect(sets).toHaveLength(2);
    const first = sets.find((set) => imageOf(set) === 'example.com/web:1');
    expect(first?.metadata.annotations).toMatchObject({
      [annotations.revision]: '3',
      [annotations.revisionHistory]: '1',
    });
  });

  test('with strategy Recreate makes no new pod before the last old one is gone', async () => {
    const name = named('recreate');
    await trial.create(api, name, { strategy: { type: 'Recreate' } });
    const first = await trial.untilComplete(api, name);
    expect(conditionOf(first, 'Available')?.status).toBe('True');
    const old = new Set((await trial.pods(name)).map(({ metadata }) => metadata.uid));
    const overlaps: string[] = [];
    const stop = new AbortController();
    const alive = new Set(old);
    const { metadata } = await trial.cluster.client.list<Pod>(resources.pods, trial.namespace);
    const watching = (async () => {
      const events = trial.cluster.client.watch<Pod>(resources.pods, trial.namespace, {
        labelSelector: `app=${name}`,
        resourceVersion: metadata.resourceVersion,
        signal: stop.signal,
      });
      for await (const { type, object } of events) {
        const { uid = '', name: pod } = object.metadata;
        if (type === 'DELETED') alive.delete(uid);
        else if (type === 'ADDED' && !old.has(uid) && alive.size > 0) overlaps.push(pod);
      }
    })().catch(() => undefined);
    await trial.setImage(api, name, 'example.com/web:2');
    await trial.untilComplete(api, name);
    stop.abort();
    await watching;
    expect(alive.size).toBe(0);
    expect(overlaps).toEqual([]);
  });

  test('is paused by spec.paused, is found as such, says why, and goes on when resumed', async () => {
    const name = named('paused');
    await trial.create(api, name);
    await trial.untilComplete(api, name);
    await trial.setImage(api, name, 'example.com/web:2', { paused: true });
    await trial.untilCondition(api, name, 'Progressing', 'DeploymentPaused');
    const found = await waitFor('the list of paused runs has it', async () => {
      const runs = trial.temporal.workflow.list({
        query: `SlipwayPhase="Paused" AND SlipwayName="${name}" AND ExecutionStatus="Running"`,
      });
      for await (const run of runs) return run;
      return undefined;
    });
    expect(found.workflowId).toBe(trial.workflowId(name));
    const status = await trial.run(name).query<DeploymentRunStatus>('status');
    expect(status).toMatchObject({ phase: 'Paused' });
    expect(status.summary).toContain('Resume it to go on');
    expect((await trial.replicaSets(name)).map(imageOf)).toEqual(['example.com/web:1']);

    await trial.patch(api, name, { spec: { paused: false } });
    await trial.untilComplete(api, name);
    expect(await trial.untilRunEnded(name)).toBe('COMPLETED');
  });

  test('is paused and resumed by signal, which writes spec.paused', async () => {
    const name = named('signalled');
    await trial.create(api, name, { template: stuckTemplate(name) });
    await trial.untilCondition(api, name, 'Progressing', 'ReplicaSetUpdated');
    await trial.run(name).signal('pause', { reason: 'asked by a test' });
    const paused = await trial.untilCondition(api, name, 'Progressing', 'DeploymentPaused');
    expect(paused.spec?.paused).toBe(true);
    expect(paused.metadata.annotations).toMatchObject({
      [annotations.pauseReason]: 'asked by a test',
    });
    const { summary } = await waitFor('the run says why', async () => {
      const status = await trial.run(name).query<DeploymentRunStatus>('status');
      return status.phase === 'Paused' ? status : undefined;
    });
    expect(summary).toContain('asked by a test');
    await trial.run(name).signal('resume');
    const resumed = await trial.untilCondition(api, name, 'Progressing', 'DeploymentResumed');
    expect(resumed.spec?.paused ?? false).toBe(false);
    expect(resumed.metadata.annotations).not.toHaveProperty([annotations.pauseReason]);
    await trial.patch(api, name, { spec: { template: { spec: { nodeSelector: null } } } });
    await trial.untilComplete(api, name);
  });

  test('that misses its deadline fails its run, and a good template mends it', async () => {
    const name = named('late');
    await trial.create(api, name, { template: stuckTemplate(name), progressDeadlineSeconds: 2 });
    const failed = await trial.untilCondition(api, name, 'Progressing', 'ProgressDeadlineExceeded');
    expect(conditionOf(failed, 'Progressing')?.status).toBe('False');
    expect(await trial.untilRunEnded(name)).toBe('FAILED');
    await expect(trial.run(name).result()).rejects.toMatchObject({
      cause: { type: 'ProgressDeadlineExceeded' },
    });
    await trial.patch(api, name, { spec: { template: { spec: { nodeSelector: null } } } });
    await trial.untilComplete(api, name);
  });

  test('that is cancelled in Temporal stops where it is until it is resumed', async () => {
    const name = named('cancelled');
    await trial.create(api, name, { template: stuckTemplate(name) });
    await trial.untilCondition(api, name, 'Progressing', 'ReplicaSetUpdated');
    await trial.run(name).cancel();
    expect(await trial.untilRunEnded(name)).toBe('CANCELLED');
    const stopped = await trial.untilCondition(api, name, 'Progressing', 'DeploymentPaused');
    expect(stopped.spec?.paused).toBe(true);
    expect(stopped.metadata.annotations).toHaveProperty([annotations.cancelled]);
    const sets = await trial.replicaSets(name);
    // As kubectl resumes it, which knows nothing of our annotations.
    await trial.patch(api, name, {
      spec: { paused: false, template: { spec: { nodeSelector: null } } },
    });
    const resumed = await trial.untilComplete(api, name);
    expect(resumed.metadata.annotations).not.toHaveProperty([annotations.cancelled]);
    expect(sets).toHaveLength(1);
  });

  test('takes its ReplicaSets with it when it is deleted, and its run ends', async () => {
    const name = named('deleted');
    await trial.create(api, name, { template: stuckTemplate(name) });
    await trial.untilCondition(api, name, 'Progressing', 'ReplicaSetUpdated');
    await trial.cluster.client.delete(deploymentTypes[api], trial.namespace, name, {
      propagationPolicy: 'Background',
    });
    expect(await trial.untilRunEnded(name)).toBe('COMPLETED');
    await expect(trial.run(name).result()).resolves.toMatchObject({ phase: 'Deleted' });
    await waitFor('its ReplicaSets are gone', async () =>
      (await trial.replicaSets(name)).length === 0 ? true : undefined,
    );
  });

  test('meets an alien ReplicaSet of that very name: takes another name and leaves that one alone', async () => {
    const name = named('collided');
    await trial.create(api, name, { replicas: 2 });
    await trial.untilComplete(api, name);
    const [first] = await trial.replicaSets(name);
    const alien = first?.metadata.name ?? '';
    await trial.cluster.client.delete(deploymentTypes[api], trial.namespace, name);
    await waitFor('the first one is gone', async () =>
      (await trial.isGone(api, name)) && (await trial.replicaSets(name)).length === 0
        ? true
        : undefined,
    );
    const selector = { matchLabels: { app: 'alien' } };
    await trial.cluster.client.create(resources.replicaSets, {
      metadata: { name: alien, namespace: trial.namespace, labels: { app: 'alien' } },
      spec: {
        replicas: 0,
        selector,
        template: {
          metadata: { labels: { app: 'alien' } },
          spec: { containers: [{ name: 'c', image: 'alien' }] },
        },
      },
    } as never);
    await trial.create(api, name, { replicas: 2 });
    const deployment = await trial.untilComplete(api, name);
    expect(deployment.status?.collisionCount).toBe(1);
    const [second] = await trial.replicaSets(name);
    expect(second?.metadata.name).not.toBe(alien);
  });

  test('is applied and followed by a run that CI starts with the manifest', async () => {
    const name = named('from-ci');
    const result: unknown = await trial.temporal.workflow.execute('deployment', {
      workflowId: trial.workflowId(name),
      taskQueue,
      args: [trial.manifest(api, name)],
    });
    expect(result).toMatchObject({ phase: 'Complete', revision: 1 });
    expect((await trial.untilComplete(api, name)).status?.availableReplicas).toBe(4);
  });

  test('from CI fails each time that it is asked for, until it is mended', async () => {
    const name = named('ci-late');
    const manifest = trial.manifest(api, name, {
      template: stuckTemplate(name),
      progressDeadlineSeconds: 1,
    });
    for (const attempt of ['first', 'second']) {
      const failure = await startFromCi(name, manifest);
      expect([attempt, failure.cause]).toEqual([
        attempt,
        expect.objectContaining({ type: 'ProgressDeadlineExceeded' }),
      ]);
    }
  });

  test.each([
    ['a misspelt field', { replcas: 3 }, 'spec.replcas'],
    ['a negative count', { replicas: -1 }, 'spec.replicas'],
    ['a selector that does not match', { selector: { matchLabels: { app: 'other' } } }, 'selector'],
  ])(
    'from CI with %s is refused in one sentence and leaves nothing',
    async (_title, spec, field) => {
      const name = named(`bad-${field.replaceAll('.', '-')}`);
      const { cause } = await startFromCi(name, trial.manifest(api, name, spec));
      expect(cause).toMatchObject({ type: 'BadInput' });
      expect(cause?.message).toContain(field);
      const { typedSearchAttributes } = await trial.run(name).describe();
      expect(typedSearchAttributes.get(searchAttributes.phase)).toBe('Failed');
      expect(await trial.isGone(api, name)).toBe(true);
    },
  );
});

/** Starts the run as CI would, and tells how it failed. */
async function startFromCi(name: string, manifest: object): Promise<WorkflowFailedError> {
  const run = trial.temporal.workflow.execute('deployment', {
    workflowId: trial.workflowId(name),
    taskQueue,
    args: [manifest],
  });
  const failure: unknown = await run.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(WorkflowFailedError);
  return failure as WorkflowFailedError;
}

test('from CI for a namespace that does not exist: one sentence, at once', async () => {
  const namespace = 'no-such-namespace';
  const manifest = { ...trial.manifest('apps/v1', 'web'), metadata: { name: 'web', namespace } };
  const run = trial.temporal.workflow.execute('deployment', {
    workflowId: `deployment/local/${namespace}/web`,
    taskQueue,
    args: [manifest],
  });
  await expect(run).rejects.toMatchObject({ cause: { type: 'Refused' } });
});

test('where both APIs have one of the same name, ours says so and stands back', async () => {
  const api = 'slipway.dev/v1alpha1';
  const name = 'twin';
  await trial.create('apps/v1', name);
  await trial.untilComplete('apps/v1', name);
  await trial.create(api, name);
  const twin = await trial.untilCondition(api, name, 'Progressing', 'InvalidTemplate');
  expect(conditionOf(twin, 'Progressing')?.message).toContain('metadata.name');
  expect(await trial.replicaSets(name)).toHaveLength(1);
});

function stuckTemplate(name: string): object {
  return {
    metadata: { labels: { app: name } },
    spec: { ...nowhere, containers: [{ name: 'main', image: 'example.com/web:1' }] },
  };
}

test('our own kind needs no selector: it is the labels of the template', async () => {
  const api = 'slipway.dev/v1alpha1';
  const name = 'no-selector';
  await trial.create(api, name, { selector: undefined });
  const deployment = await trial.untilComplete(api, name);
  expect((deployment.status as { selector?: string } | undefined)?.selector).toBe(`app=${name}`);
});

test('a template that only the apiserver can judge becomes a condition that names the field', async () => {
  const api = 'slipway.dev/v1alpha1';
  const name = 'bad-template';
  await trial.create(api, name, {
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'Not_A_Name', image: 'x' }] },
    },
  });
  const deployment = await trial.untilCondition(api, name, 'Progressing', 'InvalidTemplate');
  expect(conditionOf(deployment, 'Progressing')?.message).toContain(
    'spec.template.spec.containers[0].name',
  );
  expect(await trial.replicaSets(name)).toEqual([]);
  expect(await trial.untilRunEnded(name)).toBe('FAILED');
  await expect(trial.run(name).result()).rejects.toMatchObject({
    cause: { type: 'InvalidTemplate' },
  });
});
