import type { Revision } from '../../domain/shared/revision.js';
import type { End } from '../../domain/shared/stay.js';
import type { Run } from '../list-runs.js';

/** How a rollout ended, or where it is while it goes on. */
export type Outcome = End | 'Progressing' | 'Paused';

/**
 * One line of a history. `slipway history -o json|yaml` prints a list of these, newest first, of the same
 * shape for every kind; null stands for what is not known or doesn't apply. The shape is a promise to
 * scripts: fields are added, but none is renamed or taken away.
 */
export interface HistoryEntry {
  /** The revision of a Deployment, the version of a DeploymentConfig; as text where it is too large. */
  readonly revision: Revision | null;
  /** Which try of a version it is, from 1. */
  readonly attempt: number;
  /** The tag of an ImageRepository. */
  readonly tag: string | null;
  /** Whether it is the one in force. */
  readonly current: boolean;
  /** The object that keeps it. Example: ReplicaSet/web-5d4f8b */
  readonly holder: string;
  readonly startedAt: string | null;
  /** Null while it goes on, too. */
  readonly endedAt: string | null;
  /** How long that was. */
  readonly seconds: number | null;
  /** The user who brought it about, where they said so. */
  readonly who: string | null;
  /** The program that wrote the template, by the name that it gives itself. */
  readonly manager: string | null;
  /** What started it: Manual, NewImage, ConfigChange, ImageChange, Retry and so on. */
  readonly triggers: readonly string[];
  /** Why, in a sentence; in the words of whoever did it where they gave a reason. */
  readonly why: string | null;
  /** The annotation `kubernetes.io/change-cause` of a Deployment's revision. */
  readonly changeCause: string | null;
  /** The earlier revision whose template it has, when it was gone back to. */
  readonly backTo: Revision | null;
  /** What was in force before; null for the first. */
  readonly from: {
    readonly revision: Revision | null;
    readonly images: readonly string[] | null;
  } | null;
  readonly images: readonly string[];
  readonly outcome: Outcome | null;
  /** Why it ended so, or what stands in its way. */
  readonly reason: string | null;
  /** Who ended it, where somebody did. */
  readonly endedBy: string | null;
  readonly replicas: { readonly desired: number; readonly ready: number } | null;
  /** The runs in Temporal that belong to it; null where nobody asked Temporal, or it did not answer. */
  readonly runs: readonly Run[] | null;
}

/** What is not said of an entry is not known. The fields stand in the order in which they are printed. */
export function toEntry(
  known: Partial<HistoryEntry> & Pick<HistoryEntry, 'holder' | 'images' | 'current'>,
): HistoryEntry {
  const { startedAt = null, endedAt = null } = known;
  return { ...unknown, ...known, seconds: countSeconds(startedAt, endedAt) };
}

const unknown: HistoryEntry = {
  revision: null,
  attempt: 1,
  tag: null,
  current: false,
  holder: '',
  startedAt: null,
  endedAt: null,
  seconds: null,
  who: null,
  manager: null,
  triggers: [],
  why: null,
  changeCause: null,
  backTo: null,
  from: null,
  images: [],
  outcome: null,
  reason: null,
  endedBy: null,
  replicas: null,
  runs: null,
};

function countSeconds(startedAt: string | null, endedAt: string | null): number | null {
  if (startedAt === null || endedAt === null) return null;
  const ms = Date.parse(endedAt) - Date.parse(startedAt);
  return Number.isNaN(ms) ? null : Math.max(0, ms) / 1_000;
}
