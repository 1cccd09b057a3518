import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { configAnnotations } from '../../src/kubernetes/deployment-configs/annotations.js';
import type { ReplicationController } from '../../src/kubernetes/deployment-configs/objects.js';
import type { Pod } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { ConfigTrial, hasty } from '../support/config-trial.js';
import { sharedServers } from '../support/deployment-trial.js';
import { waitFor } from '../support/wait-for.js';

let trial: ConfigTrial;

beforeAll(async () => {
  trial = await ConfigTrial.open(sharedServers());
});
afterAll(async () => {
  await trial.close();
});

/** A ReplicationController of a user's own, made part of a config by its label. */
function createRegion(
  name: string,
  config: string,
  replicas: number,
): Promise<ReplicationController> {
  return trial.cluster.client.create<ReplicationController>(resources.replicationControllers, {
    metadata: {
      name,
      namespace: trial.namespace,
      labels: { [configAnnotations.configName]: config },
    },
    spec: {
      replicas,
      selector: { region: name },
      template: {
        metadata: { labels: { region: name } },
        spec: {
          terminationGracePeriodSeconds: 0,
          tolerations: [{ key: 'region', operator: 'Equal', value: name }],
          containers: [{ name: 'web', image: 'example.com/web:0' }],
        },
      },
    },
  });
}

const imageOf = (region: ReplicationController | undefined): string | undefined =>
  region?.spec?.template?.spec?.containers[0]?.image;

async function podImages(region: string): Promise<string[]> {
  const { items } = await trial.cluster.client.list<Pod>(resources.pods, trial.namespace, {
    labelSelector: `region=${region}`,
  });
  return items.map(({ spec }) => spec?.containers[0]?.image ?? '');
}

const untilMoved = (region: string, image: string, size: number): Promise<string[]> =>
  waitFor(`all ${size} pods of ${region} run ${image}`, async () => {
    const images = await podImages(region);
    return images.length === size && images.every((found) => found === image) ? images : undefined;
  });

test('regions get the new template in the same deployment, and keep their size and place', async () => {
  await trial.create('shop');
  await trial.untilPhase('shop-1', 'Complete');
  await createRegion('shop-eu', 'shop', 3);
  await createRegion('shop-us', 'shop', 2);
  await createRegion('other', 'nobody', 1);
  await untilMoved('shop-eu', 'example.com/web:0', 3);

  await trial.setImage('shop', 'example.com/web:2');
  await trial.untilPhase('shop-2', 'Complete');
  expect(await podImages('shop-eu')).toEqual(Array(3).fill('example.com/web:2'));
  expect(await podImages('shop-us')).toEqual(Array(2).fill('example.com/web:2'));
  expect(imageOf(await trial.version('other'))).toBe('example.com/web:0');
  const eu = await trial.version('shop-eu');
  expect(eu?.spec?.replicas).toBe(3);
  expect(eu?.spec?.template?.spec?.tolerations).toEqual([
    { key: 'region', operator: 'Equal', value: 'shop-eu' },
  ]);
  expect(eu?.spec?.template?.metadata?.labels).toMatchObject({ region: 'shop-eu', app: 'shop' });
  expect((await trial.get('shop')).status?.replicas).toBe(4);
});

test('a version that fails in a region takes it back', async () => {
  await trial.create('fragile');
  await trial.untilPhase('fragile-1', 'Complete');
  await createRegion('fragile-eu', 'fragile', 2);
  await trial.setImage('fragile', 'example.com/web:2');
  await trial.untilPhase('fragile-2', 'Complete');

  // The version itself is well, and nothing of it fits into the region.
  await trial.cluster.client.patch(
    resources.replicationControllers,
    trial.namespace,
    'fragile-eu',
    'json',
    [{ op: 'add', path: '/spec/template/spec/nodeSelector', value: { nowhere: 'true' } }],
  );
  await trial.setImage('fragile', 'example.com/web:3', hasty);
  const failed = await trial.untilPhase('fragile-3', 'Failed');
  expect(failed.metadata.annotations?.[configAnnotations.statusReason]).toMatch(/no progress/);
  await waitFor('the region has the last good template', async () => {
    const image = imageOf(await trial.version('fragile-eu'));
    return image === 'example.com/web:2' ? image : undefined;
  });
  await trial.untilServing('fragile-2', 4);
});

test('strategy Recreate empties a region before its new pods come', async () => {
  await trial.create('single', { replicas: 1, strategy: { type: 'Recreate' } });
  await trial.untilPhase('single-1', 'Complete');
  await createRegion('single-eu', 'single', 2);
  await trial.setImage('single', 'example.com/web:2');
  await trial.untilPhase('single-2', 'Complete');
  await untilMoved('single-eu', 'example.com/web:2', 2);
  const region = await trial.version('single-eu');
  expect(region?.spec?.replicas).toBe(2);
  expect(region?.metadata.annotations ?? {}).not.toHaveProperty([configAnnotations.heldSize]);
});
