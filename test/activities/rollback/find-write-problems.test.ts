import { expect, test } from '@jest/globals';

import { findWriteProblems } from '../../../src/activities/rollback/find-write-problems.js';
import { ApiError } from '../../../src/kubernetes/api-error.js';
import type { KubernetesClient, WriteOptions } from '../../../src/kubernetes/client.js';
import type { DeploymentConfig } from '../../../src/kubernetes/deployment-configs/objects.js';

const conflict = new ApiError(409, 'Conflict', 'the object has been modified');
const refusal = new ApiError(422, 'Invalid', 'it is invalid', [
  { field: 'spec.replicas', message: 'must be 0 or more' },
]);

const configOf = (metadata: Partial<DeploymentConfig['metadata']> = {}): DeploymentConfig => ({
  metadata: { name: 'web', uid: 'one', generation: 4, resourceVersion: '7', ...metadata },
  spec: { template: {} },
});

/** What the cluster says to one trial after the other, and what it has by then. */
async function find(answers: readonly (ApiError | undefined)[], now = configOf()) {
  const seen: { version: string | undefined; options: WriteOptions }[] = [];
  let version = 7;
  const client = {
    get: () => {
      version += 1;
      const metadata = { ...now.metadata, resourceVersion: String(version) };
      return Promise.resolve({ ...now, metadata });
    },
    replace: (_type: unknown, { metadata }: DeploymentConfig, options: WriteOptions) => {
      const error = answers[Math.min(seen.length, answers.length - 1)];
      seen.push({ version: metadata.resourceVersion, options });
      return error === undefined ? Promise.resolve({}) : Promise.reject(error);
    },
  } as unknown as KubernetesClient;
  const finding = findWriteProblems(client, configOf());
  const problems = await finding.catch((error: unknown) => error);
  return { problems, seen };
}

test('what can be written has none, and the trial is as strict as the write', async () => {
  const { problems, seen } = await find([undefined]);
  expect(problems).toEqual([]);
  expect(seen).toEqual([{ version: '7', options: { dryRun: true, strict: true } }]);
});

test('status updates in between do not keep the apiserver from judging', async () => {
  const { problems, seen } = await find([conflict, conflict, refusal]);
  expect(problems).toEqual([{ field: 'spec.replicas', message: 'must be 0 or more' }]);
  expect(seen.map(({ version }) => version)).toEqual(['7', '8', '9']);
});

test.each([
  ['edited', configOf({ generation: 5 })],
  ['made anew', configOf({ uid: 'two' })],
])('one that was %s in between is not judged by what it was', async (_what, now) => {
  const { problems, seen } = await find([conflict, refusal], now);
  expect(problems).toEqual([]);
  expect(seen).toHaveLength(1);
});

test('a config that is never at rest has no judgement, which is not a good one', async () => {
  const { problems, seen } = await find([conflict]);
  expect(problems).toBe(conflict);
  expect(seen).toHaveLength(20);
});

test('fields that the cluster does not know are named', async () => {
  const unknown = new ApiError(
    400,
    'BadRequest',
    'strict decoding error: unknown field "spec.a", unknown field "spec.b.c"',
  );
  expect((await find([unknown])).problems).toEqual([
    { field: 'spec.a', message: 'the cluster knows no such field' },
    { field: 'spec.b.c', message: 'the cluster knows no such field' },
  ]);
});

test('what a policy forbids is told in its own words', async () => {
  const message = 'deploymentconfigs "web" is forbidden: policy "frozen" denied request: not today';
  const forbidden = new ApiError(403, 'Forbidden', message, [{ message: 'not today' }]);
  expect((await find([forbidden])).problems).toEqual([{ field: 'spec', message }]);
});

test('a cluster that fails is no judgement', async () => {
  const broken = new ApiError(500, 'InternalError', 'oh');
  expect((await find([broken])).problems).toBe(broken);
});
