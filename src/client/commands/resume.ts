import { Command } from 'commander';

import { annotations } from '../../kubernetes/deployments/annotations.js';
import { addClusterOptions, withCluster, type ClusterOptions } from '../cluster-session.js';
import { withExamples } from '../examples.js';
import { findDeployment } from '../find-object.js';
import { parseRef } from '../parse-ref.js';
import { recordEvent } from '../record-event.js';

interface ResumeOptions extends ClusterOptions {
  readonly reason?: string;
}

export function resumeCommand(): Command {
  const command = new Command('resume')
    .summary('let a paused or cancelled rollout go on')
    .description('Lets a rollout that was paused or cancelled go on from where it stopped.')
    .argument('<kind/name>', 'the object, such as deployment/web')
    .option('--reason <text>', 'why, kept as an event of the object')
    .action(resume);
  return withExamples(addClusterOptions(command), [
    ['resume deployment/web', 'Go on with a rollout'],
  ]);
}

async function resume(text: string, options: ResumeOptions): Promise<void> {
  const ref = parseRef(text);
  await withCluster(options, async ({ cluster, namespace }) => {
    const { type, ref: title, deployment } = await findDeployment(cluster, namespace, ref);
    if (deployment.spec?.paused !== true) {
      process.stdout.write(`${title} is not paused\n`);
      return;
    }
    await cluster.client.patch(type, namespace, ref.name, 'merge', {
      metadata: {
        annotations: {
          [annotations.pauseReason]: null,
          [annotations.cancelled]: null,
        },
      },
      spec: { paused: null },
    });
    if (options.reason !== undefined) {
      await recordEvent(cluster.client, deployment, 'Resumed', options.reason);
    }
    process.stdout.write(`${title} resumed\n`);
  });
}
