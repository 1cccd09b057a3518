import type { Versions } from '../../contracts/advance.js';
import type { DeploymentRef, Work } from '../../contracts/deployment.js';
import { toStages, type Action } from '../../domain/deployment/plan.js';
import type { KubernetesClient } from '../../kubernetes/client.js';
import { deploymentTypes } from '../../kubernetes/deployments/deployment-key.js';
import type { DeploymentView } from '../../kubernetes/deployments/deployment-view.js';
import type { Deployment } from '../../kubernetes/objects.js';
import type { CarryOutResult } from '../advance.js';
import { carryOut, writeStage } from '../carry-out.js';
import type { EventRecorder } from '../events.js';
import { DeploymentWriter } from './deployment-writer.js';
import { ReplicaSetWriter } from './replica-set-writer.js';

/** Where and for which Deployment something is carried out. */
export interface Scene {
  readonly client: KubernetesClient;
  readonly view: DeploymentView;
  readonly events: EventRecorder;
  readonly ref: DeploymentRef;
}

/**
 * Writes what the plan says: ReplicaSets first, then the Deployment's annotations and status, so that a
 * status never speaks of what has not been done, and last the template that it goes back to.
 */
export function carryOutPlan(scene: Scene, work: Work, seen: Versions): Promise<CarryOutResult> {
  const { view, ref } = scene;
  return carryOut(seen, `carry out the plan for ${ref.namespace}/${ref.name}`, async (versions) => {
    const deployment = view.get(ref);
    // Not the generation: it doesn't tell that another controller has acted since.
    if (deployment?.metadata.resourceVersion !== seen.deployment) return false;
    const subject = { ...scene, deployment };
    const writer = new ReplicaSetWriter(subject);
    for (const stage of toStages(work.actions)) {
      await writeStage(stage, (action) => writer.write(action), versions);
    }
    versions.deployment = await new DeploymentWriter(subject).write(work, seen.deployment);
    announceAll(scene, work.actions, deployment);
    return true;
  });
}

/** Said when it is done, so that no event tells of what was refused. */
function announceAll({ events, ref }: Scene, actions: readonly Action[], object: Deployment): void {
  const about = { cluster: ref.cluster, type: deploymentTypes[ref.api], object };
  for (const action of actions) {
    if (action.kind !== 'announce') continue;
    const { type, reason, note } = action;
    events.record(about, { type, reason, note, action: reason });
  }
}
