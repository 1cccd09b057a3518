import { expect, test } from '@jest/globals';

import { ApiError } from '../../../src/kubernetes/api-error.js';
import type { KubernetesClient } from '../../../src/kubernetes/client.js';
import { findPullSecrets } from '../../../src/kubernetes/image-repositories/find-pull-secrets.js';
import type { ImageRepositorySpec } from '../../../src/kubernetes/image-repositories/objects.js';
import type { ResourceType } from '../../../src/kubernetes/resources.js';

const missing = new ApiError(404, 'NotFound', 'not found');

/** What is found, by kind and name; everything else is missing. */
async function find(spec: Partial<ImageRepositorySpec>, objects: Record<string, object>) {
  const asked: string[] = [];
  const get = ({ kind }: ResourceType, namespace: string | undefined, name: string) => {
    const id = `${kind} ${namespace ?? ''}/${name}`;
    asked.push(id);
    const found = objects[id] ?? missing;
    return found instanceof Error
      ? Promise.reject(found)
      : Promise.resolve({ metadata: { name }, ...found });
  };
  const { secrets, problems } = await findPullSecrets(
    { get: get as unknown as KubernetesClient['get'] },
    'shop',
    spec,
  );
  return { asked, problems, names: secrets.map(({ metadata }) => metadata.name) };
}

test('without names nothing is read', async () => {
  expect(await find({}, {})).toEqual({ asked: [], problems: [], names: [] });
});

test('those of the spec come first, then those of the account, each once', async () => {
  const found = await find(
    { pullSecrets: [{ name: 'b' }, { name: 'a' }], serviceAccountName: 'puller' },
    {
      'Secret shop/a': {},
      'Secret shop/b': {},
      'Secret shop/c': {},
      'ServiceAccount shop/puller': { imagePullSecrets: [{ name: 'a' }, { name: 'c' }, {}] },
    },
  );
  expect(found.names).toEqual(['b', 'a', 'c']);
  expect(found.problems).toEqual([]);
  expect(found.asked).toHaveLength(4);
});

test('what is missing or closed is named, and the others are used', async () => {
  const found = await find(
    {
      pullSecrets: [{ name: 'gone' }, { name: 'closed' }, { name: 'a' }],
      serviceAccountName: 'puller',
    },
    {
      'Secret shop/closed': new ApiError(403, 'Forbidden', 'no'),
      'Secret shop/a': {},
      'ServiceAccount shop/puller': { imagePullSecrets: [{ name: 'lost' }] },
    },
  );
  expect(found.names).toEqual(['a']);
  expect(found.problems).toEqual([
    'spec.pullSecrets[0]: there is no Secret "gone"',
    'spec.pullSecrets[1]: the worker may not read the Secret "closed"',
    'spec.serviceAccountName: imagePullSecrets of "puller": there is no Secret "lost"',
  ]);
  expect((await find({ serviceAccountName: 'nobody' }, {})).problems).toEqual([
    'spec.serviceAccountName: there is no ServiceAccount "nobody"',
  ]);
});

test('a cluster that fails is no missing Secret', async () => {
  const broken = new ApiError(500, 'InternalError', 'broken');
  const finding = find({ pullSecrets: [{ name: 'a' }] }, { 'Secret shop/a': broken });
  await expect(finding).rejects.toBe(broken);
});
