import { refOf } from '../kinds.js';
import { cleanText } from '../output/line.js';
import { describeCounts } from './describe-deployment.js';
import type { DeploymentTree, RevisionTree } from './tree.js';

/** What each object's line said when it was last printed, by object. */
export type PrintedLines = ReadonlyMap<string, string>;

/**
 * A tree as plain lines for a pipe: only the ones that say something new, and one for each object that
 * is gone. Pods are left out: their revision's counts tell what became of them.
 */
export function listChanges(
  printed: PrintedLines,
  trees: readonly DeploymentTree[],
  withNamespace: boolean,
): { readonly lines: string[]; readonly printed: PrintedLines } {
  const now = new Map(trees.flatMap((tree) => describeTree(tree, withNamespace)));
  const lines: string[] = [];
  for (const [key, line] of now) {
    if (printed.get(key) !== line) lines.push(cleanText(line));
  }
  for (const key of printed.keys()) {
    if (!now.has(key)) lines.push(`${key} deleted`);
  }
  return { lines, printed: now };
}

function describeTree(tree: DeploymentTree, withNamespace: boolean): [string, string][] {
  const name = `${withNamespace ? `${tree.namespace} ` : ''}${refOf(tree, tree.name)}`;
  const message = tree.message === '' ? '' : `: ${tree.message}`;
  const paused = tree.paused && tree.phase === 'Complete' ? ', paused' : '';
  return [
    [name, `${name} ${tree.phase}${paused}: ${describeCounts(tree)}${message}`],
    ...tree.revisions.map((revision) => describeRevision(name, revision)),
  ];
}

function describeRevision(parent: string, revision: RevisionTree): [string, string] {
  const { replicaSet, images, replicas } = revision;
  const key = `${parent} ${replicaSet}`;
  return [
    key,
    `${key} revision ${revision.revision}: ${images.join(', ')}, ${replicas.ready}/${replicas.desired} ready`,
  ];
}
