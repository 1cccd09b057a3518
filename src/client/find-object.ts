import { ApiError, isNotFound } from '../kubernetes/api-error.js';
import type { Cluster } from '../kubernetes/connect.js';
import type { KubernetesObject } from '../kubernetes/objects.js';
import type { ResourceType } from '../kubernetes/resources.js';
import { badInput } from './failure.js';
import { groupOf, refOf } from './kinds.js';
import type { Ref } from './parse-ref.js';
import { isNotServed, withType } from './watch-objects.js';

export interface FoundObject {
  readonly type: ResourceType;
  /** The unmistakable name, for messages. */
  readonly ref: string;
  readonly object: KubernetesObject;
}

/** The one object that a KIND/NAME means; a sentence when there is none or more than one. */
export async function findObject(
  cluster: Cluster,
  namespace: string,
  ref: Ref,
): Promise<FoundObject> {
  const answers = await Promise.all(
    ref.kinds.map(async ({ type }) => ({
      type,
      answer: await look(cluster, namespace, type, ref),
    })),
  );
  const found = answers.flatMap(({ type, answer }) =>
    answer instanceof ApiError ? [] : [{ type, ref: refOf(type, ref.name), object: answer }],
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
): Promise<KubernetesObject | ApiError> {
  try {
    return withType(await client.get(type, namespace, name), type);
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
