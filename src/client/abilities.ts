import type { KubernetesObject } from '../kubernetes/objects.js';
import { resources, type ResourceType } from '../kubernetes/resources.js';
import type { ClusterSession } from './cluster-session.js';
import { configHandling } from './configs/config-handling.js';
import { deploymentHandling } from './deployments/deployment-handling.js';
import { badInput } from './failure.js';
import { findObject } from './find-object.js';
import type { Handling, Subject, Verb } from './handling.js';
import { kinds, nameKinds, type Kind } from './kinds.js';
import { parseRef, type Ref } from './parse-ref.js';

type AnyHandling = Handling<KubernetesObject>;

/** Each row is only ever asked about objects of its own kind. */
const forKind = <T extends KubernetesObject>(handling: Handling<T>): AnyHandling =>
  handling as unknown as AnyHandling;

/** What each command can do, by kind. Every kind can be looked at with `get`. */
const handlings: ReadonlyMap<ResourceType, AnyHandling> = new Map([
  [resources.slipwayDeployments, forKind(deploymentHandling)],
  [resources.builtInDeployments, forKind(deploymentHandling)],
  [resources.deploymentConfigs, forKind(configHandling)],
]);

export function findAbility<V extends Verb>(
  verb: V,
  type: ResourceType,
): AnyHandling[V] | undefined {
  return handlings.get(type)?.[verb];
}

const verbs: ReadonlyMap<string, Verb> = new Map(
  [...handlings.values()].flatMap((handling) =>
    Object.keys(handling).map((verb) => [verb, verb as Verb] as const),
  ),
);

/** The kinds that a command takes; `diff` compares what is in the history, and `get` shows all. */
export function kindsForCommand(command: string): readonly Kind[] {
  const verb = verbs.get(command === 'diff' ? 'history' : command);
  return verb === undefined ? kinds : kindsThatCan(verb);
}

function kindsThatCan(verb: Verb): readonly Kind[] {
  return kinds.filter(({ type }) => findAbility(verb, type) !== undefined);
}

/** As `parseRef`, for a command that not every kind can do. */
export function parseRefFor(verb: Verb, text: string): Ref {
  const ref = parseRef(text);
  const able = kindsThatCan(verb);
  const fitting = ref.kinds.filter((kind) => able.includes(kind));
  if (fitting.length === 0) {
    throw badInput(`${ref.text}: "${verb}" is for ${nameKinds(able)} only`);
  }
  return { ...ref, kinds: fitting };
}

/** The object that a command is about, with what that command does to it. */
export async function findSubject<V extends Verb>(
  verb: V,
  session: ClusterSession,
  ref: Ref,
): Promise<{ readonly subject: Subject; readonly ability: NonNullable<AnyHandling[V]> }> {
  const found = await findObject(session.cluster, session.namespace, ref);
  const ability = findAbility(verb, found.type);
  if (ability === undefined) throw badInput(`${found.ref}: "${verb}" can't be done to it`);
  return { subject: { session, ...found }, ability };
}
