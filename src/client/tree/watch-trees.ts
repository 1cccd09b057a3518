import type { KubernetesObject } from '../../kubernetes/objects.js';
import type { ResourceType } from '../../kubernetes/resources.js';
import { Throttle } from '../throttle.js';
import { watchObjects, type ReadingClient } from '../watch-objects.js';
import { buildTrees, commonSelectorOf, listNeeds, treeKindOf, type Seen } from './tree-kinds.js';
import type { Tree } from './tree.js';

/** At most ten pictures a second: more can't be read. */
const betweenPicturesMs = 100;

export interface TreeSelection {
  readonly client: ReadingClient;
  readonly types: readonly ResourceType[];
  readonly namespace: string | undefined;
  readonly name?: string | undefined;
  /** Narrows other kinds to what belongs to this one object of the only type. */
  readonly root?: KubernetesObject | undefined;
}

export interface TreeWatch extends TreeSelection {
  /** Leaves out what only a whole tree shows. */
  readonly isBrief?: boolean;
  readonly onTrees: (trees: Tree[]) => void;
  readonly onTrouble?: (sentence?: string) => void;
  readonly giveUpAfterMs?: number;
  readonly signal: AbortSignal;
}

/** Keeps trees of objects and what belongs to them up to date until the signal aborts. */
export async function watchTrees(watch: TreeWatch): Promise<void> {
  const ended = new AbortController();
  const signal = AbortSignal.any([watch.signal, ended.signal]);
  const seen = new Map<ResourceType, ReadonlyMap<string, KubernetesObject>>();
  const troubled = new Set<ResourceType>();
  const watched = listNeeds(watch.types, watch.isBrief === true);
  const throttle = new Throttle(betweenPicturesMs, () => {
    // A picture is shown once every kind was listed: half of one would look like a failure.
    if (seen.size === watched.length) watch.onTrees(buildTrees(watch.types, seenIn(seen)));
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

/**
 * Which objects of a kind belong to the picture. One of several kinds that are looked for may be missing,
 * and so may what only adds to them, but not the only one.
 */
export function selectorsFor(type: ResourceType, { types, name, root }: TreeSelection) {
  const [first] = types;
  const isOnly = types.length === 1 && type === first;
  const isRoot = types.includes(type);
  return {
    optional: !isOnly,
    fieldSelector: isRoot && name !== undefined ? `metadata.name=${name}` : undefined,
    labelSelector:
      commonSelectorOf(type) ??
      (isRoot || root === undefined || first === undefined
        ? undefined
        : treeKindOf(first).narrow(root, type)),
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

export const seenIn =
  (objects: ReadonlyMap<ResourceType, ReadonlyMap<string, KubernetesObject>>): Seen =>
  (type) => [...(objects.get(type)?.values() ?? [])];
