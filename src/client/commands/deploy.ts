import { Command, InvalidArgumentError } from 'commander';

import { ApiError } from '../../kubernetes/api-error.js';
import type { Cluster } from '../../kubernetes/connect.js';
import type { Deployment } from '../../kubernetes/objects.js';
import { resources } from '../../kubernetes/resources.js';
import { addClusterOptions, withCluster, type ClusterOptions } from '../cluster-session.js';
import { withExamples } from '../examples.js';
import { badInput, CommandFailure, exitCodes } from '../failure.js';
import { followInView, type FollowEnd } from '../follow.js';
import { Interrupted, withInterrupt } from '../interrupt.js';
import { refOf } from '../kinds.js';
import { checkManifests, explainRefusal } from '../manifests/check-manifests.js';
import { parseManifests, type Manifest } from '../manifests/parse-manifests.js';
import { prepareManifests } from '../manifests/prepare-manifests.js';
import { readSources } from '../manifests/read-sources.js';
import { parsePair, readParams } from '../manifests/templates/param-options.js';
import { formatDuration, parseDurationMs } from '../output/duration.js';
import { canRedraw } from '../output/terminal-abilities.js';
import { rolledBackAt } from '../tree/describe-deployment.js';
import { describeSickPods } from '../tree/describe-sick-pods.js';
import { createFollowView } from '../tree/follow-view.js';
import { listTrees } from '../tree/list-trees.js';

type Pair = readonly [name: string, value: string];

interface DeployOptions extends ClusterOptions {
  readonly filename: readonly string[];
  readonly param?: readonly Pair[];
  readonly paramFile?: readonly string[];
  readonly imageRepository?: readonly Pair[];
  readonly timeout?: number;
  readonly follow: boolean;
}

const fromOpenShift = `
Templates of OpenShift are filled in and deployed. What was generated for a parameter stays: a later deploy
takes the value from the objects in the cluster, so that no password changes, and --param replaces it. Where
that could not work, a value has to be given. See docs/openshift.md.`;

export function deployCommand(): Command {
  const command = new Command('deploy')
    .summary('apply manifests and follow their rollouts to the end')
    .description(
      'Applies manifests of any kind and follows the rollouts of Deployments to the end. Everything is ' +
        'checked first, by the cluster too: a mistake is one sentence that names the file, the object and the ' +
        'field, and changes nothing.',
    )
    .requiredOption(
      '-f, --filename <file...>',
      'files or folders with YAML or JSON, or - for the standard input',
    )
    .option(
      '-p, --param <NAME=VALUE>',
      'a value for a parameter of a Template; repeatable',
      toPairs,
    )
    .option('--param-file <file>', 'a file of NAME=VALUE lines; repeatable', toList)
    .option(
      '--image-repository <NAME=REPOSITORY>',
      'where the images of an ImageStream are that builds would have fed; repeatable',
      toPairs,
    )
    .option('--timeout <duration>', 'stop following after this time, such as 90s or 10m', toMs)
    .option('--no-follow', 'apply only, and do not wait for the rollouts')
    .action(deploy)
    .addHelpText(
      'after',
      '\nExit codes: 0 all rollouts are complete, 1 one failed or took too long, 2 bad input, 3 one was cancelled.\n' +
        'Ctrl-C ends the following, not the rollouts.',
    )
    .addHelpText('after', fromOpenShift);
  return withExamples(addClusterOptions(command), [
    ['deploy -f web.yaml', 'Deploy a file and wait'],
    ['deploy -f k8s/ -n shop --timeout 10m', 'Deploy a folder, and wait at most ten minutes'],
    ['deploy -f - < web.json', 'Deploy from the standard input'],
    [
      'deploy -f template.yaml -p REPLICAS=3 --param-file prod.env',
      'Deploy a Template of OpenShift',
    ],
  ]);
}

const toList = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  text,
];

function toPairs(text: string, before: readonly Pair[] = []): readonly Pair[] {
  const pair = parsePair(text);
  if (pair === undefined) throw new InvalidArgumentError('It should be a name, = and a value.');
  return [...before, pair];
}

function toMs(text: string): number {
  const milliseconds = parseDurationMs(text);
  if (milliseconds === undefined || milliseconds === 0) {
    throw new InvalidArgumentError('A duration looks like 90s, 10m or 1h30m.');
  }
  return milliseconds;
}

