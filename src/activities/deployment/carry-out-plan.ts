import type { DeploymentRef, Versions, Work } from '../../contracts/deployment.js';
import { toStages, type Action } from '../../domain/deployment/plan.js';
import {
  ApiError,
  isAlreadyExists,
  isConflict,
  isForbidden,
  isInvalid,
  isNotFound,
} from '../../kubernetes/api-error.js';
import type { KubernetesClient } from '../../kubernetes/client.js';
import type { DeploymentView } from '../../kubernetes/deployments/deployment-view.js';
import type { Deployment } from '../../kubernetes/objects.js';
import type { EventRecorder } from '../events.js';
import { toActivityFailure } from '../failures.js';
import { DeploymentWriter } from './deployment-writer.js';
import { ReplicaSetWriter } from './replica-set-writer.js';

/** Where and for which Deployment something is carried out. */
export interface Scene {
  readonly client: KubernetesClient;
  readonly view: DeploymentView;
  readonly events: EventRecorder;
  readonly ref: DeploymentRef;
}

export type CarryOutResult =
  /** With the versions after the writes. */
  | { readonly kind: 'done'; readonly versions: Versions }
  /** Somebody else wrote first: look again. */
  | { readonly kind: 'stale'; readonly versions: Versions }
  | { readonly kind: 'refused'; readonly problem: string; readonly versions: Versions };

/**
 * Writes what the plan says: ReplicaSets first, then the Deployment's annotations and status, so that a
 * status never speaks of what has not been done, and last the template that it goes back to. Each write
 * names what it expects to find, so a plan made from an old look changes nothing.
 */
export async function carryOutPlan(
  scene: Scene,
  work: Work,
  seen: Versions,
): Promise<CarryOutResult> {
  const { view, ref } = scene;
  const versions = new WrittenVersions(seen);
  try {
    const deployment = view.get(ref);
    // Not the generation: it doesn't tell that another controller has acted since.
    if (deployment?.metadata.resourceVersion !== seen.deployment) return versions.as('stale');
    const subject = { ...scene, deployment };
    const writer = new ReplicaSetWriter(subject);
    for (const stage of toStages(work.actions)) await writeReplicaSets(writer, stage, versions);
    versions.deployment = await new DeploymentWriter(subject).write(work, seen.deployment);
    announceAll(scene, work.actions, deployment);
    return versions.as('done');
  } catch (error) {
    return judgeFailure(error, versions, `carry out the plan for ${ref.namespace}/${ref.name}`);
  }
}

/** The versions as they are after each write. */
class WrittenVersions {
  deployment: string;
  private readonly replicaSets: Record<string, string>;

  constructor(private readonly seen: Versions) {
    this.deployment = seen.deployment;
    this.replicaSets = { ...seen.replicaSets };
  }

  noteReplicaSet(uid: string, version: string): void {
    this.replicaSets[uid] = version;
  }

  as<Kind extends 'done' | 'stale'>(kind: Kind): { kind: Kind; versions: Versions } {
    return { kind, versions: this.current() };
  }

  current(): Versions {
    return { ...this.seen, deployment: this.deployment, replicaSets: this.replicaSets };
  }
}

async function writeReplicaSets(
  writer: ReplicaSetWriter,
  actions: readonly Action[],
  versions: WrittenVersions,
): Promise<void> {
  const results = await Promise.allSettled(
    actions.map(async (action) => {
      const written = await writer.write(action);
      if (written !== undefined) versions.noteReplicaSet(written.uid, written.version);
    }),
  );
  // All have ended by now, so that none is still under way when the next plan is made.
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** Said when it is done, so that no event tells of what was refused. */
function announceAll(
  { events, ref }: Scene,
  actions: readonly Action[],
  deployment: Deployment,
): void {
  for (const action of actions) {
    if (action.kind !== 'announce') continue;
    const { type, reason, note } = action;
    events.record(ref, deployment, { type, reason, note, action: reason });
  }
}

function judgeFailure(error: unknown, versions: WrittenVersions, attempt: string): CarryOutResult {
  if (isConflict(error) || isNotFound(error) || isAlreadyExists(error)) return versions.as('stale');
  if (error instanceof ApiError && (isInvalid(error) || isForbidden(error))) {
    return { kind: 'refused', problem: error.message, versions: versions.current() };
  }
  throw toActivityFailure(error, attempt);
}
