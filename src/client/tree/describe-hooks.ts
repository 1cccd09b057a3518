import type { EndedTry, HookRecord } from '../../domain/hook/observation.js';
import { hookMoments, isHookOver, type HookMoment } from '../../domain/shared/hook.js';
import { hookAnnotations, hookType, hookTypeLabel } from '../../kubernetes/hooks/annotations.js';
import { readHookRecord } from '../../kubernetes/hooks/hook-record.js';
import type { HookWish } from '../../kubernetes/hooks/read-hooks.js';
import { readTryNumber } from '../../kubernetes/hooks/read-try-number.js';
import type { KubernetesObject, Pod } from '../../kubernetes/objects.js';
import { readRunOncePod } from '../../kubernetes/run-once-pods/read-run-once-pod.js';
import { workedFor } from '../../kubernetes/run-once-pods/worked-for.js';
import type { HookTree, HookTryTree } from './tree.js';

export interface HookScene {
  /** What the hooks are kept with: a version's ReplicationController, or a ReplicaSet. */
  readonly holder: KubernetesObject;
  /** The hooks that were asked for, as far as that is known. */
  readonly wishes: readonly Pick<HookWish, 'moment' | 'policy'>[];
  /** Among which its tries are, as far as their pods are there. */
  readonly pods: readonly Pod[];
}

/** The hooks that were asked for, that have begun, or of which there are pods, in the order of their turns. */
export function describeHooks(scene: HookScene): HookTree[] {
  return hookMoments.flatMap((moment) => describeHook(scene, moment) ?? []);
}

function describeHook(
  { holder, wishes, pods }: HookScene,
  moment: HookMoment,
): HookTree | undefined {
  const wish = wishes.find((each) => each.moment === moment);
  const { phase, record: kept } = hookAnnotations(moment);
  const { annotations = {} } = holder.metadata;
  const isKept = annotations[phase] !== undefined || annotations[kept] !== undefined;
  const own = pods.filter((pod) => isTryOf(pod, holder, moment));
  if (wish === undefined && !isKept && own.length === 0) return undefined;
  const record = readHookRecord(holder, moment);
  return {
    moment,
    policy: wish?.policy ?? null,
    phase: record.phase ?? null,
    reason: record.phase === 'Succeeded' ? null : (record.reason ?? null),
    ended: record.ended,
    tries: listTries(record, own),
  };
}

function isTryOf({ metadata }: Pod, holder: KubernetesObject, moment: HookMoment): boolean {
  const { labels, namespace } = metadata;
  return (
    namespace === holder.metadata.namespace &&
    workedFor({ metadata }) === holder.metadata.name &&
    labels?.[hookTypeLabel] === hookType(moment)
  );
}

/** What was noted is told of those that have ended; their pods tell of the other ones. */
function listTries(record: HookRecord, pods: readonly Pod[]): HookTryTree[] {
  const known = new Map(pods.map((pod) => [readTryNumber(pod), pod]));
  const ended = (record.tries ?? []).map((each) => describeEnded(each, record, known));
  const noted = new Set(ended.map(({ number }) => number));
  const others = [...known].filter(([number]) => !noted.has(number));
  return [...ended, ...others.map(([number, pod]) => describeTry(number, pod))].sort(
    (a, b) => a.number - b.number,
  );
}

function describeEnded(
  { number, pod, startedAtMs, endedAtMs, exitCode, reason, tail }: EndedTry,
  record: HookRecord,
  known: ReadonlyMap<number, Pod>,
): HookTryTree {
  const hasSucceeded = record.phase === 'Succeeded' && number === record.ended;
  return {
    number,
    pod,
    phase: hasSucceeded ? 'Succeeded' : 'Failed',
    exitCode: exitCode ?? null,
    reason: reason ?? null,
    tail: tail ?? null,
    created: known.get(number)?.metadata.creationTimestamp ?? null,
    startedAt: toTimestamp(startedAtMs),
    endedAt: toTimestamp(endedAtMs),
    gone: !known.has(number),
  };
}

function describeTry(number: number, pod: Pod): HookTryTree {
  const seen = readRunOncePod(pod);
  const { name, state, hasEnded, exitCode, startedAtMs, endedAtMs } = seen;
  const isFailed = hasEnded && state !== 'Succeeded';
  const message = seen.message?.trim();
  return {
    number,
    pod: name,
    phase: isFailed ? 'Failed' : state,
    exitCode: exitCode ?? null,
    reason: explain(seen.reason, hasEnded ? undefined : message, pod, state),
    tail: hasEnded && message !== undefined && message !== '' ? message : null,
    created: pod.metadata.creationTimestamp ?? null,
    startedAt: toTimestamp(startedAtMs),
    endedAt: toTimestamp(endedAtMs),
    gone: false,
  };
}

/** Example: Unschedulable: 0/3 nodes are available */
function explain(
  reason: string | undefined,
  message: string | undefined,
  { metadata }: Pod,
  state: HookTryTree['phase'],
): string | null {
  if (state === 'Succeeded') return null;
  const isEnding = state !== 'Failed' && metadata.deletionTimestamp !== undefined;
  const words = [isEnding ? 'Terminating' : reason, message];
  return words.filter((word) => word !== undefined && word !== '').join(': ') || null;
}

const toTimestamp = (ms: number | undefined): string | null =>
  ms === undefined ? null : new Date(ms).toISOString();

/** Whether it is under way: its tries are worth watching. */
export const isHookUnderWay = ({ phase }: HookTree): boolean =>
  phase !== null && !isHookOver({ phase });
