import type {
  CarryOutRequest,
  CarryOutResult,
  DeploymentActivities,
  Versions,
} from '../../contracts/deployment.js';
import type { Action } from '../../domain/deployment/plan.js';
import {
  ApiError,
  isAlreadyExists,
  isConflict,
  isForbidden,
  isInvalid,
  isNotFound,
} from '../../kubernetes/api-error.js';
import type { KubernetesClient } from '../../kubernetes/client.js';
import { deploymentTypes } from '../../kubernetes/deployments/deployment-key.js';
import type { Deployment } from '../../kubernetes/objects.js';
import type { ClusterAccess } from '../cluster-access.js';
import type { EventRecorder } from '../events.js';
import { toActivityFailure } from '../failures.js';
import { DeploymentWriter } from './deployment-writer.js';
import { ReplicaSetWriter } from './replica-set-writer.js';

/**
 * Writes what the plan says: ReplicaSets first, then the Deployment's annotations and status, so that a
 * status never speaks of what has not been done, and last the template that it goes back to. Each write names what it expects to find, so a plan
 * made from an old look changes nothing.
 */
export function createCarryOutPlan(
  access: ClusterAccess,
  events: EventRecorder,
): DeploymentActivities['carryOutPlan'] {
  return async (request) => {
    const { ref } = request;
    access.checkApi(ref);
    const cluster = access.cluster(ref.cluster);
    const view = access.view(ref.cluster);
    if (cluster === undefined) return { kind: 'elsewhere' };
    const { client } = cluster;
    const versions = new WrittenVersions(request.versions);
    try {
      const deployment = view?.get(ref) ?? (await readDeployment(client, request));
      const { uid, generation } = deployment.metadata;
      if (uid !== request.uid || generation !== request.generation) return versions.as('stale');
      const writer = new ReplicaSetWriter({ client, view, events, ref, deployment });
      await writeReplicaSets(writer, request.actions, versions);
      const own = new DeploymentWriter({ client, view, ref, deployment });
      versions.deployment = await own.write(request);
      announceAll(events, request, deployment);
      return versions.as('done');
    } catch (error) {
      return judgeFailure(error, versions, `carry out the plan for ${ref.namespace}/${ref.name}`);
    }
  };
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

function readDeployment(client: KubernetesClient, { ref }: CarryOutRequest): Promise<Deployment> {
  return client.get<Deployment>(deploymentTypes[ref.api], ref.namespace, ref.name);
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
  events: EventRecorder,
  { ref, actions }: CarryOutRequest,
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
