import type { Deployment, KubernetesObject, Pod, ReplicaSet } from '../../kubernetes/objects.js';
import { resources, type ResourceType } from '../../kubernetes/resources.js';
import { Throttle } from '../throttle.js';
import { watchObjects, type ReadingClient } from '../watch-objects.js';
import { buildTrees } from './build-trees.js';
import type { DeploymentTree } from './tree.js';

/** At most ten pictures a second: more can't be read. */
const betweenPicturesMs = 100;

export interface TreeSelection {
  readonly client: ReadingClient;
  readonly types: readonly ResourceType[];
  readonly namespace: string | undefined;
  readonly name?: string | undefined;
  /** Narrows ReplicaSets and pods to those of one Deployment. */
  readonly labelSelector?: string | undefined;
}

export interface TreeWatch extends TreeSelection {
  /** Leaves revisions and pods out. */
  readonly rootsOnly?: boolean;
  readonly onTrees: (trees: DeploymentTree[]) => void;
  readonly onTrouble?: (sentence?: string) => void;
  readonly giveUpAfterMs?: number;
  readonly signal: AbortSignal;
}

/** Keeps trees of Deployments, revisions and pods up to date until the signal aborts. */
export async function watchTrees(watch: TreeWatch): Promise<void> {
  const ended = new AbortController();
  const signal = AbortSignal.any([watch.signal, ended.signal]);
  const seen = new Map<ResourceType, ReadonlyMap<string, KubernetesObject>>();
  const troubled = new Set<ResourceType>();
  const branches = watch.rootsOnly === true ? [] : [resources.replicaSets, resources.pods];
  const watched = [...watch.types, ...branches];
  const throttle = new Throttle(betweenPicturesMs, () => {
    // A picture is shown once every kind was listed: half of one would look like a failure.
    if (seen.size === watched.length) watch.onTrees(buildFrom(seen, watch.types));
  });
  try {
    const watches = watched.map((type) =>
      watchObjects({
        ...watch,
        ...selectorsFor(type, watch),
        type,
        signal,
        onChange: (objects) => {
          seen.set(type, objects);
          throttle.request();
        },
        onTrouble: (sentence) => {
          const before = troubled.size;
          if (sentence === undefined) troubled.delete(type);
          else troubled.add(type);
          // Several streams to one cluster break together, which is one piece of news.
          if ((before === 0) !== (troubled.size === 0)) watch.onTrouble?.(sentence);
        },
      }),
    );
    // A call that hangs must not hold up whoever wants to stop.
    await Promise.race([Promise.all(watches), untilAborted(signal)]);
  } finally {
    ended.abort();
    throttle.stop();
  }
}

/** Which objects of a kind belong to the picture. One of several kinds may be missing, but not the only one. */
export function selectorsFor(type: ResourceType, { types, name, labelSelector }: TreeSelection) {
  const isRoot = types.includes(type);
  return {
    optional: isRoot && types.length > 1,
    fieldSelector: isRoot && name !== undefined ? `metadata.name=${name}` : undefined,
    labelSelector: isRoot ? undefined : labelSelector,
  };
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener(
      'abort',
      () => {
        resolve();
      },
      { once: true },
    );
  });
}

function buildFrom(
  seen: ReadonlyMap<ResourceType, ReadonlyMap<string, KubernetesObject>>,
  types: readonly ResourceType[],
): DeploymentTree[] {
  const all = <T extends KubernetesObject>(type: ResourceType): T[] =>
    [...(seen.get(type)?.values() ?? [])] as T[];
  return buildTrees({
    deployments: types.flatMap((type) => all<Deployment>(type)),
    replicaSets: all<ReplicaSet>(resources.replicaSets),
    pods: all<Pod>(resources.pods),
  });
}
