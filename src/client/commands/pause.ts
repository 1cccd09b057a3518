import { Command } from 'commander';

import { annotations } from '../../kubernetes/deployments/annotations.js';
import { addClusterOptions, withCluster, type ClusterOptions } from '../cluster-session.js';
import { withExamples } from '../examples.js';
import { findDeployment } from '../find-object.js';
import { parseRef } from '../parse-ref.js';

interface PauseOptions extends ClusterOptions {
  readonly reason?: string;
}

export function pauseCommand(): Command {
  const command = new Command('pause')
    .summary('hold a rollout where it is')
    .description(
      'Holds a rollout where it is, by spec.paused: no pod of the new template is added and no old one ' +
        'taken away until it is resumed. Changes to the template wait too; changes of size do not.',
    )
    .argument('<kind/name>', 'the object, such as deployment/web')
    .option('--reason <text>', 'why, for whoever finds it paused')
    .action(pause);
  return withExamples(addClusterOptions(command), [
    ['pause deployment/web --reason "errors in the log"', 'Hold a rollout, and say why'],
  ]);
}

async function pause(text: string, options: PauseOptions): Promise<void> {
  const ref = parseRef(text);
  await withCluster(options, async ({ cluster, namespace }) => {
    const found = await findDeployment(cluster, namespace, ref);
    const { spec, metadata } = found.deployment;
    const known = metadata.annotations?.[annotations.pauseReason];
    const isPaused = spec?.paused === true;
    if (isPaused && (options.reason === undefined || options.reason === known)) {
      const why = known === undefined || known === '' ? '' : `: ${known}`;
      process.stdout.write(`${found.ref} is paused already${why}\n`);
      return;
    }
    await cluster.client.patch(found.type, namespace, ref.name, 'merge', {
      metadata: { annotations: { [annotations.pauseReason]: options.reason ?? null } },
      spec: { paused: true },
    });
    process.stdout.write(
      isPaused ? `${found.ref} was paused already; the reason is new\n` : `${found.ref} paused\n`,
    );
  });
}
