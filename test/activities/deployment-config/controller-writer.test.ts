import { describe, expect, test } from '@jest/globals';

import { ControllerWriter } from '../../../src/activities/deployment-config/controller-writer.js';
import type { VersionSubject } from '../../../src/activities/deployment-config/version-subject.js';
import type { VersionAction } from '../../../src/domain/deployment-config/plan.js';
import { ApiError } from '../../../src/kubernetes/api-error.js';
import { configAnnotations } from '../../../src/kubernetes/deployment-configs/annotations.js';

type Operation = { op: string; path: string; value?: unknown };

const at = (annotation: string): string =>
  `/metadata/annotations/${annotation.replaceAll('/', '~1')}`;
const phasePath = at(configAnnotations.phase);

/** Writes one action on web-2, which has these annotations; resolves to the patch. */
async function patchOf(
  action: Extract<VersionAction, { kind: 'setPhase' | 'cancelController' }>,
  annotations: Record<string, string>,
): Promise<readonly Operation[]> {
  const patches: (readonly Operation[])[] = [];
  const subject = {
    ref: { namespace: 'shop' },
    config: { metadata: { name: 'web' }, spec: {} },
    seen: () => ({ metadata: { name: 'web-2', uid: 'web-2-uid', annotations } }),
    client: {
      patch: (...[, , , , patch]: unknown[]) => {
        patches.push(patch as readonly Operation[]);
        return Promise.resolve({ metadata: { uid: 'web-2-uid', resourceVersion: '8' } });
      },
    },
  } as unknown as VersionSubject;
  await new ControllerWriter(subject).write(action);
  return patches.flat();
}

const begin = { kind: 'setPhase', name: 'web-2', uid: 'web-2-uid', from: 'New', to: 'Pending' };
const cancel = { kind: 'cancelController', name: 'web-2', uid: 'web-2-uid', reason: 'newer' };

describe('a phase', () => {
  const testsOf = async (annotations: Record<string, string>): Promise<readonly unknown[]> =>
    (await patchOf(begin as never, annotations))
      .filter(({ op, path }) => op === 'test' && path === phasePath)
      .map(({ value }) => value);

  test('is only left by whoever has seen it', async () => {
    expect(await testsOf({ [configAnnotations.phase]: 'New' })).toEqual(['New']);
    expect(await testsOf({ [configAnnotations.phase]: 'Running' })).toEqual(['New']);
  });

  test('that is missing or none stands for New, and does not hold the version up', async () => {
    expect(await testsOf({})).toEqual([]);
    expect(await testsOf({ [configAnnotations.phase]: 'Odd' })).toEqual(['Odd']);
    expect(await patchOf(begin as never, {})).toContainEqual({
      op: 'add',
      path: phasePath,
      value: 'Pending',
    });
  });
});

test('a version that has ended meanwhile is not cancelled', async () => {
  const patch = await patchOf(cancel as never, { [configAnnotations.phase]: 'Running' });
  expect(patch).toContainEqual({ op: 'test', path: phasePath, value: 'Running' });
});

describe('a name that is taken', () => {
  const create = async (ownerReferences: object[]): Promise<unknown> => {
    const taken = new ApiError(409, 'AlreadyExists', 'replicationcontrollers "web-1" exists');
    const subject = {
      ref: { namespace: 'shop' },
      config: { metadata: { name: 'web', uid: 'web-uid' }, spec: { template: {} } },
      seen: () => undefined,
      client: {
        create: () => Promise.reject(taken),
        get: () => Promise.resolve({ metadata: { name: 'web-1', ownerReferences } }),
      },
    } as unknown as VersionSubject;
    const action = { kind: 'createController', name: 'web-1', version: 1 } as const;
    return new ControllerWriter(subject).write(action).catch((error: unknown) => error);
  };

  test('by a version of a config that was deleted will be free soon', async () => {
    const owner = { kind: 'DeploymentConfig', name: 'web', uid: 'other-uid' };
    expect(await create([owner])).toMatchObject({ reason: 'AlreadyExists' });
  });

  test('by somebody else will not', async () => {
    expect(await create([])).toMatchObject({ reason: 'Invalid' });
  });
});
