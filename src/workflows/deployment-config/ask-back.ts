import { ApplicationFailure } from '@temporalio/common';
import {
  CancellationScope,
  proxyActivities,
  proxyLocalActivities,
  workflowInfo,
} from '@temporalio/workflow';

import type { Versions } from '../../contracts/advance.js';
import type { VersionRef } from '../../contracts/deployment-config.js';
import { failureTypes } from '../../contracts/failure-types.js';
import type { RollbackActivities } from '../../contracts/rollback.js';
import type { RollbackWish } from '../../domain/rollback/wish.js';
import { defined } from '../../domain/shared/optional.js';
import { clusterOptions, hereOptions, writeHereOrThere } from '../reach.js';
import { examineForGood } from '../rollback/examine-for-good.js';

/** So often is looked again when somebody changes the config between the look and the write. */
const mostLooks = 5;

/** Takes the config back and asks for the version that the run was started for; with what must be seen then. */
export async function askBack(ref: VersionRef, wish: RollbackWish): Promise<Versions> {
  const { cluster, namespace, name, version } = ref;
  const here = proxyLocalActivities<RollbackActivities>(hereOptions);
  const atCluster = proxyActivities<RollbackActivities>(clusterOptions(ref));
  const question = { cluster, namespace, members: [{ name, wish }] };
  let problem = '';
  for (let looks = 1; looks <= mostLooks; looks += 1) {
    const report = await examineForGood(question);
    const [found] = report.configs;
    if (found === undefined) throw new Error(`${name} was not examined`);
    const { from, to, base, problems } = found;
    if (problems.length > 0) {
      const told = problems.map(({ field, message }) => `${field}: ${message}`);
      throw refuse(told.join('; '), report);
    }
    if (from + 1 !== version) {
      throw refuse(`version: the next version of ${name} is ${from + 1}, not ${version}`, report);
    }
    const { runId } = workflowInfo();
    const request = {
      ref: { cluster, namespace, name },
      wish,
      from,
      to,
      runId,
      ...defined({ base }),
    };
    // A cancel has to wait for the answer: what was written is to be stopped, not left to itself.
    const done = await CancellationScope.nonCancellable(() =>
      writeHereOrThere(
        () => here.applyRollback(request),
        () => atCluster.applyRollback(request),
      ),
    );
    if (done.kind === 'done') return done.versions;
    problem = done.kind === 'gone' ? `DeploymentConfig ${namespace}/${name} is gone` : done.why;
    if (done.kind !== 'changed') break;
  }
  throw ApplicationFailure.nonRetryable(problem, failureTypes.failed);
}

const refuse = (message: string, report: object): ApplicationFailure =>
  ApplicationFailure.nonRetryable(message, failureTypes.badInput, report);
