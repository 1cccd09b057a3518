import { Command } from 'commander';

import { annotations } from '../../kubernetes/deployments/annotations.js';
import { addClusterOptions, withCluster, type ClusterOptions } from '../cluster-session.js';
import { withExamples } from '../examples.js';
import { badInput } from '../failure.js';
import { findDeployment } from '../find-object.js';
import { parseRef } from '../parse-ref.js';
import { describeDeployment } from '../tree/describe-deployment.js';

interface CancelOptions extends ClusterOptions {
  readonly reason?: string;
}

export function cancelCommand(): Command {
  const command = new Command('cancel')
    .summary('end a rollout where it is')
    .description(
      'Ends a rollout where it is: its run in Temporal ends with SlipwayPhase Cancelled, and the pods stay as they are. ' +
        '"resume" takes the rollout up again; "undo" goes back to the revision before it.',
    )
    .argument('<kind/name>', 'the object, such as deployment/web')
    .option('--reason <text>', 'why, for whoever finds it cancelled')
    .action(cancel);
  return withExamples(addClusterOptions(command), [
    ['cancel deployment/web --reason "wrong image"', 'End a rollout, and say why'],
    ['undo deployment/web', 'Then go back'],
  ]);
}

async function cancel(text: string, options: CancelOptions): Promise<void> {
  const ref = parseRef(text);
  await withCluster(options, async ({ cluster, namespace }) => {
    const { type, ref: title, deployment } = await findDeployment(cluster, namespace, ref);
    const { phase } = describeDeployment(deployment);
    if (phase === 'Cancelled') {
      process.stdout.write(`${title} is cancelled already\n`);
      return;
    }
    if (phase === 'Complete' || phase === 'RolledBack') {
      throw badInput(`${title}: there is nothing to cancel, because its rollout is complete`);
    }
    const reason = options.reason ?? '';
    await cluster.client.patch(type, namespace, ref.name, 'merge', {
      metadata: { annotations: { [annotations.cancelled]: reason === '' ? 'cancelled' : reason } },
      spec: { paused: true },
    });
    process.stdout.write(`${title} cancelled\n`);
  });
}
