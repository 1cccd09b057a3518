import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

import { badInput } from '../../client/failure.js';
import type { StackSettings } from './state.js';

/** What the user may say about a stack. What is left out stays as it is in a stack that is up. */
export interface RequestedSettings {
  readonly dropIn?: boolean | undefined;
  readonly nodes?: number | undefined;
  readonly worker?: boolean | undefined;
  readonly unsafeNoFsync?: boolean | undefined;
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly temporalAddress?: string | undefined;
  readonly realNode?: boolean | undefined;
}

const defaults = { dropIn: false, nodes: 10, worker: true, unsafeNoFsync: false };
const mostNodes = 1_000;

export function decideSettings(
  requested: RequestedSettings,
  current: StackSettings | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): StackSettings {
  const { kubeconfig, context } = requested;
  const said = definedOnly({
    dropIn: requested.dropIn,
    nodes: requested.nodes,
    worker: requested.worker,
    unsafeNoFsync: requested.unsafeNoFsync,
    temporalAddress: requested.temporalAddress,
    realNode: requested.realNode,
  });
  const settings = { ...defaults, ...current, ...said };
  const { nodes, temporalAddress } = settings;
  if (!Number.isInteger(nodes) || nodes < 1 || nodes > mostNodes) {
    throw badInput(`nodes: ${nodes} is not a whole number between 1 and ${mostNodes}`);
  }
  if (temporalAddress !== undefined && !/^[^\s/]+:\d+$/.test(temporalAddress)) {
    throw badInput(`temporal: "${temporalAddress}" is not an address such as 127.0.0.1:7233`);
  }
  const ownCluster = kubeconfig ?? context ?? settings.kubeconfig;
  if (settings.realNode === true && ownCluster !== undefined) {
    throw badInput('real-node: it joins the local cluster, and this stack uses one of yours');
  }
  if (kubeconfig === undefined && context === undefined) return settings;
  const { context: _formerContext, ...rest } = settings;
  return {
    ...rest,
    // A context alone is one of the kubeconfig that kubectl would read.
    kubeconfig: resolve(kubeconfig ?? usualKubeconfig(environment)),
    ...definedOnly({ context }),
  };
}

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

function definedOnly<T extends object>(values: T): Defined<T> {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Defined<T>;
}

function usualKubeconfig(environment: Readonly<Record<string, string | undefined>>): string {
  const files = (environment['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '');
  if (files.length > 1) {
    throw badInput('kubeconfig: $KUBECONFIG names several files; choose one with --kubeconfig');
  }
  return files[0] ?? join(environment['HOME'] ?? homedir(), '.kube', 'config');
}
