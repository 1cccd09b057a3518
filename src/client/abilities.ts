import type { KubernetesObject } from '../kubernetes/objects.js';
import { resources, type ResourceType } from '../kubernetes/resources.js';
import type { ClusterSession } from './cluster-session.js';
import { configHandling } from './configs/config-handling.js';
import { deploymentHandling, ownDeploymentHandling } from './deployments/deployment-handling.js';
import { badInput } from './failure.js';
import { findObject } from './find-object.js';
import type { Handling, Subject, Verb } from './handling.js';
import { kinds, nameKinds, type Kind } from './kinds.js';
import { parseRef, type Ref } from './parse-ref.js';
import { repositoryHandling } from './repositories/repository-handling.js';

type AnyHandling = Handling<KubernetesObject>;

/** Each row is only ever asked about objects of its own kind. */
const forKind = <T extends KubernetesObject>(handling: Handling<T>): AnyHandling =>
  handling as unknown as AnyHandling;

/** What each command can do, by kind. Every kind can be looked at with `get`. */
const handlings: ReadonlyMap<ResourceType, AnyHandling> = new Map([
  [resources.slipwayDeployments, forKind(ownDeploymentHandling)],
  [resources.builtInDeployments, forKind(deploymentHandling)],
  [resources.deploymentConfigs, forKind(configHandling)],
  [resources.imageRepositories, forKind(repositoryHandling)],
]);

export function findAbility<V extends Verb>(
  verb: V,
  type: ResourceType,
): AnyHandling[V] | undefined {
  return handlings.get(type)?.[verb];
}

const verbs: ReadonlySet<string> = new Set(
  [...handlings.values()].flatMap((handling) => Object.keys(handling)),
);

/** What a command does, where that is not what it is called. */
const verbsOfCommands: Readonly<Record<string, readonly Verb[]>> = {
  undo: ['undo', 'rollBack'],
  'resume-triggers': ['resumeTriggers'],
};

/** The kinds that a command takes; `get` shows all. */
export function kindsForCommand(command: string): readonly Kind[] {
  const own = verbs.has(command) ? [command as Verb] : [];
  const wanted = verbsOfCommands[command] ?? own;
  if (wanted.length === 0) return kinds;
  return kinds.filter(({ type }) => wanted.some((verb) => findAbility(verb, type) !== undefined));
}

/** As `parseRef`, for a command that not every kind can do. */
export function parseRefFor(command: string, text: string, title = command): Ref {
  const ref = parseRef(text);
  const able = kindsForCommand(command);
  const fitting = ref.kinds.filter((kind) => able.includes(kind));
  if (fitting.length === 0) {
    throw badInput(`${ref.text}: "${title}" is for ${nameKinds(able)} only`);
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
