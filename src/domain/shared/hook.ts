/** When a hook runs: before a deployment, between down and up, after it, or when it has failed. */
export const hookMoments = ['pre', 'mid', 'post', 'abort'] as const;

export type HookMoment = (typeof hookMoments)[number];

/** What becomes of a hook that fails: another try, the deployment's failure, or nothing. */
export type HookPolicy = 'Retry' | 'Abort' | 'Continue';

/** How far a hook is, over all its tries. */
export type HookPhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

/** What a deployment needs to know of one of its hooks. */
export interface HookSummary {
  readonly moment: HookMoment;
  /** Whether the deployment fails with it. */
  readonly isMandatory: boolean;
  /** How many of its tries have ended. */
  readonly ended: number;
  /** How often it was made ready to run again. */
  readonly resets?: number;
  /** Absent before it has begun. */
  readonly phase?: HookPhase;
  readonly reason?: string;
  readonly endedAtMs?: number;
  /** It failed only because its deployment was stopped. */
  readonly wasStopped?: boolean;
}

/** A hook whose turn it is. */
export interface HookTurn {
  readonly moment: HookMoment;
  /** The uid of what it belongs to: what is deleted and made anew has the same name. Absent in what earlier workers wrote. */
  readonly owner?: string;
  /** The ReplicaSet that it belongs to, for a Deployment, which has several. */
  readonly set?: string;
  /** The version that it belongs to, for a DeploymentConfig, where that is another than the one that waits. */
  readonly version?: number;
  /** Tells one time that it has to run from another: how many tries had ended, and how often it was reset. */
  readonly round: number;
  /** Its run has told of it already. */
  readonly hasBegun: boolean;
}

export const toHookTurn = (
  { moment, phase, ended, resets = 0 }: HookSummary,
  { uid: owner }: { readonly uid: string },
): HookTurn => ({
  moment,
  owner,
  round: ended + resets,
  hasBegun: phase !== undefined,
});

/** Whether a hook was started for that turn already. */
export const isSameTurn = (turn: HookTurn, started: HookTurn | undefined): boolean =>
  turn.moment === started?.moment &&
  turn.owner === started.owner &&
  turn.set === started.set &&
  turn.version === started.version &&
  (turn.hasBegun || turn.round === started.round);

/** How often to see that a hook's run is still there: somebody may have terminated it. */
export const hookCheckMs = 5 * 60_000;

/** When to see that again for a run that was there already and has not told of that turn: it may be about to end. */
export const hookRecheckMs = 10_000;

export const isHookOver = ({ phase }: Pick<HookSummary, 'phase'>): boolean =>
  phase === 'Succeeded' || phase === 'Failed';

/** Example: the pre hook of web-2 -> web-2-hook-pre, and of its second try -> web-2-hook-pre-2 */
export const hookPodName = (deployment: string, moment: HookMoment, number = 1): string =>
  `${deployment}-hook-${moment}${number === 1 ? '' : `-${number}`}`;
