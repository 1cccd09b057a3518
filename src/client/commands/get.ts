import { Command } from 'commander';

import { addClusterOptions, withCluster, type ClusterOptions } from '../cluster-session.js';
import { withExamples } from '../examples.js';
import { findDeployment, notInstalled, selectorOf } from '../find-object.js';
import { withInterrupt } from '../interrupt.js';
import { kinds } from '../kinds.js';
import { paintLine } from '../output/line.js';
import { formatDocument, outputOption, type OutputFormat } from '../output/structured.js';
import { wantsColour } from '../output/terminal-abilities.js';
import { parseKindOrRef } from '../parse-ref.js';
import { listTrees } from '../tree/list-trees.js';
import { renderTrees } from '../tree/render-tree.js';
import type { DeploymentTree, TreeList } from '../tree/tree.js';
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
With -o the output is {items: [ITEM…]}, and with -w as well one ITEM for each change:
  ITEM      apiVersion, kind, namespace, name, phase, paused, message,
            replicas {desired, current, updated, ready, available},
            revisions [REVISION…], newest first; deleted: true in the last one of an object that is gone
  REVISION  revision, replicaSet, current, images, changeCause, created,
            replicas {desired, ready, available}, pods [POD…]
  POD       name, status, ready, readyContainers, containers, restarts, node, created
The phase is Waiting, Progressing, Paused, Complete, Failed, RolledBack or Cancelled.`;

export function getCommand(): Command {
  const command = new Command('get')
    .summary('show Deployments with their revisions and pods')
    .description(
      'Shows Deployments as a tree: the phase of each in words, its revisions, and their pods. ' +
        'In a terminal -w keeps the tree up to date in place; in a pipe it prints a line per change.',
    )
    .argument('[kind/name]', 'a kind, or one object; all Deployments of both APIs when left out')
    .option('-w, --watch', 'go on showing changes until Ctrl-C')
    .option('-A, --all-namespaces', 'look in all namespaces')
    .addOption(outputOption())
    .action(get)
    .addHelpText('after', dataShape);
  return withExamples(addClusterOptions(command), [
    ['get', 'All Deployments of the namespace'],
    ['get deployment/web -w', 'One of them, live'],
    ["get -A -o json | jq -r '.items[] | [.namespace, .name, .phase] | @tsv'", 'As data'],
    ['get sdeploy', 'Those of slipway.dev only; "deployments.apps" are the built-in ones'],
  ]);
}

async function get(text: string | undefined, options: GetOptions): Promise<void> {
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
  const { type, deployment } = await findDeployment(cluster, namespace, ref);
  return {
    client,
    types: [type],
    namespace,
    name: ref.name,
    labelSelector: selectorOf(deployment),
  };
}

function print(
  trees: readonly DeploymentTree[],
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

function describeNothing({ namespace }: TreeSelection): string {
  return namespace === undefined
    ? 'There are no Deployments in any namespace.'
    : `There are no Deployments in namespace ${namespace}.`;
}
