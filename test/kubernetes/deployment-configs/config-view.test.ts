import { afterEach, expect, test } from '@jest/globals';

import type { KubernetesClient, ListOptions, WatchEvent } from '../../../src/kubernetes/client.js';
import { configAnnotations } from '../../../src/kubernetes/deployment-configs/annotations.js';
import { buildController } from '../../../src/kubernetes/deployment-configs/build-controller.js';
import { ConfigView } from '../../../src/kubernetes/deployment-configs/config-view.js';
import { watchPods } from '../../../src/kubernetes/watched-pods.js';
import type { DeploymentConfig } from '../../../src/kubernetes/deployment-configs/objects.js';
import type { KubernetesObject } from '../../../src/kubernetes/objects.js';
import type { ResourceType } from '../../../src/kubernetes/resources.js';
import { waitFor } from '../../support/wait-for.js';

const key = { namespace: 'shop', name: 'web' };
let stop = new AbortController();
afterEach(() => {
  stop.abort();
  stop = new AbortController();
});

const configOf = (type: 'Recreate' | 'Rolling'): DeploymentConfig => ({
  metadata: { ...key, uid: 'web-uid', resourceVersion: '1', generation: 1 },
  spec: {
    strategy: { type },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'example.com/web:1' }] },
    },
  },
  status: { latestVersion: 2 },
});

/** A cluster that holds what the test says and tells of what it deletes. */
function clusterWith(objects: Readonly<Record<string, readonly object[]>>) {
  const removed: KubernetesObject[] = [];
  let wake: () => void = () => undefined;
  const client = {
    list: ({ plural }: ResourceType, _namespace?: string, { labelSelector }: ListOptions = {}) =>
      Promise.resolve({
        metadata: { resourceVersion: '10' },
        items: labelSelector === undefined ? (objects[plural] ?? []) : [],
      }),
    async *watch(
      { plural }: ResourceType,
      _namespace: string | undefined,
      { labelSelector, signal }: ListOptions & { signal: AbortSignal },
    ): AsyncGenerator<WatchEvent<KubernetesObject>> {
      while (true) {
        signal.throwIfAborted();
        if (plural === 'pods' && labelSelector === undefined) {
          for (const object of removed.splice(0)) yield { type: 'DELETED', object };
        }
        await new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => {
            resolve();
          });
          if (plural === 'pods' && labelSelector === undefined) wake = resolve;
        });
      }
    },
  };
  return {
    client: client as unknown as KubernetesClient,
    remove: (object: object) => {
      removed.push(object as KubernetesObject);
      wake();
    },
  };
}

const podOf = (name: string, owner: KubernetesObject, over: object = {}) => ({
  metadata: {
    name,
    namespace: key.namespace,
    uid: `${name}-uid`,
    resourceVersion: '5',
    ownerReferences: [
      {
        kind: 'ReplicationController',
        name: owner.metadata.name,
        uid: owner.metadata.uid,
        controller: true,
      },
    ],
    ...over,
  },
});

const versionOf = (config: DeploymentConfig, version: number) => {
  const built = buildController(config, version);
  const { name } = built.metadata;
  return { ...built, metadata: { ...built.metadata, uid: `${name}-uid`, resourceVersion: '3' } };
};

test('a version that is recreated is, though the config has another strategy by now', async () => {
  const [old, own] = [versionOf(configOf('Rolling'), 1), versionOf(configOf('Recreate'), 2)];
  const { client } = clusterWith({
    deploymentconfigs: [configOf('Rolling')],
    replicationcontrollers: [old, own],
    pods: [podOf('web-1-a', old), podOf('web-2-a', own)],
  });
  const view = new ConfigView(client, watchPods(client, {}));
  void view.run(stop.signal);
  await view.whenReady();
  const look = await view.observe({ ...key, version: 2 });
  expect(look?.observation.oldPods).toBe(1);
});

test('the end of a region’s pod is told, though the pod does not say whose it is', async () => {
  const region = {
    metadata: {
      name: 'eu',
      namespace: key.namespace,
      uid: 'eu-uid',
      resourceVersion: '4',
      labels: { [configAnnotations.configName]: key.name },
    },
    spec: { replicas: 1, selector: { region: 'eu' } },
  };
  const pod = podOf('eu-a', region);
  const { client, remove } = clusterWith({
    deploymentconfigs: [configOf('Rolling')],
    replicationcontrollers: [region],
    pods: [pod],
  });
  const view = new ConfigView(client, watchPods(client, {}));
  void view.run(stop.signal);
  await view.whenReady();
  const before = await view.observe({ ...key, version: 2 });
  expect(before?.observation.regions?.[0]?.pods).toHaveLength(1);
  const told: string[] = [];
  view.onChange(({ name }) => told.push(name));
  remove({ metadata: { ...pod.metadata, resourceVersion: '11' } });
  await waitFor('the end is told', () => (told.length > 0 ? told : undefined));
  expect(told).toEqual([key.name]);
});
