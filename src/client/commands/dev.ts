import { Command, InvalidArgumentError, Option } from 'commander';

import { findStateFolder } from '../../dev/stack/layout.js';
import { describeNextSteps, describeStatus, describeUp } from '../../dev/stack/describe.js';
import { withExamples } from '../examples.js';
import { badInput, exitCodes, type CommandFailure } from '../failure.js';
import { withInterrupt } from '../interrupt.js';
import { formatDocument, outputOption, type OutputFormat } from '../output/structured.js';
import { canRedraw } from '../output/terminal-abilities.js';
import { createProgress } from '../terminal/progress.js';

interface StateOption {
  readonly stateDir?: string;
}

interface UpFlags extends StateOption {
  readonly dropIn?: boolean;
  readonly nodes?: number;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly temporal?: string;
  readonly worker?: boolean;
  readonly realNode?: true;
  readonly example?: true;
  readonly fastEtcd?: true;
}

export function devCommand(): Command {
  return new Command('dev')
    .summary('run everything on this machine')
    .description(
      'The local stack: Temporal, a Kubernetes control plane with simulated nodes, and the worker.\n' +
        'It needs no root and no Docker; what it runs is built once, with Go.',
    )
    .addCommand(upCommand())
    .addCommand(downCommand())
    .addCommand(statusCommand())
    .addCommand(loadImageCommand());
}

function upCommand(): Command {
  const command = new Command('up')
    .summary('start what does not run yet')
    .description(
      'Starts the local stack, or what is missing of it. Data and addresses are those of the last time.\n' +
        'What is not said stays as it is in a stack that is up.',
    )
    .addOption(stateOption())
    .option('--drop-in', 'Slipway instead of the built-in controller for apps/v1 Deployments')
    .option('--no-drop-in', 'the built-in controller for apps/v1 Deployments (the default)')
    .option('--nodes <count>', 'how many nodes are simulated (default: 10)', parseCount)
    .option('--real-node', 'one node beside them that really runs its pods (Linux, root)')
    .option('--kubeconfig <file>', 'use your own cluster: its kubeconfig')
    .option('--context <context>', 'use your own cluster: its context in the kubeconfig')
    .option('--temporal <address>', 'use your own Temporal, with the TEMPORAL_* settings you have')
    .option('--worker', 'with a worker (the default)')
    .option('--no-worker', 'without a worker')
    .option('--example', 'then deploy an example, change its image and follow it')
    .addOption(new Option('--fast-etcd', 'let etcd lose data in a power failure').hideHelp())
    .action(runUp);
  return withExamples(command, [
    ['dev up', 'Everything'],
    ['dev up --drop-in', 'With Slipway in place of the built-in Deployment controller'],
    ['dev up --kubeconfig ~/.kube/config --context staging', 'On a cluster of yours'],
  ]);
}

function downCommand(): Command {
  return new Command('down')
    .summary('stop everything that up has started')
    .description('Stops the local stack. Its data stays for the next time.')
    .addOption(stateOption())
    .option('--delete-data', 'also delete the data, the certificates and the logs')
    .action(runDown);
}

function statusCommand(): Command {
  return new Command('status')
    .summary('show what runs, and where')
    .description('Shows the parts of the local stack. Exits with 1 unless all of it runs.')
    .addOption(stateOption())
    .addOption(outputOption())
    .action(runStatus);
}

function loadImageCommand(): Command {
  return new Command('load-image')
    .summary('give the real node an image')
    .description(
      'Gives the real node the images of an archive, as "docker save" writes it: it pulls none itself.',
    )
    .argument('<archive>', 'the file')
    .addOption(stateOption())
    .action(runLoadImage);
}

const stateOption = (): Option =>
  new Option('--state-dir <folder>', 'where its state is; by default .slipway in this project').env(
    'SLIPWAY_STATE_DIR',
  );

function parseCount(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

async function runUp(flags: UpFlags): Promise<void> {
  if (flags.example === true && flags.worker === false) throw exampleNeedsWorker();
  const stateFolder = findStateFolder(flags.stateDir, process.cwd());
  const startedMs = Date.now();
  const progress = createProgress(process.stderr);
  await ignoringImpatience(() =>
    withInterrupt(async (signal) => {
      signal.addEventListener('abort', () => {
        progress.note('interrupted: what was started is stopped again');
      });
      // Loaded here, because the clients it needs take half a second that help can do without.
      const { up } = await import('../../dev/stack/up.js');
      const result = await up({
        stateFolder,
        progress,
        signal,
        dropIn: flags.dropIn,
        nodes: flags.nodes,
        kubeconfig: flags.kubeconfig,
        context: flags.context,
        temporalAddress: flags.temporal,
        worker: flags.worker,
        unsafeNoFsync: flags.fastEtcd,
        realNode: flags.realNode,
      });
      print(describeUp(result, Date.now() - startedMs));
    }),
  );
  if (flags.example === true) await showExample(stateFolder);
}

/** A second Ctrl-C would leave behind what the first one is about to stop. */
async function ignoringImpatience<T>(action: () => Promise<T>): Promise<T> {
  const ignore = (): void => undefined;
  process.on('SIGINT', ignore).on('SIGTERM', ignore);
  try {
    return await action();
  } finally {
    process.removeListener('SIGINT', ignore).removeListener('SIGTERM', ignore);
  }
}

const exampleNeedsWorker = (): CommandFailure =>
  badInput('example: it needs a worker; say --worker');

async function showExample(stateFolder: string): Promise<void> {
  const { readStatus } = await import('../../dev/stack/status.js');
  const { runExample } = await import('../../dev/run-example.js');
  const { connectCluster } = await import('../../kubernetes/connect.js');
  const status = await readStatus(stateFolder);
  if (!status.worker.running) throw exampleNeedsWorker();
  const [address] = status.clusters;
  const cluster = connectCluster({ kubeconfig: address?.kubeconfig, context: address?.context });
  try {
    await withInterrupt((signal) =>
      runExample({
        cluster,
        signal,
        isTerminal: canRedraw(process.stdout),
        write: (line) => {
          print([line]);
        },
      }),
    );
  } finally {
    await cluster.client.close();
  }
  print(describeNextSteps(status));
}

async function runDown(flags: StateOption & { readonly deleteData?: true }): Promise<void> {
  const { down } = await import('../../dev/stack/down.js');
  const stopped = await ignoringImpatience(() =>
    down({
      stateFolder: findStateFolder(flags.stateDir, process.cwd()),
      progress: createProgress(process.stderr),
      deleteData: flags.deleteData === true,
    }),
  );
  print([stopped ? 'Slipway is down.' : 'Slipway was not up.']);
}

async function runStatus(flags: StateOption & { readonly output?: OutputFormat }): Promise<void> {
  const { readStatus } = await import('../../dev/stack/status.js');
  const status = await readStatus(findStateFolder(flags.stateDir, process.cwd()));
  if (flags.output === undefined) print(describeStatus(status));
  else process.stdout.write(formatDocument(status, flags.output));
  if (status.state !== 'up') process.exitCode = exitCodes.failed;
}

async function runLoadImage(archive: string, flags: StateOption): Promise<void> {
  const { loadImage } = await import('../../dev/node/load-image.js');
  print(await loadImage(findStateFolder(flags.stateDir, process.cwd()), archive));
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}
