import type { WorkflowHandle } from '@temporalio/client';

import type { HookRef } from '../../src/contracts/hook.js';
import type { HookMoment } from '../../src/domain/shared/hook.js';
import type { Cluster } from '../../src/kubernetes/connect.js';
import type { ResourceType } from '../../src/kubernetes/resources.js';
import type { Write } from './apiserver-proxy.js';
import type { EtcdHistory } from './etcd-history.js';
import type { PastRollout } from './hook-history.js';

/** Those that a rollout waits for. */
export type AwaitedMoment = Exclude<HookMoment, 'abort'>;

/** What a version of a DeploymentConfig and a ReplicaSet of a Deployment differ in. */
export interface HookedRollout extends PastRollout {
  readonly trial: { readonly cluster: Cluster; readonly namespace: string };
  /** Of what keeps what becomes of the hooks. */
  readonly type: ResourceType;
  /** The name of what serves before it, where something does. */
  readonly previous: string | undefined;
  /** The run that carries it out. */
  readonly run: WorkflowHandle;
  hookRef(moment: HookMoment): HookRef;
  /** Makes what is to serve before it. */
  precede(): Promise<void>;
  begin(): Promise<void>;
  /** How it has ended, or what was before it, as far as is known. */
  endOf(name: string, history: EtcdHistory): string | undefined;
  /** Whether a write to the apiserver is about it. */
  isOwn(write: Write): boolean;
  /** Whether that write is the next step after a hook. */
  goesOn(write: Write, moment: AwaitedMoment): boolean;
  /** Whether that write says that it has failed. */
  givesUp(write: Write): boolean;
}

/** Whether a write changes what keeps what becomes of the hooks. */
export const isPatchOf = (
  { method, resource, name }: Write,
  rollout: Pick<HookedRollout, 'type' | 'name'>,
): boolean => method === 'PATCH' && resource === rollout.type.plural && name === rollout.name;

/** Whether a JSON patch brings something to a value. */
export const moves = ({ body }: Write, path: string, to: unknown): boolean =>
  Array.isArray(body) &&
  (body as { path: string; op: string; value: unknown }[]).some(
    (change) => change.op !== 'test' && change.path === path && change.value === to,
  );
