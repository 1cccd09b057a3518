import { expect, test } from '@jest/globals';

import { describeWish } from '../../src/client/describe-wish.js';
import { whoAmI } from '../../src/client/who-am-i.js';
import { ApiError } from '../../src/kubernetes/api-error.js';
import type { KubernetesClient } from '../../src/kubernetes/client.js';

const ask = (answer: object | Error, user?: string): Promise<string | undefined> => {
  const create = () => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer));
  const client = { create } as unknown as Pick<KubernetesClient, 'create'>;
  return whoAmI({ client, ...(user === undefined ? {} : { user }) });
};

test('who we are is what the cluster says, else what the kubeconfig does', async () => {
  expect(await ask({ status: { userInfo: { username: 'ann' } } }, 'admin')).toBe('ann');
  expect(await ask({ status: {} }, 'admin')).toBe('admin');
  const refusal = new ApiError(403, 'Forbidden', 'no');
  expect(await ask(refusal, 'admin')).toBe('admin');
  expect(await ask(refusal)).toBeUndefined();
  await expect(ask(new Error('broken'))).rejects.toThrow('broken');
});

test('who did something, and why', () => {
  expect(describeWish('Paused', { by: 'ann', reason: 'lunch' })).toBe('Paused by ann: lunch');
  expect(describeWish('Paused', {})).toBe('Paused');
});
