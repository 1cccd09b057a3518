import { describe, expect, test } from '@jest/globals';

import { ReplicaSetWriter } from '../../../src/activities/deployment/replica-set-writer.js';
import type { Action } from '../../../src/domain/deployment/plan.js';
import { annotations } from '../../../src/kubernetes/deployments/annotations.js';
import { hookAnnotations } from '../../../src/kubernetes/hooks/annotations.js';
import { writeHookRecord } from '../../../src/kubernetes/hooks/hook-record.js';

interface Patch {
  readonly metadata: {
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly annotations: Readonly<Record<string, string | null>>;
  };
}

type Subject = ConstructorParameters<typeof ReplicaSetWriter>[0];

/** Writes one action on web-1, which is seen in version 7; resolves to the patch. */
async function patchOf(action: Action, seen: Record<string, string>): Promise<Patch | undefined> {
  const patches: Patch[] = [];
  const set = { metadata: { name: 'web-1', uid: 'set', resourceVersion: '7', annotations: seen } };
  const subject = {
    ref: { namespace: 'shop', name: 'web', api: 'slipway.dev/v1alpha1' },
    deployment: { metadata: { name: 'web' }, spec: {} },
    view: { getReplicaSet: () => set },
    client: {
      patch: (...[, , , , patch]: unknown[]) => {
        patches.push(patch as Patch);
        return Promise.resolve({ metadata: { uid: 'set', resourceVersion: '8' } });
      },
    },
  } as unknown as Subject;
  await new ReplicaSetWriter(subject).write(action);
  return patches[0];
}

const ofPre = hookAnnotations('pre');
const set = { name: 'web-1', uid: 'set' };

describe('hooks of an earlier rollout', () => {
  const succeeded = writeHookRecord({ phase: 'Succeeded', pod: 'web-1-hook-pre', ended: 1 }, 'pre');
  const renewal = { kind: 'syncReplicaSet', ...set, revision: 3, renewsHooks: true } as const;

  test('are only forgotten on the set as it was seen: they may have run again since', async () => {
    const patch = await patchOf(renewal, { ...succeeded, [annotations.revision]: '1' });
    expect(patch?.metadata).toMatchObject({ uid: 'set', resourceVersion: '7' });
    expect(patch?.metadata.annotations[ofPre.phase]).toBeNull();
  });

  test('are not forgotten twice: the set has its number by then', async () => {
    const patch = await patchOf(renewal, { ...succeeded, [annotations.revision]: '3' });
    expect(patch?.metadata.annotations).not.toHaveProperty([ofPre.phase]);
    expect(patch?.metadata.annotations).not.toHaveProperty([ofPre.record]);
  });

  test('are left alone by a mere sync, which holds whatever else was written', async () => {
    const sync = { kind: 'syncReplicaSet', ...set, revision: 1 } as const;
    const patch = await patchOf(sync, { ...succeeded, [annotations.revision]: '1' });
    expect(patch?.metadata).not.toHaveProperty('resourceVersion');
    expect(patch?.metadata.annotations).not.toHaveProperty([ofPre.phase]);
  });
});

test('failed hooks are tried again on the set as it was seen', async () => {
  const failed = writeHookRecord({ phase: 'Failed', pod: 'web-1-hook-pre', ended: 1 }, 'pre');
  const patch = await patchOf({ kind: 'resetHooks', ...set }, failed);
  expect(patch?.metadata).toMatchObject({ uid: 'set', resourceVersion: '7' });
  expect(patch?.metadata.annotations).toMatchObject({
    [ofPre.phase]: null,
    [annotations.retry]: null,
    [annotations.failed]: null,
  });
});

test('a set is marked as failed as it was seen: it may have been tried again since', async () => {
  const patch = await patchOf({ kind: 'markFailed', ...set, message: 'its hook failed' }, {});
  expect(patch?.metadata).toEqual({
    uid: 'set',
    resourceVersion: '7',
    annotations: { [annotations.failed]: 'its hook failed' },
  });
});
