import { randomBytes } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { connectCluster } from '../../src/kubernetes/connect.js';
import type { ImageRepository } from '../../src/kubernetes/image-repositories/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { refusalOf } from '../support/refusal-of.js';

const { client } = connectCluster({ kubeconfig: process.env['SLIPWAY_E2E_KUBECONFIG'] });
const namespace = `image-repository-schema-${randomBytes(3).toString('hex')}`;

beforeAll(async () => {
  await client.create(resources.namespaces, { metadata: { name: namespace } });
});

afterAll(async () => {
  await client.delete(resources.namespaces, undefined, namespace);
  await client.close();
});

type Fields = Record<string, unknown>;

const repository = 'registry.example.com:5000/shop/web';
const create = (spec: Fields): Promise<ImageRepository> =>
  client.create(
    resources.imageRepositories,
    {
      metadata: { name: 'web', namespace },
      spec: { repository, ...spec },
    },
    { dryRun: true, strict: true },
  );

const noRepository = 'must be a registry and a repository without tag or digest';

describe('an ImageRepository', () => {
  test('gets its defaults', async () => {
    expect((await create({})).spec).toEqual({ repository, intervalSeconds: 60, insecure: false });
  });

  test('may have everything', async () => {
    const spec = {
      repository: 'localhost:5000/web',
      tags: ['latest', 'v1.2_3-rc'],
      intervalSeconds: 5,
      insecure: true,
      pullSecrets: [{ name: 'registry' }],
      serviceAccountName: 'shop',
      notificationSecret: { name: 'pushes' },
    };
    expect((await create(spec)).spec).toEqual(spec);
  });

  test.each(['docker.io/library/nginx', 'localhost/web', 'registry:5000/web', '10.0.0.1/a/b__c-d'])(
    'may follow %s',
    async (given) => {
      await expect(create({ repository: given })).resolves.toBeDefined();
    },
  );

  test.each<[string, Fields, string, string]>([
    ['no repository', { repository: undefined }, 'spec.repository', 'Required value'],
    ['a tag', { repository: `${repository}:1` }, 'spec.repository', noRepository],
    ['a digest', { repository: `${repository}@sha256:0` }, 'spec.repository', noRepository],
    ['no registry', { repository: 'shop/web' }, 'spec.repository', noRepository],
    ['a URL', { repository: 'https://registry.example.com/web' }, 'spec.repository', noRepository],
    ['capitals', { repository: 'registry.example.com/Web' }, 'spec.repository', noRepository],
    ['only a registry', { repository: 'registry.example.com/' }, 'spec.repository', noRepository],
    ['a tag that is none', { tags: ['a b'] }, 'spec.tags[0]', 'must be up to 128 letters'],
    ['a tag twice', { tags: ['a', 'a'] }, 'spec.tags[1]', 'Duplicate value'],
    ['too short an interval', { intervalSeconds: 4 }, 'spec.intervalSeconds', 'equal to 5'],
    ['insecure in words', { insecure: 'yes' }, 'spec.insecure', 'must be of type boolean'],
    ['a pull secret without a name', { pullSecrets: [{}] }, 'spec.pullSecrets[0].name', 'Required'],
    [
      'a notification secret that is none',
      { notificationSecret: { name: 'Push!' } },
      'spec.notificationSecret.name',
      'should match',
    ],
  ])('is refused with %s', async (_title, spec, field, sentence) => {
    const refusal = await refusalOf(create(spec));
    expect(refusal.code).toBe(422);
    expect(refusal.causes).toContainEqual({
      reason: expect.any(String),
      field,
      message: expect.stringContaining(sentence),
    });
  });

  test('takes a whole status', async () => {
    const metadata = { name: 'there', namespace };
    await client.create(resources.imageRepositories, {
      metadata,
      spec: { repository, intervalSeconds: 3600 },
    });
    const now = '2026-01-02T03:04:05Z';
    const status: ImageRepository['status'] = {
      observedGeneration: 1,
      lastCheckedAt: now,
      tags: [
        {
          tag: 'latest',
          image: `${repository}@sha256:2`,
          digest: 'sha256:2',
          resolvedAt: now,
          previous: `${repository}@sha256:1`,
        },
      ],
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          observedGeneration: 1,
          lastTransitionTime: now,
          reason: 'Resolved',
          message: 'every tag is known',
        },
      ],
    };
    const changed = await client.patch<ImageRepository>(
      resources.imageRepositories,
      namespace,
      'there',
      'merge',
      { status },
      { dryRun: true, strict: true, subresource: 'status' },
    );
    expect(changed.status).toEqual(status);
  });
});
