import { refOf } from '../kinds.js';
import { cleanText } from '../output/line.js';
import { describeConfigCounts } from './describe-config-counts.js';
import { describeCounts } from './describe-deployment.js';
import { describeCanary, describeCausesOf, listOtherJobs } from './render-config.js';
import { describeTries } from './render-hooks.js';
import { shortenDigest, shortenImage } from './shorten-image.js';
import type {
  ConfigTree,
  DeploymentTree,
  HookTree,
  JobTree,
  RepositoryTree,
  Tree,
} from './tree.js';

/** What each object's line said when it was last printed, by object. */
export type PrintedLines = ReadonlyMap<string, string>;

/**
 * A tree as plain lines for a pipe: only the ones that say something new, and one for each object that
 * is gone. Pods are left out: their revision's counts tell what became of them.
 */
export function listChanges(
  printed: PrintedLines,
  trees: readonly Tree[],
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

type KeyedLine = [key: string, line: string];

function describeTree(tree: Tree, withNamespace: boolean): KeyedLine[] {
  const name = `${withNamespace ? `${tree.namespace} ` : ''}${refOf(tree, tree.name)}`;
  switch (tree.kind) {
    case 'Deployment':
      return describeDeploymentTree(name, tree);
    case 'DeploymentConfig':
      return describeConfigTree(name, tree);
    case 'ImageRepository':
      return describeRepositoryTree(name, tree);
  }
}

const heading = (name: string, tree: Tree, facts: string): KeyedLine => {
  const paused = 'paused' in tree && tree.paused && tree.phase === 'Complete' ? ', paused' : '';
  const message = tree.message === '' ? '' : `: ${tree.message}`;
  return [name, `${name} ${tree.phase}${paused}: ${facts}${message}`];
};

function describeDeploymentTree(name: string, tree: DeploymentTree): KeyedLine[] {
  return [
    heading(name, tree, describeCounts(tree)),
    ...tree.revisions.flatMap(({ revision, replicaSet, images, replicas, hooks }): KeyedLine[] => {
      const key = `${name} ${replicaSet}`;
      const ready = `${replicas.ready}/${replicas.desired} ready`;
      return [
        [key, `${key} revision ${revision}: ${images.join(', ')}, ${ready}`],
        ...hooks.flatMap((hook) => describeHook(name, replicaSet, hook)),
      ];
    }),
  ];
}

function describeConfigTree(name: string, tree: ConfigTree): KeyedLine[] {
  return [
    heading(name, tree, describeConfigCounts(tree)),
    ...tree.versions.flatMap((version): KeyedLine[] => {
      const { phase, images, replicas, canary, hooks } = version;
      const key = `${name} ${version.replicationController}`;
      const facts = [
        images.map(shortenImage).join(', '),
        `${replicas.ready}/${replicas.desired} ready`,
        ...(canary === null ? [] : [describeCanary(canary)]),
        describeCausesOf(version),
      ];
      return [
        [key, `${key} version ${version.version} ${phase}: ${facts.join(', ')}`],
        ...hooks.flatMap((hook) => describeHook(name, version.replicationController, hook)),
        ...listOtherJobs(version).map((job) => describeJob(name, job)),
      ];
    }),
  ];
}

/** A hook, and below it each of its tries, with the last line of what it said. */
function describeHook(name: string, holder: string, hook: HookTree): KeyedLine[] {
  if (hook.phase === null && hook.tries.length === 0) return [];
  const key = `${name} ${holder} ${hook.moment} hook`;
  return [
    [key, `${key} ${hook.phase ?? 'Pending'}: ${describeTries(hook)}`],
    ...hook.tries.map((each) => {
      const said = each.tail === null ? [] : [each.tail.slice(each.tail.lastIndexOf('\n') + 1)];
      const words = [...(each.reason === null ? [] : [each.reason]), ...said];
      const reason = words.length === 0 ? null : words.join(': ');
      return describeJob(name, { ...each, name: each.pod, reason });
    }),
  ];
}

function describeJob(
  name: string,
  job: Pick<JobTree, 'name' | 'phase' | 'exitCode' | 'reason'>,
): KeyedLine {
  const exit = job.exitCode === null ? '' : `, exit ${job.exitCode}`;
  const why = job.reason === null ? '' : `: ${job.reason}`;
  return [`${name} ${job.name}`, `${name} ${job.name} ${job.phase}${exit}${why}`];
}

function describeRepositoryTree(name: string, tree: RepositoryTree): KeyedLine[] {
  return [
    heading(name, tree, tree.repository),
    ...tree.tags.map(({ tag, digest }): KeyedLine => {
      const key = `${name} ${tag}`;
      return [key, `${key}: ${digest === null ? 'no image' : shortenDigest(digest)}`];
    }),
  ];
}
