import type { Versions } from '../contracts/advance.js';

/** A rollout's status updates come in bursts: look when one has calmed down, or after this much longer. */
const burstFactor = 4;

/** What was seen of an object and of all that belongs to it. */
export interface Sighting<Observation> {
  readonly observation: Observation;
  readonly versions: Versions;
}

/** One object in a copy of the cluster that a watch keeps up to date. */
export interface WatchedObject<Observation> {
  /** It sees nothing any more, so there is nothing to wait for either. */
  readonly isStopped: boolean;
  /** Calls back when it changes, itself or in what belongs to it. */
  onChange(listener: () => void): () => void;
  /** What stands there now; undefined when there is no such object. */
  observe(): Promise<Sighting<Observation> | undefined>;
  /** Whether the copy has everything the caller has seen or written: less would be a look at the past. */
  isCaughtUp(sighting: Sighting<Observation> | undefined, since: Versions): boolean;
}

export interface ChangeRequest<Observation> {
  /** What the caller has seen or written; absent to look at once. */
  readonly since?: Versions;
  /** Whether only something newer will do. */
  readonly mustDiffer?: boolean;
  /** How long nothing may happen for a burst of changes to be over. */
  readonly calmMs: number;
  /** When to look one last time, as far as is known by what was last seen. */
  readonly untilMs: () => number;
  readonly signal: AbortSignal;
  /** Whether it calls for an act; changes that lead to nothing are waited out. */
  readonly isWorthwhile: (observation: Observation) => boolean;
}

export type ChangeResult<Observation> = Sighting<Observation> | 'gone' | 'unchanged';

/**
 * Waits until the copy has all that the caller knows of an object and what belongs to it, and calls for
 * an act.
 */
export async function waitForChange<Observation>(
  object: WatchedObject<Observation>,
  { since, mustDiffer = false, calmMs, untilMs, signal, isWorthwhile }: ChangeRequest<Observation>,
): Promise<ChangeResult<Observation>> {
  const bell = new Bell();
  const unsubscribe = object.onChange(() => {
    bell.ring();
  });
  try {
    while (true) {
      const sighting = await object.observe();
      if (since === undefined) return sighting ?? 'gone';
      const isCaughtUp = object.isCaughtUp(sighting, since);
      if (isCaughtUp) {
        if (sighting === undefined) return 'gone';
        const isNew = !mustDiffer || differs(sighting.versions, since);
        if (isNew && isWorthwhile(sighting.observation)) return sighting;
      }
      const leftMs = untilMs() - Date.now();
      if (leftMs <= 0 || signal.aborted || object.isStopped) return 'unchanged';
      // What the caller wrote itself is no burst, and is looked at as soon as it comes back.
      if ((await bell.heard(leftMs, signal)) && isCaughtUp) await bell.calm(calmMs);
    }
  } finally {
    unsubscribe();
  }
}

function differs(versions: Versions, since: Versions): boolean {
  const uids = new Set([...Object.keys(versions.replicaSets), ...Object.keys(since.replicaSets)]);
  return (
    versions.deployment !== since.deployment ||
    versions.oldPods !== since.oldPods ||
    [...uids].some((uid) => versions.replicaSets[uid] !== since.replicaSets[uid])
  );
}

/** Remembers that something happened until someone asks. */
class Bell {
  private rung = false;
  private wake: (() => void) | undefined;

  ring(): void {
    this.rung = true;
    this.wake?.();
  }

  /** Resolves to false when nothing happened in time. */
  async heard(withinMs: number, signal?: AbortSignal): Promise<boolean> {
    if (!this.rung) await this.next(withinMs, signal);
    const heard = this.rung;
    this.rung = false;
    return heard;
  }

  /** Lets a burst pass. */
  async calm(calmMs: number): Promise<void> {
    const untilMs = Date.now() + burstFactor * calmMs;
    while ((await this.heard(calmMs)) && Date.now() < untilMs);
  }

  private next(withinMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        this.wake = undefined;
        resolve();
      };
      const timer = setTimeout(done, withinMs);
      signal?.addEventListener('abort', done, { once: true });
      this.wake = done;
    });
  }
}
