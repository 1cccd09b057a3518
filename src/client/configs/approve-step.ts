import { defined } from '../../domain/shared/optional.js';
import { configAnnotations } from '../../kubernetes/deployment-configs/annotations.js';
import type {
  DeploymentConfig,
  ReplicationController,
} from '../../kubernetes/deployment-configs/objects.js';
import { badInput } from '../failure.js';
import type { ApprovalWish, Subject } from '../handling.js';
import { readCanary, versionOf } from '../tree/describe-version.js';
import type { CanaryProgress } from '../tree/tree.js';
import { whoAmI } from '../who-am-i.js';
import { annotateVersion, describeStand, findUnderWay, readVersions } from './versions.js';

/** Says yes to the step at which a canary waits; for a comparison of two also which one has won. */
export async function approveStep(
  subject: Subject<DeploymentConfig>,
  wish: ApprovalWish,
): Promise<string> {
  const { ref } = subject;
  const versions = await readVersions(subject);
  const running = findUnderWay(versions);
  const canary = running === undefined ? null : readCanary(running);
  if (running === undefined || canary?.needsApproval !== true) {
    throw badInput(`${ref}: there is nothing to approve: ${explainNothing(versions, canary)}`);
  }
  checkWish(ref, running, canary, wish);
  const by = await whoAmI(subject.session.cluster);
  const { reason, winner } = wish;
  const approval = { step: canary.step - 1, ...defined({ by, reason, winner }) };
  await annotateVersion(subject, running, {
    [configAnnotations.approval]: JSON.stringify(approval),
  });
  const chosen = winner === undefined ? '' : `, the ${winner} one wins`;
  return `${ref}: step ${canary.step} of version ${versionOf(running)} approved${chosen}`;
}

function explainNothing(
  versions: readonly ReplicationController[],
  canary: CanaryProgress | null,
): string {
  if (canary !== null) return `step ${canary.step} of its canary goes on by itself`;
  const stand = describeStand(versions);
  return findUnderWay(versions) === undefined ? stand : `${stand}, and is no canary`;
}

function checkWish(
  ref: string,
  running: ReplicationController,
  { step, comparison }: CanaryProgress,
  wish: ApprovalWish,
): void {
  const title = `version ${versionOf(running)} of ${ref}`;
  if (wish.step !== undefined && wish.step !== step) {
    throw badInput(`--step: ${title} is at step ${step}, not at ${wish.step}`);
  }
  if (wish.winner !== undefined && !comparison) {
    throw badInput(`--winner: ${title} compares nothing at step ${step}`);
  }
  if (wish.winner === undefined && comparison) {
    throw badInput(`--winner: ${title} is compared with the old one: say new or old`);
  }
}
