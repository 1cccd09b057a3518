import type { Versions } from '../contracts/advance.js';
import {
  ApiError,
  isAlreadyExists,
  isConflict,
  isEnding,
  isForbidden,
  isInvalid,
  isNotFound,
} from '../kubernetes/api-error.js';
import type { KubernetesObject } from '../kubernetes/objects.js';
import type { CarryOutResult } from './advance.js';
import { toActivityFailure } from './failures.js';

/** What an object has become by a write. */
export interface Written {
  readonly uid: string;
  readonly version: string;
}

export const toWritten = ({ metadata }: KubernetesObject): Written => ({
  uid: metadata.uid ?? '',
  version: metadata.resourceVersion ?? '0',
});

/** The versions as they are after each write. */
export class WrittenVersions {
  deployment: string;
  private readonly replicaSets: Record<string, string>;

  constructor(private readonly seen: Versions) {
    this.deployment = seen.deployment;
    this.replicaSets = { ...seen.replicaSets };
  }

  note({ uid, version }: Written): void {
    this.replicaSets[uid] = version;
  }

  current(): Versions {
    return { ...this.seen, deployment: this.deployment, replicaSets: this.replicaSets };
  }
}

/**
 * Makes the writes of a plan, each of which names what it expects to find, and tells what came of them.
 * They resolve to false when the plan is out of date already.
 */
export async function carryOut(
  seen: Versions,
  attempt: string,
  write: (versions: WrittenVersions) => Promise<boolean>,
): Promise<CarryOutResult> {
  const versions = new WrittenVersions(seen);
  try {
    const isDone = await write(versions);
    return { kind: isDone ? 'done' : 'stale', versions: versions.current() };
  } catch (error) {
    if (isConflict(error) || isNotFound(error) || isAlreadyExists(error)) {
      return { kind: 'stale', versions: versions.current() };
    }
    if (isEnding(error)) return { kind: 'ending', versions: versions.current() };
    if (error instanceof ApiError && (isInvalid(error) || isForbidden(error))) {
      const mayPass = isForbidden(error) ? { mayPass: true } : {};
      return { kind: 'refused', problem: error.message, versions: versions.current(), ...mayPass };
    }
    throw toActivityFailure(error, attempt);
  }
}

/** Writes one stage of a plan, side by side. */
export async function writeStage<Action>(
  actions: readonly Action[],
  write: (action: Action) => Promise<Written | undefined>,
  versions: WrittenVersions,
): Promise<void> {
  const results = await Promise.allSettled(
    actions.map(async (action) => {
      const written = await write(action);
      if (written !== undefined) versions.note(written);
    }),
  );
  // All have ended by now, so that none is still under way when the next plan is made.
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
