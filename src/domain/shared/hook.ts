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
  /** The ReplicaSet that it belongs to, for a Deployment, which has several. */
  readonly set?: string;
  /** How many tries had ended before it was to begin, which tells one time that it has to run from another. */
  readonly round: number;
  /** Its run has told of it already. */
  readonly hasBegun: boolean;
}

export const toHookTurn = ({ moment, phase, ended }: HookSummary): HookTurn => ({
  moment,
  round: ended,
  hasBegun: phase !== undefined,
});

/** Whether a hook was started for that turn already. */
export const isSameTurn = (turn: HookTurn, started: HookTurn | undefined): boolean =>
  turn.moment === started?.moment &&
  turn.set === started.set &&
  (turn.hasBegun || turn.round === started.round);

export const isHookOver = ({ phase }: Pick<HookSummary, 'phase'>): boolean =>
  phase === 'Succeeded' || phase === 'Failed';

/** Example: the pre hook of web-2 -> web-2-hook-pre, and of its second try -> web-2-hook-pre-2 */
export const hookPodName = (deployment: string, moment: HookMoment, number = 1): string =>
  `${deployment}-hook-${moment}${number === 1 ? '' : `-${number}`}`;
