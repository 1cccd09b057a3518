import type { Versions } from '../../contracts/advance.js';
import { hookOwnerName, type HookRef, type HookWork } from '../../contracts/hook.js';
import type { HookAction } from '../../domain/hook/plan.js';
import { toHookStages } from '../../domain/hook/plan.js';
import { ApiError } from '../../kubernetes/api-error.js';
import type { KubernetesClient } from '../../kubernetes/client.js';
import { buildHookPod } from '../../kubernetes/hooks/build-hook-pod.js';
import type { HookOwner } from '../../kubernetes/hooks/hook-owner.js';
import { writeHookRecord } from '../../kubernetes/hooks/hook-record.js';
import { readHooks } from '../../kubernetes/hooks/read-hooks.js';
import type { CarryOutResult } from '../advance.js';
import { carryOut, writeStage, type Written } from '../carry-out.js';
import { PodWriter } from '../deployment-config/pod-writer.js';
import type { EventRecorder } from '../events.js';

/** Where and for which hook something is carried out. */
export interface HookScene {
  readonly client: KubernetesClient;
  readonly events: EventRecorder;
  readonly ref: HookRef;
  /** What it belongs to, as it is seen now. */
  readonly findOwner: () => HookOwner | undefined;
}

/** Writes what the plan says: what is to be kept first, so that no pod is let go or made before that. */
export function carryOutHook(
  scene: HookScene,
  work: HookWork,
  seen: Versions,
): Promise<CarryOutResult> {
  const { client, ref } = scene;
  const attempt = `carry out the plan for the ${ref.moment} hook of ${ref.namespace}/${hookOwnerName(ref)}`;
  return carryOut(seen, attempt, async (versions) => {
    const owner = scene.findOwner();
    if (owner?.object.metadata.resourceVersion !== seen.deployment) return false;
    const writer = new HookWriter(client, ref, owner);
    for (const stage of toHookStages(work.actions)) {
      await writeStage(stage, (action) => writer.write(action), versions);
    }
    if (writer.noted !== undefined) versions.deployment = writer.noted;
    announceAll(scene, owner, work.actions);
    return true;
  });
}

function announceAll(
  { events, ref }: HookScene,
  { subject }: HookOwner,
  actions: readonly HookAction[],
): void {
  if (subject === undefined) return;
  for (const action of actions) {
    if (action.kind !== 'announce') continue;
    const { type, reason, note } = action;
    events.record({ cluster: ref.cluster, ...subject }, { type, reason, note, action: reason });
  }
}

class HookWriter {
  /** The deployment's version after what was kept. */
  noted: string | undefined;
  private readonly pods: PodWriter;

  constructor(
    private readonly client: KubernetesClient,
    private readonly ref: HookRef,
    private readonly owner: HookOwner,
  ) {
    this.pods = new PodWriter(client, ref.namespace);
  }

  async write(action: HookAction): Promise<Written | undefined> {
    switch (action.kind) {
      case 'note':
        return this.note(action);
      case 'createTry':
        return this.pods.create(this.buildPod(action.number), this.owner.object);
      case 'deletePod':
        return this.pods.delete(action);
      case 'releasePod':
        return this.pods.release(action);
      case 'announce':
        return undefined;
    }
  }

  /** Bound to the deployment as it was seen: whoever stops it meanwhile is heard first. */
  private async note({ record }: Extract<HookAction, { kind: 'note' }>): Promise<undefined> {
    const { type, object } = this.owner;
    const { name, namespace, uid, resourceVersion } = object.metadata;
    const annotations = writeHookRecord(record, this.ref.moment);
    const body = { metadata: { uid, resourceVersion, annotations } };
    const { metadata } = await this.client.patch(type, namespace, name, 'merge', body, {
      brief: true,
    });
    this.noted = metadata.resourceVersion;
    return undefined;
  }

  private buildPod(number: number) {
    const { owner, ref } = this;
    const wish = readHooks(owner.strategy).find(({ moment }) => moment === ref.moment);
    const action = wish?.hook.execNewPod;
    if (action === undefined || action === null) {
      const problem = `spec.strategy: the ${ref.moment} hook of ${hookOwnerName(ref)} has no command to run`;
      throw new ApiError(422, 'Invalid', problem);
    }
    return buildHookPod({ owner, moment: ref.moment, number, action });
  }
}
