import { hookPodName } from '../shared/hook.js';
import { cutTail } from '../shared/cut-tail.js';
import { defined } from '../shared/optional.js';
import type { EndedTry, HookObservation, HookTry } from './observation.js';

/** Of tries that have ended, so many are remembered. */
export const keptEnds = 5;

/**
 * The tries that have ended, with the one whose end is not noted yet; undefined while there is none. One that
 * is tried again under the same number takes the place of the old one.
 */
export function listEnds(seen: HookObservation, isLate: boolean): readonly EndedTry[] | undefined {
  const { tries: known } = seen.record;
  const ended = findEnd(seen, isLate);
  if (ended === undefined) return known;
  return [...(known ?? []).filter(({ number }) => number !== ended.number), ended].slice(-keptEnds);
}

function findEnd(seen: HookObservation, isLate: boolean): EndedTry | undefined {
  const { record, tries, deployment, moment, observedAtMs } = seen;
  const number = record.ended + 1;
  const latest = tries.findLast((each) => each.number >= number && each.pod.isOwn);
  if (latest !== undefined) {
    return latest.pod.hasEnded ? toEnded(latest, observedAtMs, isLate) : undefined;
  }
  // It was there, and was taken away by force.
  const pod = hookPodName(deployment, moment, number);
  return record.pod === pod ? { number, pod, endedAtMs: observedAtMs, reason: 'Gone' } : undefined;
}

function toEnded({ number, pod }: HookTry, observedAtMs: number, isLate: boolean): EndedTry {
  const tail = cutTail(pod.message ?? '');
  return {
    number,
    pod: pod.name,
    endedAtMs: pod.endedAtMs ?? observedAtMs,
    ...defined({
      startedAtMs: pod.startedAtMs,
      exitCode: pod.exitCode,
      reason: explain(pod, isLate),
      tail: tail === '' ? undefined : tail,
    }),
  };
}

/** What kept it from running says most; then that it was ended, because its time was up or otherwise. */
function explain(
  { state, reason, isBeingDeleted }: HookTry['pod'],
  isLate: boolean,
): string | undefined {
  if (state === 'Succeeded') return undefined;
  if (!isBeingDeleted || (state === 'Pending' && reason !== undefined)) return reason;
  return isLate ? 'DeadlineExceeded' : (reason ?? 'Deleted');
}
