export type ConditionStatus = 'True' | 'False' | 'Unknown';

/** A condition of a Deployment's status, as it stands on the wire. */
export interface Condition {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly reason?: string;
  readonly message?: string;
  readonly lastUpdateTime?: string;
  readonly lastTransitionTime?: string;
}

export interface ConditionChange {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly reason: string;
  readonly message: string;
}

export function findCondition(
  conditions: readonly Condition[],
  type: string,
): Condition | undefined {
  return conditions.find((condition) => condition.type === type);
}

/**
 * Sets one condition and keeps the others. The transition time moves only with the status; nothing
 * moves when status and reason stay as they are, unless a refresh of the update time is asked for.
 */
export function setCondition(
  conditions: readonly Condition[],
  change: ConditionChange,
  nowMs: number,
  refresh = false,
): readonly Condition[] {
  const current = findCondition(conditions, change.type);
  const sameStatus = current?.status === change.status;
  if (sameStatus && current.reason === change.reason && !refresh) return conditions;
  const now = toTimestamp(nowMs);
  const next: Condition = {
    ...change,
    lastUpdateTime: now,
    lastTransitionTime: sameStatus ? (current.lastTransitionTime ?? now) : now,
  };
  return [...removeCondition(conditions, change.type), next];
}

export function removeCondition(
  conditions: readonly Condition[],
  type: string,
): readonly Condition[] {
  return conditions.filter((condition) => condition.type !== type);
}

/** Kubernetes' own form: whole seconds, in UTC. */
export function toTimestamp(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

/** What conditions say, whenever they said it first. */
export const describeConditions = (conditions: readonly Condition[]): string =>
  conditions
    .map(({ type, status, reason = '' }) => `${type}=${status}/${reason}`)
    .sort()
    .join();
