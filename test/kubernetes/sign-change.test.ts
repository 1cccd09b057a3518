import { describe, expect, test } from '@jest/globals';

import { ApiError } from '../../src/kubernetes/api-error.js';
import { readChangeNote } from '../../src/kubernetes/change-note.js';
import type { KubernetesClient } from '../../src/kubernetes/client.js';
import { changedTemplate } from '../../src/kubernetes/deployments/read-deployment.js';
import type { Deployment } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { signChange } from '../../src/kubernetes/sign-change.js';
import { deployment } from '../client/support/objects.js';

const author = { by: 'ann', manager: 'slipway' };
const revision = { 'deployment.kubernetes.io/revision': '4' };

/** Signs a manifest of `nginx:new` in a cluster where this stands. */
async function sign(current: Deployment | ApiError, after = deployment({ image: 'nginx:new' })) {
  const client = {
    get: () => (current instanceof ApiError ? Promise.reject(current) : Promise.resolve(current)),
    apply: (_type: unknown, _object: unknown, options: object) => {
      expect(options).toEqual({ dryRun: true, strict: true });
      return Promise.resolve(after);
    },
  } as unknown as KubernetesClient;
  const object = deployment({ image: 'nginx:new', annotations: { team: 'shop' } });
  return signChange(client, resources.builtInDeployments, object, author, changedTemplate);
}

const absent = new ApiError(404, 'NotFound', 'there is none');

describe('a manifest that changes the template', () => {
  test('says who has written it, as the cluster will have it', async () => {
    const after = deployment({ image: 'nginx:new', annotations: revision });
    const { metadata } = await sign(deployment({ image: 'nginx:old' }), after);
    expect(metadata.annotations?.['team']).toBe('shop');
    expect(readChangeNote(metadata.annotations, changedTemplate(after))).toEqual(author);
  });

  test('is also one that makes a new object', async () => {
    const { metadata } = await sign(absent);
    const { template } = changedTemplate(deployment({ image: 'nginx:new' }));
    expect(readChangeNote(metadata.annotations, { template, next: 1 })).toEqual(author);
  });
});

describe('a manifest that leaves it as it is', () => {
  test('says nothing', async () => {
    const { metadata } = await sign(deployment({ image: 'nginx:new' }));
    expect(metadata.annotations).toEqual({ team: 'shop' });
  });

  test('keeps what was said and not yet heard', async () => {
    const said = { 'slipway.dev/changed-by': '{"by":"bob"}' };
    const { metadata } = await sign(deployment({ image: 'nginx:new', annotations: said }));
    expect(metadata.annotations).toEqual({ team: 'shop', ...said });
  });
});

test('what can’t be read is an error', async () => {
  await expect(sign(new ApiError(403, 'Forbidden', 'no'))).rejects.toThrow('no');
});
