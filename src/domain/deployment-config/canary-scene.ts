import { countNew, noCanaryNotes, type Approval } from './canary-strategy.js';
import type { CanaryNotes, CanaryStage } from './canary-strategy.js';
import type { ControllerSummary, VersionObservation } from './observation.js';

/** The step that a version of strategy Canary is at, and all that is looked at for it. */
export interface CanaryScene {
  readonly seen: VersionObservation;
  readonly own: ControllerSummary;
  /** The last complete version: the other side. */
  readonly serving: ControllerSummary;
  readonly rest: readonly ControllerSummary[];
  readonly stage: CanaryStage;
  /** How many steps there are. */
  readonly count: number;
  readonly notes: CanaryNotes;
  /** How many pods are new at this step, and how many are old. */
  readonly newSize: number;
  readonly oldSize: number;
}

/** Undefined where there are no steps to go, or nothing to compare with. */
export function findCanaryScene(
  seen: VersionObservation,
  own: ControllerSummary,
  others: readonly ControllerSummary[],
): CanaryScene | undefined {
  const { strategy, canary: notes = noCanaryNotes } = own;
  const { replicas, isTest } = seen.config;
  if (strategy.type !== 'Canary' || isTest) return undefined;
  const serving = others
    .filter(({ phase }) => phase === 'Complete')
    .toSorted((a, b) => b.version - a.version)[0];
  const stage = strategy.stages[notes.step];
  if (serving === undefined || stage === undefined) return undefined;
  const newSize = countNew(stage, replicas);
  return {
    seen,
    own,
    serving,
    rest: others.filter((other) => other !== serving),
    stage,
    count: strategy.stages.length,
    notes,
    newSize,
    oldSize: replicas - newSize,
  };
}

/** Whether the new pods are available and the old side is at its share. */
export function isAtSize({ own, serving, rest, newSize, oldSize }: CanaryScene): boolean {
  const areNewWell = own.desired === newSize && own.available === newSize && own.statusIsCurrent;
  const areOldRight =
    serving.desired === oldSize && serving.replicas === oldSize && serving.statusIsCurrent;
  return areNewWell && areOldRight && rest.every((set) => set.desired + set.replicas === 0);
}

/** The approval of this step, not of one before it. */
export const approvalOf = ({ notes: { approval, step } }: CanaryScene): Approval | undefined =>
  approval?.step === step ? approval : undefined;

/** How long the step has waited, without the time in which the config was paused. */
export function waitedBy({ seen, notes: { reachedAtMs, waitedMs = 0 } }: CanaryScene): number {
  const sinceMs = reachedAtMs === undefined ? 0 : seen.observedAtMs - reachedAtMs;
  return waitedMs + Math.max(0, sinceMs);
}

export const isPauseOver = (scene: CanaryScene): boolean =>
  waitedBy(scene) >= scene.stage.pauseSeconds * 1_000;

export const pauseEndMs = (scene: CanaryScene): number =>
  scene.seen.observedAtMs + scene.stage.pauseSeconds * 1_000 - waitedBy(scene);
