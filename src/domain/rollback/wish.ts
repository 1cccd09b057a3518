/** What somebody wants to go back to, and how far; what is left out was filled in. */
export interface RollbackWish {
  /** The version to go back to; absent means the last complete one before the current. */
  readonly release?: number;
  /** Whether labels, triggers and strategy go back. */
  readonly config: boolean;
  /** Whether replicas, selector and pod template go back. */
  readonly application: boolean;
  /** The number of replicas stays as it is all the same: it may be an autoscaler's, and needed. */
  readonly keepsReplicas?: boolean;
  /** Why, in the words of whoever asks. */
  readonly notes?: string;
  readonly by?: string;
}
