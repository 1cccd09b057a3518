import { hookMoments, type HookMoment, type HookPolicy } from '../../domain/shared/hook.js';
import type { HookFailurePolicy, LifecycleHook, Lifecycle } from './objects.js';

/** A strategy as far as its hooks go: OpenShift's, or that of a Deployment. */
export interface HooksSource {
  readonly type?: string;
  readonly lifecycle?: Lifecycle | null;
  readonly rollingParams?: Pick<Lifecycle, 'pre' | 'post'> | null;
  readonly recreateParams?: Pick<Lifecycle, 'pre' | 'mid' | 'post'> | null;
}

/** A hook as a strategy asks for it. */
export interface HookWish {
  readonly moment: HookMoment;
  readonly policy: HookPolicy;
  /** Whether the deployment fails when the hook has, for good. */
  readonly isMandatory: boolean;
  readonly hook: LifecycleHook;
}

/** The hooks of a strategy: those of the document's `lifecycle`, and those of OpenShift's parameters. */
export function readHooks(strategy: HooksSource | undefined): readonly HookWish[] {
  return hookMoments.flatMap((moment) => readHook(strategy ?? {}, moment) ?? []);
}

function readHook(strategy: HooksSource, moment: HookMoment): HookWish | undefined {
  const general = strategy.lifecycle?.[moment];
  const hook = general ?? ofParameters(strategy, moment);
  if (hook === undefined || hook === null) return undefined;
  const policy = toPolicy(hook.failurePolicy);
  // After a deployment in the document's form, and after a failure, nothing is left to be aborted.
  const isLate = moment === 'abort' || (moment === 'post' && hook === general);
  return { moment, policy, isMandatory: policy !== 'Continue' && !isLate, hook };
}

/** OpenShift's hooks belong to the strategy that is used. */
function ofParameters(
  { type, rollingParams, recreateParams }: HooksSource,
  moment: HookMoment,
): LifecycleHook | null | undefined {
  if (moment === 'abort') return undefined;
  if (type === 'Recreate') return recreateParams?.[moment];
  const isRolling = type === undefined || type === '' || type === 'Rolling';
  return isRolling && moment !== 'mid' ? rollingParams?.[moment] : undefined;
}

const toPolicy = (policy: HookFailurePolicy): HookPolicy =>
  policy === 'Ignore' ? 'Continue' : policy;
