import type { EndedTry } from '../domain/hook/observation.js';
import type { HookAction, HookPlan, HookRunPhase } from '../domain/hook/plan.js';
import { hookPodName, type HookMoment } from '../domain/shared/hook.js';
import type { AdvanceRequest, AdvanceResult, Seen } from './advance.js';
import { workflowTypes, type ObjectRef } from './workflow-ids.js';

/** One hook of one version of a DeploymentConfig, or of one ReplicaSet of a Deployment. */
export interface HookRef extends ObjectRef {
  /** Of a Deployment, the revision. */
  readonly version: number;
  readonly moment: HookMoment;
  /** Which one, for a Deployment. */
  readonly replicaSet?: string;
}

/** What keeps the hook. Example: version 3 of web -> web-3 */
export const hookOwnerName = ({
  name,
  version,
  replicaSet,
}: Pick<HookRef, 'name' | 'version' | 'replicaSet'>): string => replicaSet ?? `${name}-${version}`;

/** Example: the pre hook of version 3 of web -> hook/local/shop/web-3-hook-pre */
export const hookWorkflowId = (ref: HookRef): string =>
  `${workflowTypes.hook}/${ref.cluster}/${ref.namespace}/${hookPodName(hookOwnerName(ref), ref.moment)}`;

export interface HookWork {
  readonly actions: readonly HookAction[];
}

export type HookRequest = AdvanceRequest<HookRef, HookWork>;

export type HookSeen = Seen<HookPlan>;

export interface HookOutcome {
  readonly phase: HookRunPhase;
  readonly summary: string;
  /** How the last few tries ended. */
  readonly tries?: readonly EndedTry[];
}

/** What the `hook` workflow asks of the world. */
export interface HookActivities {
  readonly advanceHook: (request: HookRequest) => Promise<AdvanceResult<HookPlan>>;
}
