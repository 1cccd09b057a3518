import type { Next } from '../shared/next.js';
import { describeConditions } from '../shared/conditions.js';
import type { HookTurn } from '../shared/hook.js';
import type { RunOncePod } from '../shared/run-once-pod.js';
import type { ConfigStatus, VersionObservation, VersionPhase } from './observation.js';

/** What people and the search attribute `SlipwayPhase` call the state of a version. */
export type VersionRunPhase = VersionPhase | 'Paused' | 'Cancelled' | 'Deleted';

export type VersionAction =
  /** Takes the snapshot: a ReplicationController without pods. */
  | { readonly kind: 'createController'; readonly name: string; readonly version: number }
  | {
      readonly kind: 'scaleController';
      readonly name: string;
      readonly uid: string;
      readonly from: number;
      readonly to: number;
    }
  | {
      readonly kind: 'setPhase';
      readonly name: string;
      readonly uid: string;
      readonly from: VersionPhase;
      readonly to: VersionPhase;
      readonly reason?: string;
      /** The pod that carries the version out, to be noted with it. */
      readonly deployer?: RunOncePod;
    }
  /** Notes that sizes were changed just now. */
  | { readonly kind: 'noteStep'; readonly name: string; readonly uid: string }
  /** Starts the pod that carries out a version of strategy Custom. */
  | { readonly kind: 'createDeployer'; readonly name: string; readonly uid: string }
  | { readonly kind: 'deletePod'; readonly name: string; readonly uid: string }
  /** Lets a run-once pod go, whose end has been noted. */
  | { readonly kind: 'releasePod'; readonly name: string; readonly uid: string }
  /** Gives a region a version's template, and empties it first where that version must come alone. */
  | {
      readonly kind: 'moveRegion';
      readonly name: string;
      readonly uid: string;
      readonly version: number;
      readonly isEmptied: boolean;
    }
  /** Gives an emptied region its size back. */
  | {
      readonly kind: 'refillRegion';
      readonly name: string;
      readonly uid: string;
      readonly size: number;
    }
  /** Asks the run of another version to stop. */
  | {
      readonly kind: 'cancelController';
      readonly name: string;
      readonly uid: string;
      readonly reason: string;
    }
  | { readonly kind: 'deleteController'; readonly name: string; readonly uid: string }
  /** Remembers how far the steps of a canary are; a step that is left takes its measurements with it. */
  | {
      readonly kind: 'noteCanary';
      readonly name: string;
      readonly uid: string;
      /** The step that it is at. */
      readonly from: number;
      readonly to: {
        readonly step: number;
        readonly reachedAtMs?: number;
        readonly waitedMs?: number;
      };
    }
  /** Measures these metrics of a canary's step and notes the answers. */
  | {
      readonly kind: 'measure';
      readonly name: string;
      readonly uid: string;
      readonly step: number;
      readonly metrics: readonly string[];
    }
  /** Says something in a Kubernetes event. */
  | {
      readonly kind: 'announce';
      readonly type: 'Normal' | 'Warning';
      readonly reason: string;
      readonly note: string;
    };

export interface VersionPlan {
  readonly phase: VersionRunPhase;
  readonly summary: string;
  readonly actions: readonly VersionAction[];
  /** The hook that has to run before anything else is done. */
  readonly hook?: HookTurn;
  /** Present when it differs from the status that stands there. */
  readonly status?: ConfigStatus;
  readonly next: Next;
}

/** Whether there is anything to write. */
export function hasWrites({ actions, status }: VersionPlan): boolean {
  return actions.length > 0 || status !== undefined;
}

/** Whether a plan asks for anything but to go on waiting. */
export function hasWork(plan: VersionPlan): boolean {
  return hasWrites(plan) || plan.next.kind === 'end';
}

/** Whether nothing is left to write and nothing to wait for. */
export function isSettled(plan: VersionPlan): boolean {
  return !hasWrites(plan) && plan.next.kind === 'end';
}

/** Whether a plan is a step like any other, which the run need not know of beforehand. */
export function isOrdinary(plan: VersionPlan): boolean {
  const isCourse = plan.phase === 'Running' || plan.phase === 'Pending' || plan.phase === 'New';
  return (isCourse || plan.phase === 'Complete') && hasWrites(plan);
}

/** Whether a plan's status says more than other counts: somebody may wait for that. */
export function isNews({ status, next }: VersionPlan, { config }: VersionObservation): boolean {
  if (status === undefined) return false;
  const before = config.status;
  return (
    next.kind === 'end' ||
    status.observedGeneration !== before.observedGeneration ||
    describeConditions(status.conditions) !== describeConditions(before.conditions)
  );
}

/** Whether a plan asks for more than to write down counts that have changed by themselves. */
export function isUrgent(plan: VersionPlan, seen: VersionObservation): boolean {
  return plan.actions.length > 0 || isSettled(plan) || isNews(plan, seen);
}

/** In the order of their writing: a version grows into the room that others leave, once they have. */
export function toVersionStages(
  actions: readonly VersionAction[],
): readonly (readonly VersionAction[])[] {
  const grows = (action: VersionAction): boolean =>
    action.kind === 'scaleController' && action.to > action.from;
  const stages = [actions.filter((action) => !grows(action)), actions.filter(grows)];
  return stages.filter((stage) => stage.length > 0);
}
