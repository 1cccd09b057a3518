import { ApiError, isNotFound } from '../kubernetes/api-error.js';
import type { Cluster } from '../kubernetes/connect.js';
import type { Deployment, ReplicaSet } from '../kubernetes/objects.js';
import { resources, type ResourceType } from '../kubernetes/resources.js';
import { badInput } from './failure.js';
import { groupOf, refOf } from './kinds.js';
import type { Ref } from './parse-ref.js';
import { listRevisions, type Revision } from './revisions.js';
import { isNotServed, withType } from './watch-objects.js';

export interface FoundDeployment {
  readonly type: ResourceType;
  /** The unmistakable name, for messages. */
  readonly ref: string;
  readonly deployment: Deployment;
}

/** The one object that a KIND/NAME means; a sentence when there is none or more than one. */
export async function findDeployment(
  cluster: Cluster,
  namespace: string,
  ref: Ref,
): Promise<FoundDeployment> {
  const answers = await Promise.all(
    ref.kinds.map(async ({ type }) => ({
      type,
      answer: await look(cluster, namespace, type, ref),
    })),
  );
  const found = answers.flatMap(({ type, answer }) =>
    answer instanceof ApiError ? [] : [{ type, ref: refOf(type, ref.name), deployment: answer }],
  );
  const [first, second] = found;
  if (first !== undefined && second === undefined) return first;
  if (first !== undefined) {
    const choices = found.map((one) => one.ref).join(' or ');
    throw badInput(`${ref.text}: namespace ${namespace} has two of that name: write ${choices}`);
  }
  const [only] = answers;
  if (answers.length === 1 && only !== undefined && isNotServed(only.answer)) {
    throw notInstalled(ref.text, only.type);
  }
  throw badInput(`${ref.text}: namespace ${namespace} has no such ${kindWord(ref)}`);
}

async function look(
  { client }: Cluster,
  namespace: string,
  type: ResourceType,
  { name }: Ref,
): Promise<Deployment | ApiError> {
  try {
    return withType(await client.get<Deployment>(type, namespace, name), type);
  } catch (error) {
    if (error instanceof ApiError && isNotFound(error)) return error;
    throw error;
  }
}

function kindWord({ kinds: [first, second] }: Ref): string {
  if (first === undefined) return 'object';
  return second === undefined ? `${first.type.kind}.${groupOf(first.type)}` : first.type.kind;
}

/** The API of a kind is missing from the cluster. */
export function notInstalled(subject: string, { apiVersion, kind }: ResourceType) {
  return badInput(
    `${subject}: this cluster doesn't know ${kind}s of ${apiVersion}; "slipway install" adds them`,
  );
}

/** The history of a Deployment, newest first. */
export async function readRevisions(
  { client }: Cluster,
  deployment: Deployment,
): Promise<Revision[]> {
  const sets = await client.list<ReplicaSet>(resources.replicaSets, deployment.metadata.namespace, {
    labelSelector: selectorOf(deployment),
  });
  return listRevisions(deployment, sets.items);
}

/** A Deployment's selector as a query that leaves none of its ReplicaSets out. */
export function selectorOf({ spec }: Deployment): string | undefined {
  // Ours may have none of its own: it then follows from the template, which differs by revision.
  const selector = spec?.selector as { matchLabels?: Record<string, string> } | undefined;
  const pairs = Object.entries(selector?.matchLabels ?? {}).map(
    ([key, value]) => `${key}=${value}`,
  );
  return pairs.length === 0 ? undefined : pairs.join(',');
}
