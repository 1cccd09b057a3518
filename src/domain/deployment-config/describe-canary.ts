import { toTimestamp } from '../shared/conditions.js';
import { sum } from '../shared/sizes.js';
import { describeMetric, isMeasured } from './canary-metrics.js';
import { approvalOf, isAtSize, isPauseOver, pauseEndMs, type CanaryScene } from './canary-scene.js';

/** People count from 1. */
export const nameStep = ({ stage, notes, count }: CanaryScene): string =>
  stage.isComparison ? 'A/B' : `Step ${notes.step + 1} of ${count}`;

/** Example: Step 2 of 3: 4 of 10 pods are new; waits for approval */
export function describeStep(scene: CanaryScene): string {
  const { seen, own, serving, rest, newSize, oldSize } = scene;
  if (!isAtSize(scene)) {
    const old = sum([serving, ...rest], ({ replicas }) => replicas);
    return (
      `${nameStep(scene)}: ${own.available} of ${newSize} new pods available, ` +
      `${old} old pods${old === oldSize ? '' : ` on the way to ${oldSize}`}`
    );
  }
  const waits = seen.config.paused ? [] : describeWaits(scene);
  const waiting = waits.length === 0 ? '' : `; waits for ${waits.join(' and ')}`;
  return `${nameStep(scene)}: ${newSize} of ${seen.config.replicas} pods are new${waiting}`;
}

function describeWaits(scene: CanaryScene): readonly string[] {
  const { stage, notes } = scene;
  const approval = approvalOf(scene);
  const problem = notes.approvalProblem === undefined ? '' : ` (${notes.approvalProblem})`;
  return [
    ...(isPauseOver(scene) ? [] : [toTimestamp(pauseEndMs(scene))]),
    ...(stage.needsApproval && approval === undefined ? [`approval${problem}`] : []),
    ...(stage.isComparison && approval?.winner === undefined ? [`a winner${problem}`] : []),
    ...stage.metrics
      .filter((rule) => !isMeasured(rule, notes.metrics.get(rule.name)))
      .map((rule) => describeMetric(rule, notes.metrics.get(rule.name))),
  ];
}
