import { Command, InvalidArgumentError } from 'commander';

import { ourselves } from '../../domain/shared/author.js';
import { defined } from '../../domain/shared/optional.js';
import { ApiError } from '../../kubernetes/api-error.js';
import type { Cluster } from '../../kubernetes/connect.js';
import { signChange } from '../../kubernetes/sign-change.js';
import { findAbility } from '../abilities.js';
import { createRollbackFollower } from '../configs/rollback-follower.js';
import { addClusterOptions, withCluster, type ClusterOptions } from '../cluster-session.js';
import { withExamples } from '../examples.js';
import { badInput } from '../failure.js';
import { endsHelp, followToEnd } from '../follow-to-end.js';
import type { Follower } from '../follower.js';
import { refOf } from '../kinds.js';
import { checkManifests, explainRefusal } from '../manifests/check-manifests.js';
import { parseManifests, type Manifest } from '../manifests/parse-manifests.js';
import { prepareManifests } from '../manifests/prepare-manifests.js';
import { readSources } from '../manifests/read-sources.js';
import { isRollback, writeManifest } from '../manifests/write-manifest.js';
import { parsePair, readParams } from '../manifests/templates/param-options.js';
import { timeoutOption } from '../timeout-option.js';
import { whoAmI } from '../who-am-i.js';

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
      'Applies manifests of any kind and follows the rollouts of Deployments and DeploymentConfigs to the end. Everything is ' +
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
    .addOption(timeoutOption())
    .option('--no-follow', 'apply only, and do not wait for the rollouts')
    .action(deploy)
    .addHelpText('after', endsHelp)
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
    const by = await whoAmI(cluster);
    for (const manifest of prepared.manifests) applied.push(await apply(cluster, manifest, by));
    if (options.follow) await follow(cluster, applied, options.timeout);
  });
}

function refuse(mistakes: readonly string[]): void {
  if (mistakes.length > 0) throw badInput(mistakes.join('\n'));
}

interface Applied {
  readonly manifest: Manifest;
  /** Only where there is a rollout to show; everything else is done once it is applied. */
  readonly follower: Follower | undefined;
}

async function apply(
  cluster: Cluster,
  manifest: Manifest,
  by: string | undefined,
): Promise<Applied> {
  const { client } = cluster;
  const { type, object } = manifest;
  try {
    if (isRollback(manifest)) return await goBack(cluster, manifest, by);
    const sign = findAbility('sign', type);
    const author = { manager: ourselves, ...defined({ by }) };
    const signed =
      sign === undefined ? object : await signChange(client, type, object, author, sign);
    const applied = await writeManifest(client, { ...manifest, object: signed });
    print(`${titleInCluster(manifest)} applied`);
    return { manifest, follower: findAbility('follow', manifest.type)?.(applied) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw badInput((await explainRefusal(client, manifest, error)).join('\n'), error);
  }
}

/** Names who asks, where the manifest doesn't. */
async function goBack(
  cluster: Cluster,
  manifest: Manifest,
  by: string | undefined,
): Promise<Applied> {
  const asked = await writeManifest(cluster.client, manifest, defined({ by }));
  print(`${titleInCluster(manifest)} is asked to go back`);
  return { manifest, follower: createRollbackFollower(asked) };
}

async function follow(
  cluster: Cluster,
  applied: readonly Applied[],
  timeoutMs: number | undefined,
): Promise<void> {
  const followed = applied.flatMap(({ manifest: { type, object }, follower }) => {
    const { namespace = '', name } = object.metadata;
    return follower === undefined ? [] : [{ object: { type, namespace, name }, follower }];
  });
  if (followed.length === 0) return;
  const objects = followed.map(({ object }) => object);
  const followers = followed.map(({ follower }) => follower);
  await followToEnd(cluster, objects, [followers], timeoutMs);
}

function titleInCluster({ type, object: { metadata } }: Manifest): string {
  const ref = refOf(type, metadata.name);
  return metadata.namespace === undefined ? ref : `${ref} in ${metadata.namespace}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
