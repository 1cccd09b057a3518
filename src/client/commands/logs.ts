import { Command, InvalidArgumentError, Option } from 'commander';

import { hookMoments, type HookMoment } from '../../domain/shared/hook.js';
import type { Revision } from '../../domain/shared/revision.js';
import { findAbility, findSubject, parseRefFor } from '../abilities.js';
import { addClusterOptions, withCluster, type ClusterOptions } from '../cluster-session.js';
import { withExamples } from '../examples.js';
import { badInput, exitCodes } from '../failure.js';
import { withInterrupt } from '../interrupt.js';
import { LogFollower } from '../logs/follow-logs.js';
import { printLogs, type LogsRequest } from '../logs/print-logs.js';
import { readScene, withWatchedScene } from '../logs/watch-scene.js';
import { cleanText } from '../output/line.js';
import { wantsColour } from '../output/terminal-abilities.js';
import { parseRef, type Ref } from '../parse-ref.js';
import { parseRevision } from '../revision-option.js';
import type { ReadingClient } from '../watch-objects.js';

interface LogsOptions extends ClusterOptions {
  readonly follow?: true;
  readonly revision?: Revision;
  readonly hook?: HookMoment;
  readonly deployer?: true;
  readonly try?: number;
  readonly tail?: number;
  readonly timestamps?: true;
}

const endsHelp = `
Without -f the exit code is 0, or 1 when a log can't be read. With -f it tells how what was followed ended, be it a
version, a hook, a deployer or a try: 0 well, 1 failed, 3 cancelled. What is no part of a log goes to stderr.`;

export function logsCommand(): Command {
  const command = new Command('logs')
    .summary('print what hooks and deployers write')
    .description(
      'Prints the logs of the pods that run once for a version of a DeploymentConfig or a revision of a Deployment, ' +
        'its deployer and its hooks, in the order of time. Of pods that are gone, it prints the end that was kept.',
    )
    .argument('<kind/name>', 'the object, such as dc/web or deployment/web')
    .option(
      '-f, --follow',
      'go on with what is to come, from try to try and hook to hook, to the end',
    )
    .option(
      '--revision <n>',
      'those of this version, or revision; by default the latest',
      (text: string) => parseRevision(text),
    )
    .addOption(
      new Option('--hook <moment>', 'only those of this hook')
        .choices(hookMoments)
        .conflicts('deployer'),
    )
    .addOption(new Option('--deployer', 'only that of the deployer'))
    .addOption(
      new Option('--try <n>', 'only that of this try of a hook')
        .argParser((text: string) =>
          parseCount(text, 1, 'A try is a whole number, counted from 1.'),
        )
        .conflicts('deployer'),
    )
    .option('--tail <n>', 'only so many lines from the end of each', (text: string) =>
      parseCount(text, 0, 'It should be a whole number of lines.'),
    )
    .option('--timestamps', 'each line with the time at which it was written')
    .action(logs)
    .addHelpText('after', endsHelp);
  return withExamples(addClusterOptions(command), [
    ['logs dc/web', 'What the hooks and the deployer of the latest version have written'],
    ['logs dc/web -f', 'Follow the version through all its hooks to its end'],
    ['logs dc/web --hook pre --try 2', 'One try of one hook'],
    ['logs dc/web --revision 3 --deployer --tail 20', 'The last lines of an earlier deployer'],
  ]);
}

function parseCount(text: string, lowest: number, complaint: string): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) < lowest) throw new InvalidArgumentError(complaint);
  return Number(text);
}

async function logs(text: string, options: LogsOptions): Promise<void> {
  const ref = parseLogsRef(text);
  await withCluster(options, async (session) => {
    const { subject, ability } = await findSubject('logs', session, ref);
    const target = await ability(subject, options.revision);
    const { client } = session.cluster;
    await withInterrupt(async (signal) => {
      const request: LogsRequest = {
        client,
        target,
        selection: { hook: options.hook, deployer: options.deployer, number: options.try },
        tail: options.tail,
        printing: {
          out: process.stdout,
          timestamps: options.timestamps === true,
          colour: wantsColour(process.stdout),
          remark,
        },
        signal,
      };
      if (options.follow === true) await follow(client, request);
      else if (!(await printLogs(request, await readScene(client, target)))) {
        process.exitCode = exitCodes.failed;
      }
    });
  });
}

/** Deployments of either API are called the same, so that more has to be said about those that have no hooks. */
function parseLogsRef(text: string): Ref {
  const { kinds } = parseRef(text);
  if (kinds.some(({ type }) => findAbility('logs', type) !== undefined)) {
    return parseRefFor('logs', text);
  }
  throw badInput(
    `${text}: "logs" shows the hooks and deployers of DeploymentConfigs and of Deployments of slipway.dev; ` +
      'what other pods write is shown by "kubectl logs"',
  );
}

async function follow(client: ReadingClient, request: LogsRequest): Promise<void> {
  const { target, signal } = request;
  const onTrouble = (sentence = 'the cluster answers again'): void => {
    remark(sentence);
  };
  const end = await withWatchedScene({ client, target, onTrouble, signal }, (scene, untilOver) =>
    new LogFollower({ ...request, signal: untilOver }, scene).run(),
  );
  if (end !== 'complete') process.exitCode = exitCodes[end === 'refused' ? 'badInput' : end];
}

function remark(sentence: string): void {
  process.stderr.write(`slipway: ${cleanText(sentence)}\n`);
}
