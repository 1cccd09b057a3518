import { deployerName } from '../../domain/deployment-config/plan-deployer.js';
import type { HookMoment } from '../../domain/shared/hook.js';
import { defined } from '../../domain/shared/optional.js';
import { describeEnd, type RunOncePod } from '../../domain/shared/run-once-pod.js';
import { configAnnotations } from '../../kubernetes/deployment-configs/annotations.js';
import type { KubernetesObject, Pod } from '../../kubernetes/objects.js';
import { readRunOncePod } from '../../kubernetes/run-once-pods/read-run-once-pod.js';
import type { HookTree, HookTryTree } from '../tree/tree.js';

/** A pod whose log can be read, or what is kept of one that is gone. */
export interface LogSource {
  readonly pod: string;
  /** Of several, the one that does the work. */
  readonly container?: string;
  /** A deployer has none. */
  readonly moment?: HookMoment;
  /** Which try of its hook it is, counted from 1. */
  readonly number?: number;
  readonly state: 'Waiting' | 'Running' | 'Ended';
  readonly isGone: boolean;
  readonly hasSucceeded: boolean;
  /** How it stands, as the rest of a sentence that begins with its name. */
  readonly words: string;
  /** The end of its log, where that was kept. */
  readonly tail?: string;
}

/** What run-once pods there are, or were, for one holder. */
export interface JobScene {
  readonly holder: KubernetesObject;
  readonly hooks: readonly HookTree[];
  readonly pods: readonly Pod[];
}

/** All that could be read, in the order in which it was written. */
export function listLogSources(scene: JobScene): LogSource[] {
  const tries = scene.hooks.flatMap(({ moment, tries: all }) =>
    all.map((each) => ({ atMs: startOf(each), source: toSource(moment, each, scene.pods) })),
  );
  return [...tries, ...findDeployer(scene)]
    .sort((a, b) => a.atMs - b.atMs || rankOf(a.source) - rankOf(b.source))
    .map(({ source }) => source);
}

interface Placed {
  readonly atMs: number;
  readonly source: LogSource;
}

const startOf = ({ created, startedAt, endedAt }: HookTryTree): number =>
  Date.parse(created ?? startedAt ?? endedAt ?? '') || 0;

/** The times of Kubernetes are whole seconds; within one, turns tell the order. */
function rankOf({ moment, number = 0 }: LogSource): number {
  const turns = ['pre', 'mid', undefined, 'post', 'abort'] as const;
  return turns.indexOf(moment) * 1_000 + number;
}

function toSource(moment: HookMoment, each: HookTryTree, pods: readonly Pod[]): LogSource {
  const { pod, number, phase, gone, tail } = each;
  const found = pods.find(({ metadata }) => metadata.name === pod);
  return {
    pod,
    moment,
    number,
    state: stateOf(phase),
    isGone: gone,
    hasSucceeded: phase === 'Succeeded',
    words: describeTry(each),
    ...defined({ container: containerOf(found), tail: tail ?? undefined }),
  };
}

function stateOf(phase: HookTryTree['phase']): LogSource['state'] {
  if (phase === 'Running') return 'Running';
  return phase === 'Pending' ? 'Waiting' : 'Ended';
}

/** The words for a pod that is only about to start. */
export const notStarted = 'has not started';

const describeStart = (reason: string | null): string =>
  reason === null || /^(ContainerCreating|PodInitializing)\b/.test(reason)
    ? notStarted
    : `${notStarted} (${reason})`;

/** Example: failed with exit code 137 (OOMKilled) */
function describeTry({ phase, exitCode, reason }: HookTryTree): string {
  const code = exitCode === null ? '' : ` with exit code ${exitCode}`;
  switch (phase) {
    case 'Running':
      return 'runs';
    case 'Pending':
      return describeStart(reason);
    case 'Succeeded':
      return `succeeded${code}`;
    case 'Failed': {
      const isTelling = reason !== null && !(code !== '' && reason === 'Error');
      return `failed${code}${isTelling ? ` (${reason})` : ''}`;
    }
  }
}

/** Of a deployer that is gone nothing is kept but why its version failed. */
function findDeployer({ holder, pods }: JobScene): Placed[] {
  const { name, annotations = {} } = holder.metadata;
  const pod = deployerName(name);
  const found = pods.find(({ metadata }) => metadata.name === pod);
  if (found !== undefined) return [placeDeployer(found)];
  if (annotations[configAnnotations.deployerPodName] !== pod) return [];
  const atMs = Date.parse(annotations[configAnnotations.deployerCreatedAt] ?? '') || 0;
  const reason = annotations[configAnnotations.statusReason];
  const hasSucceeded = annotations[configAnnotations.phase] === 'Complete';
  const words = hasSucceeded ? 'succeeded' : `is gone${reason === undefined ? '' : ` (${reason})`}`;
  return [{ atMs, source: { pod, state: 'Ended', isGone: true, hasSucceeded, words } }];
}

function placeDeployer(pod: Pod): Placed {
  const seen = readRunOncePod(pod);
  const { name, state, hasEnded, createdAtMs } = seen;
  const { message: tail, ...rest } = seen;
  const words = {
    Waiting: describeStart(nameDelay(seen)),
    Running: 'runs',
    Ended: describeEnd(rest),
  };
  const now = hasEnded ? 'Ended' : stateOf(state);
  return {
    atMs: createdAtMs,
    source: {
      pod: name,
      state: now,
      isGone: false,
      hasSucceeded: state === 'Succeeded',
      words: words[now],
      ...defined({ container: containerOf(pod), tail: hasEnded ? tail : undefined }),
    },
  };
}

const nameDelay = ({ reason, message }: RunOncePod): string | null =>
  [reason, message].filter((word) => word !== undefined && word !== '').join(': ') || null;

/** Whatever else was put into the pod, by a mesh for example, has another name. */
function containerOf(pod: Pod | undefined): string | undefined {
  const names = pod?.spec?.containers.map(({ name }) => name) ?? [];
  return names.find((name) => name === 'lifecycle' || name === 'deployment') ?? names[0];
}
