import type {
  ApplyRollbackRequest,
  ApplyRollbackResult,
  RollbackActivities,
} from '../../contracts/rollback.js';
import { describeRollback, type RollbackNotes } from '../../domain/deployment-config/triggers.js';
import { buildRollback, partsOf } from '../../domain/rollback/build-rollback.js';
import { describeOvertaken } from '../../domain/rollback/describe-overtaken.js';
import { someWorkflow } from '../../domain/shared/author.js';
import { defined } from '../../domain/shared/optional.js';
import { isConflict, isNotFound } from '../../kubernetes/api-error.js';
import type { KubernetesClient } from '../../kubernetes/client.js';
import { configAnnotations } from '../../kubernetes/deployment-configs/annotations.js';
import {
  controllerName,
  decodeConfig,
} from '../../kubernetes/deployment-configs/build-controller.js';
import type {
  DeploymentConfig,
  ReplicationController,
} from '../../kubernetes/deployment-configs/objects.js';
import { asksFor, findWriter } from '../../kubernetes/deployment-configs/read-block.js';
import { readCauses } from '../../kubernetes/deployment-configs/read-causes.js';
import {
  findPendingRollback,
  readRequest,
  type WrittenRequest,
} from '../../kubernetes/deployment-configs/read-request.js';
import { resources } from '../../kubernetes/resources.js';
import type { ClusterAccess } from '../cluster-access.js';
import type { EventRecorder } from '../events.js';
import { toActivityFailure } from '../failures.js';
import { answersBlock } from './answers-block.js';

/** A status update between reading and writing makes the write fail; this many are outlived. */
const tries = 20;

/**
 * Gives a config what it had at an earlier version, and asks for a version of that, in one write: no crash can
 * part the two. It is written over what was examined and nothing else, and asked for a second time, after an
 * answer that was lost, it finds its own write.
 */
export function createApplyRollback(
  access: ClusterAccess,
  events: Pick<EventRecorder, 'record'>,
): RollbackActivities['applyRollback'] {
  return async (asked) => {
    const { ref } = asked;
    const client = access.cluster(ref.cluster)?.client;
    if (client === undefined) return { kind: 'elsewhere' };
    try {
      return await apply(client, events, asked);
    } catch (error) {
      if (isNotFound(error)) return { kind: 'gone' };
      throw toActivityFailure(error, `take ${ref.namespace}/${ref.name} back to ${asked.to}`);
    }
  };
}

async function apply(
  client: KubernetesClient,
  events: Pick<EventRecorder, 'record'>,
  asked: ApplyRollbackRequest,
): Promise<ApplyRollbackResult> {
  const { cluster, namespace, name } = asked.ref;
  const type = resources.deploymentConfigs;
  for (let count = 1; ; count += 1) {
    const config = await client.get<DeploymentConfig>(type, namespace, name);
    const own = await findOwn(client, config, asked);
    if (own) return toDone(config, asked);
    const change = findChange(config, asked);
    if (change !== undefined) return change;
    const snapshot = await readSnapshot(client, asked);
    if (snapshot === undefined) {
      return { kind: 'changed', why: `version ${asked.to} of ${name} is not there any more` };
    }
    const isAnswered = await answersBlock(client, config, asked);
    try {
      const proposed = build(config, snapshot, asked, isAnswered);
      const written = await client.replace(type, proposed, { strict: true });
      const note = `${name}: ${describeRollback(notesOf(asked))}`;
      const about = { cluster, type, object: written };
      events.record(about, { type: 'Normal', reason: 'RolledBack', action: 'RollBack', note });
      return toDone(written, asked);
    } catch (error) {
      if (!isConflict(error) || count >= tries) throw error;
    }
  }
}

/** All that goes back, the wish for a version of it, and no more block that is met by that. */
function build(
  config: DeploymentConfig,
  snapshot: DeploymentConfig,
  asked: ApplyRollbackRequest,
  isAnswered: boolean,
): DeploymentConfig {
  const { from, wish } = asked;
  const request: WrittenRequest = {
    version: from + 1,
    keepsImages: true,
    ...findAsker(config, asked),
  };
  const proposed = buildRollback(config, snapshot, partsOf(wish));
  const annotations = {
    ...config.metadata.annotations,
    [configAnnotations.request]: JSON.stringify(request),
  };
  const { rollback, ...rest } = proposed;
  return {
    ...rest,
    ...(isAnswered ? {} : defined({ rollback })),
    metadata: { ...proposed.metadata, annotations },
  };
}

/** The one who says so; else the program that wrote the block, or the run itself. */
function findAsker(
  config: DeploymentConfig,
  asked: ApplyRollbackRequest,
): Pick<WrittenRequest, 'by' | 'rollback'> {
  const rollback = notesOf(asked);
  const { wish, fromBlock } = asked;
  if (wish.by !== undefined) return { by: wish.by, rollback };
  const manager = fromBlock === true ? findWriter(config) : undefined;
  return manager === undefined
    ? { by: someWorkflow, rollback }
    : { rollback: { ...rollback, manager } };
}

const notesOf = ({ from, to, wish, runId }: ApplyRollbackRequest): RollbackNotes => ({
  from,
  to,
  config: wish.config,
  application: wish.application,
  run: runId,
  ...defined({ keepsReplicas: wish.keepsReplicas, notes: wish.notes }),
});

/** Whether this very run has written it already: it is still asked for, or the version has been made. */
async function findOwn(
  client: KubernetesClient,
  config: DeploymentConfig,
  { ref, from, runId }: ApplyRollbackRequest,
): Promise<boolean> {
  if (readRequest(config)?.rollback?.run === runId) return true;
  const latest = config.status?.latestVersion ?? 0;
  if (latest <= from) return false;
  const causes = config.status?.details?.causes ?? [];
  if (causes.some(({ rollback }) => rollback?.run === runId)) return true;
  try {
    const made = await client.get<ReplicationController>(
      resources.replicationControllers,
      ref.namespace,
      controllerName(ref.name, from + 1),
    );
    return readCauses(made).some(({ rollback }) => rollback?.run === runId);
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

/** What is not as it was examined, if anything is. */
function findChange(
  config: DeploymentConfig,
  { ref: { name }, wish, from, base, fromBlock }: ApplyRollbackRequest,
): ApplyRollbackResult | undefined {
  const { metadata, status } = config;
  if (fromBlock === true && !asksFor(config, wish)) {
    return { kind: 'needless', why: 'the block that asked for it was changed or taken away since' };
  }
  const pending = findPendingRollback(config);
  if (pending !== undefined) {
    return {
      kind: 'overtaken',
      why: `${name} is on its way back to version ${pending.to} already`,
    };
  }
  const latest = status?.latestVersion ?? 0;
  if (latest !== from || (base !== undefined && metadata.uid !== base.uid)) {
    return { kind: 'overtaken', why: describeOvertaken(name, latest, from) };
  }
  const isSame = base === undefined || metadata.generation === base.generation;
  return isSame ? undefined : { kind: 'changed', why: `${name} has changed since it was examined` };
}

async function readSnapshot(
  client: KubernetesClient,
  { ref, to }: ApplyRollbackRequest,
): Promise<DeploymentConfig | undefined> {
  try {
    const name = controllerName(ref.name, to);
    const type = resources.replicationControllers;
    return decodeConfig(await client.get<ReplicationController>(type, ref.namespace, name));
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

const toDone = (
  { metadata }: DeploymentConfig,
  { from }: ApplyRollbackRequest,
): ApplyRollbackResult => ({
  kind: 'done',
  version: from + 1,
  versions: { deployment: metadata.resourceVersion ?? '0', replicaSets: {} },
});
