import { deployerPodLabel } from '../../kubernetes/deployment-configs/annotations.js';
import type { KubernetesObject } from '../../kubernetes/objects.js';
import { resources } from '../../kubernetes/resources.js';
import { toDeployerPodLabel, workedFor } from '../../kubernetes/run-once-pods/worked-for.js';
import {
  listObjects,
  watchObjects,
  type ObjectSelection,
  type ReadingClient,
} from '../watch-objects.js';
import type { LogScene, LogTarget } from './log-target.js';

/** A cluster that is away for longer than this is given up. */
const giveUpAfterMs = 120_000;

type Part = 'root' | 'holder' | 'pods';
type Objects = ReadonlyMap<string, KubernetesObject>;

/** What has to be seen of a target: itself, what holds its hooks, and the pods that run once for it. */
function selectParts(
  client: ReadingClient,
  { namespace, root, holder }: LogTarget,
): readonly (readonly [Part, ObjectSelection])[] {
  const named = (name: string) => `metadata.name=${name}`;
  return [
    ['root', { client, namespace, type: root.type, fieldSelector: named(root.name) }],
    ['holder', { client, namespace, type: holder.type, fieldSelector: named(holder.name) }],
    [
      'pods',
      {
        client,
        namespace,
        type: resources.pods,
        labelSelector: `${deployerPodLabel}=${toDeployerPodLabel(holder.name)}`,
      },
    ],
  ];
}

function toScene(seen: ReadonlyMap<Part, Objects>): LogScene {
  const [root] = seen.get('root')?.values() ?? [];
  const [holder] = seen.get('holder')?.values() ?? [];
  const pods = [...(seen.get('pods')?.values() ?? [])];
  // The label may hold only the beginning of a name.
  const isMeant = (pod: KubernetesObject): boolean =>
    holder === undefined || workedFor(pod) === holder.metadata.name;
  return { root, holder, pods: pods.filter(isMeant) };
}

/** What there is now. */
export async function readScene(client: ReadingClient, target: LogTarget): Promise<LogScene> {
  const seen = await Promise.all(
    selectParts(client, target).map(
      async ([part, selection]) => [part, (await listObjects(selection)).objects] as const,
    ),
  );
  return toScene(new Map(seen));
}

/** A scene that is kept up to date. */
export class WatchedScene {
  private readonly seen = new Map<Part, Objects>();
  private readonly waiting = new Set<() => void>();

  /** Undefined until all of it was seen. */
  get current(): LogScene | undefined {
    return this.seen.size === 3 ? toScene(this.seen) : undefined;
  }

  note(part: Part, objects: Objects): void {
    this.seen.set(part, new Map(objects));
    this.wake();
  }

  /** Resolves at the next change, or when nothing is watched any more. */
  change(): Promise<void> {
    return new Promise((resolve) => this.waiting.add(resolve));
  }

  /** Aborts as soon as the scene is as it should be; whoever asks must stop it. */
  when(isSo: (scene: LogScene) => boolean): { readonly signal: AbortSignal; stop(): void } {
    const reached = new AbortController();
    const look = (): void => {
      const { current } = this;
      if (current !== undefined && isSo(current)) reached.abort();
      else this.waiting.add(look);
    };
    look();
    return {
      signal: reached.signal,
      stop: () => {
        this.waiting.delete(look);
      },
    };
  }

  wake(): void {
    const all = [...this.waiting];
    this.waiting.clear();
    for (const each of all) each();
  }
}

export interface SceneWatch {
  readonly client: ReadingClient;
  readonly target: LogTarget;
  readonly onTrouble: (sentence?: string) => void;
  readonly signal: AbortSignal;
}

/** Does something with a scene that is kept up to date meanwhile. */
export async function withWatchedScene<T>(
  { client, target, onTrouble, signal }: SceneWatch,
  action: (scene: WatchedScene, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const both = AbortSignal.any([signal, over.signal]);
  const scene = new WatchedScene();
  both.addEventListener('abort', () => {
    scene.wake();
  });
  const watches = selectParts(client, target).map(([part, selection]) =>
    watchObjects({
      ...selection,
      giveUpAfterMs,
      signal: both,
      onChange: (objects) => {
        scene.note(part, objects);
      },
      // All streams break together, which is one piece of news.
      onTrouble: (sentence) => {
        if (part === 'holder') onTrouble(sentence);
      },
    }),
  );
  const acting = action(scene, both);
  const watching = Promise.all(watches).then(() => {
    signal.throwIfAborted();
    throw new Error('the watches have ended before their time');
  });
  try {
    return await Promise.race([acting, watching]);
  } finally {
    over.abort();
    // Whichever has lost the race ends by that, and has nothing more to tell.
    for (const lost of [acting, watching]) lost.catch(() => undefined);
  }
}
