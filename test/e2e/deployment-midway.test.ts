import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { annotations } from '../../src/kubernetes/deployments/annotations.js';
import { deploymentTypes } from '../../src/kubernetes/deployments/deployment-key.js';
import type { KubernetesObject, ReplicaSet } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { DeploymentTrial, imageOf, sharedServers } from '../support/deployment-trial.js';
import { waitFor } from '../support/wait-for.js';

let trial: DeploymentTrial;

beforeAll(async () => {
  trial = await DeploymentTrial.open(sharedServers());
});
afterAll(async () => {
  await trial.close();
});

const missing = 'example.com/web:404';

const sizesOf = (sets: readonly ReplicaSet[]): Record<string, number> =>
  Object.fromEntries(sets.map((set) => [imageOf(set) ?? '', set.spec?.replicas ?? 0]));

describe.each(['slipway.dev/v1alpha1', 'apps/v1'] as const)('a Deployment of %s', (api) => {
  const named = (name: string): string => `${name}-${api === 'apps/v1' ? 'builtin' : 'ours'}`;

  /** Stands at some old pods and some new ones that will never be ready. */
  async function standsMidway(name: string): Promise<Record<string, number>> {
    await trial.create(api, name, { replicas: 10 });
    await trial.untilComplete(api, name);
    await trial.setImage(api, name, missing);
    return waitFor(`${name} stands midway`, async () => {
      const sizes = sizesOf(await trial.replicaSets(name));
      const isThere = sizes[missing] === 5 && sizes['example.com/web:1'] === 8;
      return isThere && (await trial.pods(name)).length === 13 ? sizes : undefined;
    });
  }

  test('gets a third template in mid-rollout: it wins, and both older sets go to 0', async () => {
    const name = named('rollover');
    await standsMidway(name);
    await trial.setImage(api, name, 'example.com/web:3');
    await trial.untilComplete(api, name);
    expect(sizesOf(await trial.replicaSets(name))).toEqual({
      'example.com/web:1': 0,
      [missing]: 0,
      'example.com/web:3': 10,
    });
  });

  test('deleted without its sets leaves both as they are; the same one again goes on', async () => {
    const name = named('orphaning');
    await standsMidway(name);
    const before = await trial.replicaSets(name);
    const sizes = sizesOf(before);
    const pods = (await trial.pods(name)).map(({ metadata }) => metadata.uid).sort();
    await trial.cluster.client.delete(deploymentTypes[api], trial.namespace, name, {
      propagationPolicy: 'Orphan',
    });
    await waitFor('it is gone', () => trial.isGone(api, name).then((gone) => gone || undefined));
    expect(await trial.untilRunEnded(name)).toBe('COMPLETED');
    const left = await trial.replicaSets(name);
    expect(sizesOf(left)).toEqual(sizes);
    expect(left.flatMap(({ metadata }) => metadata.ownerReferences ?? [])).toEqual([]);

    const template = trial.manifest(api, name, {}, missing).spec.template;
    const { metadata } = await trial.create(api, name, { replicas: 10, template });
    const adopted = await waitFor('both sets are adopted', async () => {
      const sets = await trial.replicaSets(name);
      const owners = sets.flatMap((set) => set.metadata.ownerReferences ?? []);
      return owners.length === 2 && owners.every(({ uid }) => uid === metadata.uid)
        ? sets
        : undefined;
    });
    expect(adopted.map(({ metadata: { uid } }) => uid).sort()).toEqual(
      before.map(({ metadata: { uid } }) => uid).sort(),
    );
    expect((await trial.pods(name)).map((pod) => pod.metadata.uid).sort()).toEqual(pods);
    await trial.setImage(api, name, 'example.com/web:1');
    await trial.untilComplete(api, name);
    expect(sizesOf(await trial.replicaSets(name))).toEqual({
      ...sizes,
      'example.com/web:1': 10,
      [missing]: 0,
    });
  });

  test('deleted in the foreground takes sets and pods with it', async () => {
    const name = named('foreground');
    await standsMidway(name);
    await trial.cluster.client.delete(deploymentTypes[api], trial.namespace, name, {
      propagationPolicy: 'Foreground',
    });
    await waitFor('all is gone', async () =>
      (await trial.isGone(api, name)) &&
      (await trial.replicaSets(name)).length === 0 &&
      (await trial.pods(name)).length === 0
        ? true
        : undefined,
    );
    expect(await trial.untilRunEnded(name)).toBe('COMPLETED');
  });

  test('lets a set go whose labels no longer match, and takes it back when they do', async () => {
    const name = named('released');
    await trial.create(api, name);
    const { metadata } = await trial.untilComplete(api, name);
    const [set] = await trial.replicaSets(name);
    const setName = set?.metadata.name ?? '';
    const relabel = (app: string): Promise<KubernetesObject> =>
      trial.cluster.client.patch(resources.replicaSets, trial.namespace, setName, 'merge', {
        metadata: { labels: { app } },
      });
    const ownersOf = async (): Promise<string[]> => {
      const one = await trial.cluster.client.get(resources.replicaSets, trial.namespace, setName);
      return one.metadata.ownerReferences?.map(({ uid }) => uid) ?? [];
    };
    await relabel('somebody-else');
    await waitFor('the set is let go', async () =>
      (await ownersOf()).length === 0 ? true : undefined,
    );
    // Without it there is none for the template, so another one is made, under another name.
    await waitFor('another set takes its place', async () => {
      const sets = await trial.replicaSets(name);
      return sets[0]?.status?.availableReplicas === 4 ? sets : undefined;
    });
    await relabel(name);
    await waitFor('the set is taken back', async () =>
      (await ownersOf()).includes(metadata.uid ?? '') ? true : undefined,
    );
    await trial.untilComplete(api, name);
    await waitFor('only 4 pods are left', async () =>
      (await trial.pods(name)).length === 4 ? true : undefined,
    );
  });

  test('names what started each rollout', async () => {
    const name = named('triggers');
    await trial.create(api, name);
    await trial.untilComplete(api, name);
    await trial.setImage(api, name, 'example.com/web:2');
    await trial.untilComplete(api, name);
    const env = [{ name: 'COLOUR', value: 'blue' }];
    const containers = [{ name: 'main', image: 'example.com/web:2', env }];
    await trial.patch(api, name, { spec: { template: { spec: { containers } } } });
    await trial.untilComplete(api, name);
    const restarted = { 'kubectl.kubernetes.io/restartedAt': '2026-01-01T00:00:00Z' };
    await trial.patch(api, name, { spec: { template: { metadata: { annotations: restarted } } } });
    await trial.untilComplete(api, name);
    const sets = await trial.replicaSets(name);
    const started = sets.map(({ metadata }) => [
      metadata.annotations?.[annotations.revision] ?? '',
      metadata.annotations?.[annotations.startedBy],
    ]);
    expect(Object.fromEntries(started)).toEqual({
      1: 'Manual',
      2: 'NewImage',
      3: 'ConfigChange',
      4: 'Manual',
    });
  });

  test('is scaled by a real autoscaler, and says so', async () => {
    const name = named('autoscaled');
    await trial.create(api, name, { replicas: 2 });
    await trial.untilComplete(api, name);
    await trial.cluster.client.create(
      {
        apiVersion: 'autoscaling/v2',
        kind: 'HorizontalPodAutoscaler',
        plural: 'horizontalpodautoscalers',
        namespaced: true,
      },
      {
        metadata: { name, namespace: trial.namespace },
        spec: {
          scaleTargetRef: { apiVersion: api, kind: 'Deployment', name },
          // More than there are: it need not know any load to scale up to that.
          minReplicas: 5,
          maxReplicas: 8,
        },
      } as KubernetesObject,
    );
    await waitFor('it has 5 pods', async () => {
      const { status } = await trial.get(api, name);
      return status?.availableReplicas === 5 ? true : undefined;
    });
    const { triggers } = await trial.run(name).query<{ triggers?: string[] }>('status');
    expect(triggers).toEqual(['Autoscaler']);
    if (api !== 'apps/v1') {
      expect((await trial.get(api, name)).status).toMatchObject({ triggers: ['Autoscaler'] });
    }
  });
});

test('whoever writes the spec of our own kind may say what started it', async () => {
  const api = 'slipway.dev/v1alpha1';
  const name = 'stated';
  await trial.create(api, name, { triggers: ['NewImage', 'ConfigChange'] });
  const { status } = await trial.untilComplete(api, name);
  expect(status).toMatchObject({ triggers: ['NewImage', 'ConfigChange'] });
});