async function deploy(options: DeployOptions): Promise<void> {
  const [sources, paramFiles] = await Promise.all([
    readSources(options.filename),
    readSources(options.paramFile ?? []),
  ]);
  const params = readParams(paramFiles, options.param ?? []);
  refuse(params.mistakes);
  const parsed = parseManifests(sources, {
    params: params.values,
    imageRepositories: new Map(options.imageRepository ?? []),
  });
  refuse(parsed.mistakes);
  await withCluster(options, async ({ cluster, namespace }) => {
    const placement = { namespace, required: options.namespace };
    const prepared = await prepareManifests(cluster.client, parsed, placement);
    refuse(prepared.mistakes);
    refuse(await checkManifests(cluster.client, prepared.manifests));
    for (const sentence of prepared.skipped) print(sentence);
    const applied: Applied[] = [];
    for (const manifest of prepared.manifests) applied.push(await apply(cluster, manifest));
    const followed = applied.filter(({ manifest }) => isFollowed(manifest));
    if (options.follow && followed.length > 0) await follow(cluster, followed, options.timeout);
  });
}

function refuse(mistakes: readonly string[]): void {
  if (mistakes.length > 0) throw badInput(mistakes.join('\n'));
}

/** Whether there is a rollout to show; everything else is done once it is applied. */
const isFollowed = ({ type }: Manifest): boolean =>
  type === resources.slipwayDeployments || type === resources.builtInDeployments;

interface Applied {
  readonly manifest: Manifest;
  readonly rolledBackAt: string | null;
}

async function apply({ client }: Cluster, manifest: Manifest): Promise<Applied> {
  let applied: Deployment;
  try {
    applied = await client.apply<Deployment>(manifest.type, manifest.object, { strict: true });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw badInput((await explainRefusal(client, manifest, error)).join('\n'), error);
  }
  print(`${titleInCluster(manifest)} applied`);
  return { manifest, rolledBackAt: isFollowed(manifest) ? rolledBackAt(applied) : null };
}

async function follow(
  cluster: Cluster,
  applied: readonly Applied[],
  timeoutMs: number | undefined,
): Promise<void> {
  const view = createFollowView(print, canRedraw(process.stdout));
  // When one can't be followed any more, the others are not followed either.
  const over = new AbortController();
  try {
    const ends = await withInterrupt((interrupt) => {
      const timeout = timeoutMs === undefined ? [] : [AbortSignal.timeout(timeoutMs)];
      const signal = AbortSignal.any([interrupt, over.signal, ...timeout]);
      return Promise.all(
        applied.map(({ manifest: { type, object }, rolledBackAt: before }) => {
          const { namespace = '', name } = object.metadata;
          const target = { cluster, type, namespace, name, rolledBackAt: before, signal };
          return followInView(target, view);
        }),
      );
    });
    const failed = applied.filter((_one, index) => ends[index] === 'failed');
    for (const { manifest } of failed) await explainFailure(cluster, manifest);
    judge(ends);
  } catch (error) {
    throw explainStop(error, timeoutMs);
  } finally {
    over.abort();
    view.close();
  }
}

/** What the pods themselves complain about; a cluster that can't be asked any more says nothing. */
async function explainFailure(
  { client }: Cluster,
  { type, object: { metadata } }: Manifest,
): Promise<void> {
  const { namespace = '', name } = metadata;
  const trees = await listTrees({ client, types: [type], namespace, name }).catch(() => []);
  for (const line of trees.flatMap(describeSickPods)) print(`  ${line}`);
}

/** How each ended was said already; what is left is the exit code. */
function judge(ends: readonly FollowEnd[]): void {
  if (ends.includes('failed')) process.exitCode = exitCodes.failed;
  else if (ends.includes('cancelled')) process.exitCode = exitCodes.cancelled;
}

function explainStop(error: unknown, timeoutMs: number | undefined): unknown {
  if (error instanceof Interrupted) {
    return new CommandFailure(
      'no longer following; what was applied goes on without us',
      error.exitCode,
    );
  }
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new CommandFailure(
      `--timeout: not complete after ${formatDuration(timeoutMs ?? 0)}; what was applied goes on without us`,
    );
  }
  return error;
}

function titleInCluster({ type, object: { metadata } }: Manifest): string {
  const ref = refOf(type, metadata.name);
  return metadata.namespace === undefined ? ref : `${ref} in ${metadata.namespace}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
