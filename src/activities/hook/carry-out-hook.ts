import type { Versions } from '../../contracts/advance.js';
import type { HookRef, HookWork } from '../../contracts/hook.js';
import type { HookAction } from '../../domain/hook/plan.js';
import { toHookStages } from '../../domain/hook/plan.js';
import { ApiError } from '../../kubernetes/api-error.js';
import type { KubernetesClient } from '../../kubernetes/client.js';
import { decodeConfig } from '../../kubernetes/deployment-configs/build-controller.js';
import type { ConfigView } from '../../kubernetes/deployment-configs/config-view.js';
import type { ReplicationController } from '../../kubernetes/deployment-configs/objects.js';
import { buildHookPod } from '../../kubernetes/hooks/build-hook-pod.js';
import { writeHookRecord } from '../../kubernetes/hooks/hook-record.js';
import { readHooks } from '../../kubernetes/hooks/read-hooks.js';
import { resources } from '../../kubernetes/resources.js';
import type { CarryOutResult } from '../advance.js';
import { carryOut, writeStage, type Written } from '../carry-out.js';
import { PodWriter } from '../deployment-config/pod-writer.js';
import type { EventRecorder } from '../events.js';

/** Where and for which hook something is carried out. */
export interface HookScene {
  readonly client: KubernetesClient;
  readonly view: ConfigView;
  readonly events: EventRecorder;
  readonly ref: HookRef;
}

/** Writes what the plan says: what is to be kept first, so that no pod is let go or made before that. */
export function carryOutHook(
  scene: HookScene,
  work: HookWork,
  seen: Versions,
): Promise<CarryOutResult> {
  const { client, view, events, ref } = scene;
  const attempt = `carry out the plan for the ${ref.moment} hook of ${ref.namespace}/${ref.name}-${ref.version}`;
  return carryOut(seen, attempt, async (versions) => {
    const controller = view.getController(ref);
    if (controller?.metadata.resourceVersion !== seen.deployment) return false;
    const writer = new HookWriter(client, ref, controller);
    for (const stage of toHookStages(work.actions)) {
      await writeStage(stage, (action) => writer.write(action), versions);
    }
    if (writer.noted !== undefined) versions.deployment = writer.noted;
    for (const action of work.actions) {
      if (action.kind !== 'announce') continue;
      const config = view.get(ref);
      if (config === undefined) continue;
      const about = { cluster: ref.cluster, type: resources.deploymentConfigs, object: config };
      const { type, reason, note } = action;
      events.record(about, { type, reason, note, action: reason });
    }
    return true;
  });
}

class HookWriter {
  /** The deployment's version after what was kept. */
  noted: string | undefined;
  private readonly pods: PodWriter;

  constructor(
    private readonly client: KubernetesClient,
    private readonly ref: HookRef,
    private readonly controller: ReplicationController,
  ) {
    this.pods = new PodWriter(client, ref.namespace);
  }

  async write(action: HookAction): Promise<Written | undefined> {
    switch (action.kind) {
      case 'note':
        return this.note(action);
      case 'createTry':
        return this.pods.create(this.buildPod(action.number), this.controller);
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
    const { name, namespace, uid, resourceVersion } = this.controller.metadata;
    const annotations = writeHookRecord(record, this.ref.moment);
    const { metadata } = await this.client.patch(
      resources.replicationControllers,
      namespace,
      name,
      'merge',
      { metadata: { uid, resourceVersion, annotations } },
      { brief: true },
    );
    this.noted = metadata.resourceVersion;
    return undefined;
  }

  private buildPod(number: number) {
    const { controller, ref } = this;
    const config = decodeConfig(controller);
    const wish = readHooks(config?.spec.strategy).find(({ moment }) => moment === ref.moment);
    const action = wish?.hook.execNewPod;
    if (config === undefined || action === undefined || action === null) {
      const problem = `spec.strategy: the ${ref.moment} hook of ${controller.metadata.name} has no command to run`;
      throw new ApiError(422, 'Invalid', problem);
    }
    return buildHookPod({ config, controller, moment: ref.moment, number, action });
  }
}
