import { describe, expect, test } from '@jest/globals';

import type { ClusterAccess } from '../../../src/activities/cluster-access.js';
import { createApplyRollback } from '../../../src/activities/rollback/apply-rollback.js';
import { createRefuseRollback } from '../../../src/activities/rollback/refuse-rollback.js';
import type { RollbackWish } from '../../../src/domain/rollback/wish.js';
import { ApiError } from '../../../src/kubernetes/api-error.js';
import { configAnnotations } from '../../../src/kubernetes/deployment-configs/annotations.js';
import { buildController } from '../../../src/kubernetes/deployment-configs/build-controller.js';
import type {
  DeploymentConfig,
  RollbackBlock,
} from '../../../src/kubernetes/deployment-configs/objects.js';
import { readRequest } from '../../../src/kubernetes/deployment-configs/read-request.js';
import type { KubernetesObject } from '../../../src/kubernetes/objects.js';
import type { ResourceType } from '../../../src/kubernetes/resources.js';

const ref = { cluster: 'local', namespace: 'shop', name: 'web' };
const wish = { release: 1, config: true, application: true, notes: 'orders get lost' };
const base = { uid: 'u', generation: 5 };
const asked = { ref, wish, from: 2, to: 1, base, runId: 'own' };

/** Version 2 of a config, in which this block stands. */
const configOf = (
  rollback: RollbackBlock | undefined,
  metadata: Partial<DeploymentConfig['metadata']> = {},
): DeploymentConfig => ({
  metadata: { namespace: 'shop', name: 'web', uid: 'u', generation: 5, ...metadata },
  spec: { replicas: 20, template: { spec: { containers: [{ name: 'web', image: 'web:2' }] } } },
  ...(rollback === undefined ? {} : { rollback }),
  status: { latestVersion: 2 },
});

const annotations = { [configAnnotations.rolledBackFrom]: '2' };

const first: DeploymentConfig = {
  ...configOf(undefined),
  spec: { replicas: 2, template: { spec: { containers: [{ name: 'web', image: 'web:1' }] } } },
};

/** A cluster with a config and its version 1, and what is written to it. */
function clusterOf(config: DeploymentConfig) {
  const replaced: DeploymentConfig[] = [];
  const patched: object[] = [];
  const made = buildController(first, 1);
  made.metadata.annotations = {
    ...made.metadata.annotations,
    [configAnnotations.phase]: 'Complete',
  };
  const controllers = [made];
  const client = {
    get: ({ kind }: ResourceType, _namespace: string, name: string) => {
      if (kind === 'DeploymentConfig') return Promise.resolve(config);
      const found = controllers.find(({ metadata }) => metadata.name === name);
      const missing = new ApiError(404, 'NotFound', 'not found');
      return found === undefined ? Promise.reject(missing) : Promise.resolve(found);
    },
    list: () => Promise.resolve({ metadata: {}, items: controllers }),
    replace: (_type: ResourceType, object: DeploymentConfig) => {
      replaced.push(object);
      return Promise.resolve(object);
    },
    patch: (...[, , , , body]: [unknown, unknown, unknown, unknown, KubernetesObject]) => {
      patched.push(body);
      return Promise.resolve(config);
    },
  };
  const access = { cluster: () => ({ client }) } as unknown as ClusterAccess;
  const events = { record: () => undefined };
  return {
    apply: createApplyRollback(access, events),
    refuse: createRefuseRollback(access, events),
    replaced,
    patched,
  };
}

describe('a block that asks for it', () => {
  test('is gone once it is met, also in other words', async () => {
    const { apply, replaced } = clusterOf(configOf({ ...wish, release: 'web-1', by: 'kubectl' }));
    expect(await apply({ ...asked, fromBlock: true })).toMatchObject({ kind: 'done', version: 3 });
    expect(replaced).toHaveLength(1);
    expect(replaced[0]).not.toHaveProperty('rollback');
  });

  test.each<[string, RollbackBlock | undefined]>([
    ['was corrected', { ...wish, release: 'web-2' }],
    ['wants another part of it', { ...wish, config: false }],
    ['was withdrawn', undefined],
  ])('and %s meanwhile is not met, nor taken away', async (_what, block) => {
    const config = configOf(block, { generation: 6 });
    const { apply, refuse, replaced, patched } = clusterOf(config);
    expect(await apply({ ...asked, fromBlock: true })).toEqual({
      kind: 'needless',
      why: 'the block that asked for it was changed or taken away since',
    });
    const problems = [{ field: 'rollback', message: 'it was cancelled' }];
    expect(await refuse({ ref, wish, problems })).toEqual({ kind: 'needless' });
    expect([replaced, patched]).toEqual([[], []]);
  });

  test.each([
    [undefined, 2],
    [true, 20],
  ])('takes the number of replicas back, unless it keeps that: %p', async (keepsReplicas, size) => {
    const kept = { ...wish, ...(keepsReplicas === undefined ? {} : { keepsReplicas }) };
    const { apply, replaced } = clusterOf(configOf(kept));
    await apply({ ...asked, wish: kept, fromBlock: true });
    expect(replaced[0]?.spec).toMatchObject({
      replicas: size,
      template: { spec: { containers: [{ image: 'web:1' }] } },
    });
    expect(readRequest(replaced[0]!)?.rollback?.keepsReplicas).toBe(keepsReplicas);
  });

  test('and can not be met is taken away', async () => {
    const { refuse, patched } = clusterOf(configOf(wish));
    const problems = [{ field: 'release', message: 'is gone' }];
    expect(await refuse({ ref, wish, problems, base })).toEqual({ kind: 'done' });
    expect(patched).toMatchObject([
      { status: { conditions: [{ type: 'RollbackRefused', message: 'release: is gone' }] } },
      { rollback: null },
    ]);
  });
});

describe('a block that stands beside a wish of somebody else', () => {
  const meet = async (config: DeploymentConfig, over: Partial<RollbackWish> = {}) => {
    const { apply, replaced } = clusterOf(config);
    const done = await apply({ ...asked, wish: { ...wish, ...over } });
    expect(done).toMatchObject({ kind: 'done', version: 3 });
    return replaced.map(({ rollback }) => rollback);
  };

  test.each<[string, RollbackBlock]>([
    ['that version', { release: 'web-1' }],
    ['the last one before, which is the same', {}],
    ['a part of that', { release: 1, application: false }],
  ])('is met with it where it wants %s', async (_what, block) => {
    expect(await meet(configOf(block))).toEqual([undefined]);
  });

  test('is met with it where nobody has asked for it', async () => {
    const block = { release: 7, by: 'slipway', keepsReplicas: true };
    expect(await meet(configOf(block, { annotations }))).toEqual([undefined]);
  });

  test.each<[string, RollbackBlock, Partial<RollbackWish>]>([
    ['another version', { release: 'web-2' }, {}],
    ['more of it', { release: 1 }, { application: false }],
  ])('stays where it wants %s', async (_what, block, over) => {
    expect(await meet(configOf(block), over)).toEqual([block]);
  });

  test('stays where somebody only calls themselves as we do', async () => {
    const block = { release: 7, by: 'slipway' };
    expect(await meet(configOf(block))).toEqual([block]);
    const before = { [configAnnotations.rolledBackFrom]: '1' };
    expect(await meet(configOf(block, { annotations: before }))).toEqual([block]);
  });
});
