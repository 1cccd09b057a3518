import type { SearchAttributePair } from '@temporalio/common';

/** A run to start. */
export interface RunDescription {
  readonly type: string;
  readonly workflowId: string;
  readonly input: object;
  /** One line for the UI's list. */
  readonly summary: string;
  /** For whoever opens the run; what it does just now is in its current details. */
  readonly details: string;
  /** What is known of it before it begins: said at its start, it needs no task of its own. */
  readonly attributes: readonly SearchAttributePair[];
}

/** What a run is needed for. */
export interface Need {
  /** Changes with what is asked for, not with what has come of it. */
  readonly state: string;
  /** There is more to do than to write down counts. */
  readonly isUrgent: boolean;
  readonly run: RunDescription;
}

/** Objects of one kind that runs bring to rest. */
export interface RunSource<Key> {
  keys(): Iterable<Key>;
  format(key: Key): string;
  onChange(listener: (key: Key) => void): () => void;
  /** Undefined while the object is at rest. */
  findNeed(key: Key): Promise<Need | undefined>;
}
