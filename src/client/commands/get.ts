import { Command } from 'commander';

import { addClusterOptions, withCluster, type ClusterOptions } from '../cluster-session.js';
import { withExamples } from '../examples.js';
import { findObject, notInstalled } from '../find-object.js';
import { withInterrupt } from '../interrupt.js';
import { kinds, nameKinds } from '../kinds.js';
import { paintLine } from '../output/line.js';
import { formatDocument, outputOption, type OutputFormat } from '../output/structured.js';
import { wantsColour } from '../output/terminal-abilities.js';
import { parseKindOrRef } from '../parse-ref.js';
import { listTrees } from '../tree/list-trees.js';
import { renderTrees } from '../tree/render-tree.js';
import type { Tree, TreeList } from '../tree/tree.js';
import { createWatchView } from '../tree/watch-view.js';
import { watchTrees, type TreeSelection } from '../tree/watch-trees.js';
import { isNotServed } from '../watch-objects.js';
import type { ClusterSession } from '../cluster-session.js';

interface GetOptions extends ClusterOptions {
  readonly watch?: true;
  readonly allNamespaces?: true;
  readonly output?: OutputFormat;
}

const dataShape = `
With -o the output is {items: [ITEM…]}, and with -w as well one ITEM for each change. Each ITEM has apiVersion,
kind, namespace, name, phase and message; deleted: true in the last one of an object that is gone; and
  a Deployment        paused, replicas {desired, current, updated, ready, available},
                      revisions [REVISION…], newest first
    REVISION          revision, replicaSet, current, images, changeCause, created,
                      replicas {desired, ready, available}, hooks [HOOK…], pods [POD…]
    its phase is      Waiting, Progressing, Paused, Complete, Failed, RolledBack or Cancelled
  a DeploymentConfig  paused, strategy, triggers, latestVersion, waitsFor [TAG…], replicas as above,
                      versions [VERSION…], newest first
    VERSION           version, replicationController, current, phase, cancelled, reason, causes, by, images,
                      created, startedAt, endedAt, canary {step, steps, needsApproval, comparison},
                      replicas {desired, ready, available}, hooks [HOOK…], jobs [JOB…], pods [POD…]
    JOB               name, role, phase, exitCode, reason, created; a pod of a deployer or a hook
    its phase is      Idle, Waiting, Progressing, Paused, Complete, Failed or Cancelled
  an ImageRepository  repository, lastCheckedAt, tags [{tag, digest, image, resolvedAt}…]
    its phase is      Waiting, Ready or NotReady
  HOOK                moment (pre, mid, post or abort), policy, phase, reason, ended, tries [TRY…], oldest first
  TRY                 number, pod, phase, exitCode, reason, tail, created, startedAt, endedAt, gone
  POD                 name, status, ready, readyContainers, containers, restarts, node, created`;

export function getCommand(): Command {
  const command = new Command('get')
    .summary('show objects with their revisions and pods')
    .description(
      'Shows objects as trees: the phase of each in words, its revisions or versions, and their pods; for an ' +
        'ImageRepository its tags. ' +
        'In a terminal -w keeps the tree up to date in place; in a pipe it prints a line per change.',
    )
    .argument('[kind/name]', 'a kind, or one object; all kinds that the cluster has when left out')
    .argument('[name]', 'its name, when only the kind stands before')
    .option('-w, --watch', 'go on showing changes until Ctrl-C')
    .option('-A, --all-namespaces', 'look in all namespaces')
    .addOption(outputOption())
    .action(get)
    .addHelpText('after', dataShape);
  return withExamples(addClusterOptions(command), [
    ['get', 'All objects of the namespace'],
    ['get deployment/web -w', 'One of them, live'],
    ["get -A -o json | jq -r '.items[] | [.namespace, .name, .phase] | @tsv'", 'As data'],
    ['get dc/web -w', 'The versions of a DeploymentConfig, live'],
    ['get ir', 'Image repositories, and what their tags mean'],
    ['get sdeploy', 'Those of slipway.dev only; "deployments.apps" are the built-in ones'],
  ]);
}

async function get(
  word: string | undefined,
  name: string | undefined,
  options: GetOptions,
): Promise<void> {
  const text = name === undefined ? word : `${word ?? ''}/${name}`;
  await withCluster(options, async (session) => {
    const selection = await select(session, text, options);
    try {
      if (options.watch === true) await watch(selection, options);
      else print(await listTrees(selection), selection, options);
    } catch (error) {
      const [type] = selection.types;
      if (type !== undefined && text !== undefined && isNotServed(error)) {
        throw notInstalled(text, type);
      }
      throw error;
    }
  });
}

async function select(
  { cluster, namespace }: ClusterSession,
  text: string | undefined,
  { allNamespaces }: GetOptions,
): Promise<TreeSelection> {
  const { client } = cluster;
  const wanted = text === undefined ? { text: '', kinds } : parseKindOrRef(text);
  if (wanted.name === undefined) {
    const types = wanted.kinds.map(({ type }) => type);
    return { client, types, namespace: allNamespaces === true ? undefined : namespace };
  }
  const ref = { ...wanted, name: wanted.name };
  const { type, object } = await findObject(cluster, namespace, ref);
  return { client, types: [type], namespace, name: ref.name, root: object };
}

function print(
  trees: readonly Tree[],
  selection: TreeSelection,
  { output, allNamespaces }: GetOptions,
): void {
  if (output !== undefined) {
    const list: TreeList = { items: trees };
    process.stdout.write(formatDocument(list, output));
    return;
  }
  if (trees.length === 0) {
    process.stderr.write(`${describeNothing(selection)}\n`);
    return;
  }
  const colour = wantsColour(process.stdout);
  const options = { nowMs: Date.now(), withNamespace: allNamespaces === true };
  for (const line of renderTrees(trees, options)) {
    process.stdout.write(`${paintLine(line, { colour })}\n`);
  }
}

async function watch(selection: TreeSelection, options: GetOptions): Promise<void> {
  const view = createWatchView({
    output: options.output,
    withNamespace: options.allNamespaces === true,
    whenEmpty: describeNothing(selection),
  });
  try {
    await withInterrupt(async (signal) => {
      await watchTrees({
        ...selection,
        signal,
        onTrees: (trees) => {
          view.show(trees);
        },
        onTrouble: (sentence) => {
          view.setNote(sentence);
        },
      });
      signal.throwIfAborted();
    });
  } finally {
    view.close();
  }
}

function describeNothing({ namespace, types }: TreeSelection): string {
  const what = nameKinds(kinds.filter(({ type }) => types.includes(type))).replace(' and ', ' or ');
  return namespace === undefined
    ? `There are no ${what} in any namespace.`
    : `There are no ${what} in namespace ${namespace}.`;
}
