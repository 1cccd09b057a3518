import type { HookAction, HookPlan, HookRunPhase } from '../domain/hook/plan.js';
import type { HookMoment } from '../domain/shared/hook.js';
import type { AdvanceRequest, AdvanceResult, Seen } from './advance.js';
import type { VersionRef } from './deployment-config.js';

/** One hook of one version of a DeploymentConfig. */
export interface HookRef extends VersionRef {
  readonly moment: HookMoment;
}

export interface HookWork {
  readonly actions: readonly HookAction[];
}

export type HookRequest = AdvanceRequest<HookRef, HookWork>;

export type HookSeen = Seen<HookPlan>;

export interface HookOutcome {
  readonly phase: HookRunPhase;
  readonly summary: string;
}

/** What the `hook` workflow asks of the world. */
export interface HookActivities {
  readonly advanceHook: (request: HookRequest) => Promise<AdvanceResult<HookPlan>>;
}
