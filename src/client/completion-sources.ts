import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

import { parse } from 'yaml';

import type { KubernetesObject } from '../kubernetes/objects.js';
import { resources, type ResourceType } from '../kubernetes/resources.js';
import { withCluster, type ClusterOptions, type ClusterSession } from './cluster-session.js';
import { kindsForCommand } from './abilities.js';
import type { ChosenOptions, CompletionSources } from './complete-words.js';
import { kinds, matchKinds, refOf, type Kind } from './kinds.js';

/** Asks the cluster that the options so far name. */
export const clusterSources: CompletionSources = {
  refs: (word, options, command) =>
    withCluster(pickClusterOptions(options), async (session) => {
      const kindWord = word.includes('/') ? word.slice(0, word.indexOf('/')) : undefined;
      const known = kindsForCommand(command);
      const wanted =
        kindWord === undefined
          ? known
          : matchKinds(kindWord).filter((kind) => known.includes(kind));
      const found = await Promise.all(
        wanted.map(async (kind) => ({ kind, names: await listNames(session, kind.type) })),
      );
      return nameRefs(word, found, known);
    }),
  namespaces: (options) =>
    withCluster(pickClusterOptions(options), async ({ cluster }) => {
      const { items } = await cluster.client.list(resources.namespaces);
      return items.map(({ metadata }) => metadata.name);
    }),
  contexts: (options) => Promise.resolve(kubeconfigPaths(options).flatMap(readContexts)),
};

/**
 * How the objects are written: with the kind as the user began to write it, else in short, and with the
 * group only where the short form would not tell two apart.
 */
export function nameRefs(
  word: string,
  found: readonly { readonly kind: Kind; readonly names: readonly string[] }[],
  known: readonly Kind[] = kinds,
): string[] {
  if (word.includes('/')) {
    const kindWord = word.slice(0, word.indexOf('/'));
    const names = new Set(found.flatMap(({ names: all }) => all));
    return [...names].sort().map((name) => `${kindWord}/${name}`);
  }
  const shortRef = (kind: Kind, name: string): string => `${kind.type.kind.toLowerCase()}/${name}`;
  const counts = new Map<string, number>();
  for (const ref of found.flatMap(({ kind, names }) => names.map((name) => shortRef(kind, name)))) {
    counts.set(ref, (counts.get(ref) ?? 0) + 1);
  }
  const refs = found.flatMap(({ kind, names }) =>
    names.map((name) => {
      const short = shortRef(kind, name);
      return (counts.get(short) ?? 0) > 1 ? refOf(kind.type, name) : short;
    }),
  );
  if (refs.some((ref) => ref.startsWith(word))) return refs.sort();
  // Other words for the kind can be finished too.
  return [...new Set(known.flatMap(({ names }) => names))].map((name) => `${name}/`);
}

async function listNames({ cluster, namespace }: ClusterSession, type: ResourceType) {
  try {
    const { items } = await cluster.client.list<KubernetesObject>(type, namespace);
    return items.map(({ metadata }) => metadata.name);
  } catch {
    // One kind that can't be listed must not hide the other ones.
    return [];
  }
}

function pickClusterOptions({ namespace, context, kubeconfig }: ChosenOptions): ClusterOptions {
  return {
    ...(namespace === undefined ? {} : { namespace }),
    ...(context === undefined ? {} : { context }),
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
  };
}

function kubeconfigPaths({ kubeconfig }: ChosenOptions): string[] {
  const fromEnvironment = (process.env['KUBECONFIG'] ?? '').split(delimiter).filter(Boolean);
  if (kubeconfig !== undefined) return [kubeconfig];
  return fromEnvironment.length > 0 ? fromEnvironment : [join(homedir(), '.kube', 'config')];
}

function readContexts(path: string): string[] {
  try {
    const config = parse(readFileSync(path, 'utf8')) as { contexts?: { name: string }[] } | null;
    return config?.contexts?.map(({ name }) => name) ?? [];
  } catch {
    return [];
  }
}
