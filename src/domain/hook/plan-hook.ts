import { cutTail } from '../shared/cut-tail.js';
import { hookPodName, isHookOver } from '../shared/hook.js';
import { defined } from '../shared/optional.js';
import { describeDelay, describeEnd } from '../shared/run-once-pod.js';
import { keptEnds, listEnds } from './list-ends.js';
import type { HookObservation, HookRecord, HookRefusal, HookTry } from './observation.js';
import type { HookAction, HookPlan, HookRunPhase } from './plan.js';

/** Pods of failed tries that are kept, for whoever wants to read their logs. */
export const keptTries = 3;
const longestBackoffMs = 60_000;

/**
 * The next step of a hook, from what was observed. A hook that has succeeded is over for good; its pods
 * are held until their end is noted, so that no try is ever taken for one that was never made.
 */
export function planHook(seen: HookObservation, refusal?: HookRefusal): HookPlan {
  const { record, tries, isWanted, policy } = seen;
  if (isHookOver(record)) return planRest(seen);
  const latest = tries.at(-1);
  if (latest !== undefined && !latest.pod.isOwn) return planOccupied(seen, latest);
  // Whatever has come in between: noted as anything else, it could be run again.
  const hasSucceeded = latest?.pod.state === 'Succeeded' && latest.number > record.ended;
  if (hasSucceeded) return planEnd(seen, latest);
  // What was told to end for that ends for that, though it may be wanted again by then.
  if (!isWanted || record.isStopping === true) return planStop(seen, latest, stopped, true);
  const isUnderWay = latest !== undefined && latest.number > record.ended;
  if (refusal?.mayPass === true && policy === 'Retry' && !isUnderWay) {
    return planRefusal(seen, refusal.problem);
  }
  const problem = refusal?.problem ?? seen.problem;
  if (problem !== undefined) return planStop(seen, latest, problem);
  if (isUnderWay) return latest.pod.hasEnded ? planEnd(seen, latest) : planWait(seen, latest);
  // One that was seen to be there and was taken away by force has run, as far as anyone can tell.
  const current = hookPodName(seen.deployment, seen.moment, record.ended + 1);
  return record.pod === current ? planFailure(seen, current, 'is gone') : planTry(seen);
}

const stopped = 'its deployment was stopped';

/** A pod of somebody else has the name; one that is on its way out is waited for. */
function planOccupied(seen: HookObservation, { pod }: HookTry): HookPlan {
  const own = { ...seen, tries: seen.tries.filter((each) => each.pod.isOwn) };
  const isGoing = pod.isLeftover === true || pod.isBeingDeleted;
  if (!isGoing)
    return end(own, 'Failed', `pod ${pod.name} is there already and is not of this hook`);
  if (!seen.isWanted) return end(own, 'Failed', stopped, true);
  return wait(
    seen,
    'Pending',
    `waits for pod ${pod.name} to go, which is of another deployment`,
    [],
  );
}

/** All is known; what is left is to let go of what was held, and to keep only the last of it. */
function planRest(seen: HookObservation): HookPlan {
  const { record, tries } = seen;
  const phase = record.phase ?? 'Pending';
  const actions = tidy(seen, Infinity);
  const isBusy = tries.some(({ pod }) => pod.isOwn && (pod.isHeld || !pod.hasEnded));
  return {
    phase,
    summary: describe(
      seen,
      phase === 'Succeeded' ? 'has succeeded' : `has failed: ${record.reason ?? ''}`,
    ),
    ...defined({ tries: record.tries }),
    actions,
    next: isBusy || actions.length > 0 ? { kind: 'wait' } : { kind: 'end' },
  };
}

/** A try that still runs is ended before the hook is. */
function planStop(
  seen: HookObservation,
  latest: HookTry | undefined,
  why: string,
  wasStopped = false,
): HookPlan {
  if (latest === undefined || latest.pod.hasEnded) return end(seen, 'Failed', why, wasStopped);
  const { record } = seen;
  const { name, uid, isBeingDeleted } = latest.pod;
  const isNews = wasStopped && record.isStopping !== true;
  const noted: HookRecord = { ...record, phase: record.phase ?? 'Pending', isStopping: true };
  const actions: HookAction[] = [
    ...(isNews ? [{ kind: 'note', record: noted } as const] : []),
    ...(isBeingDeleted ? [] : [{ kind: 'deletePod', name, uid } as const]),
  ];
  return wait(seen, 'Running', `is ended, because ${why}`, actions);
}

/** The first try at once, each further one after a while. */
function planTry(seen: HookObservation): HookPlan {
  const { record, deployment, moment, observedAtMs } = seen;
  const number = record.ended + 1;
  if (number > 1 && isLate(seen)) {
    return end(seen, 'Failed', `${late(seen)}; its last try ${record.reason ?? 'failed'}`);
  }
  const dueMs = number === 1 ? 0 : (record.endedAtMs ?? 0) + backoffMs(record.ended);
  if (observedAtMs < dueMs) {
    const text = `waits for try ${number}; the last one ${record.reason ?? 'failed'}`;
    return wait(
      seen,
      'Retrying',
      text,
      tidy(seen, record.ended),
      Math.min(dueMs, deadlineMs(seen)),
    );
  }
  const pod = hookPodName(deployment, moment, number);
  // Kept first: a deployment that is stopped meanwhile knows that there may be a pod to wait for.
  const isNews = record.phase === undefined;
  return wait(seen, 'Pending', `is about to run in pod ${pod}`, [
    ...tidy(seen, record.ended),
    ...(isNews ? [{ kind: 'note', record: { ...record, phase: 'Pending' } } as const] : []),
    { kind: 'createTry', number, pod },
    announce('HookStarted', `Started the ${moment} hook of "${deployment}" in pod "${pod}"`),
  ]);
}

/** Example: 1 s after the first failure, then 2 s, 4 s and so on, up to a minute */
const backoffMs = (failures: number): number =>
  Math.min(longestBackoffMs, 1_000 * 2 ** Math.max(0, failures - 1));

function planWait(seen: HookObservation, { pod }: HookTry): HookPlan {
  if (isLate(seen)) return planStop(seen, seen.tries.at(-1), `${late(seen)}${describeDelay(pod)}`);
  const state = pod.state === 'Running' ? 'Running' : 'Pending';
  const { record } = seen;
  const isNoted = record.phase === state && record.pod === pod.name;
  const noted: HookRecord = {
    ...record,
    phase: state,
    pod: pod.name,
    sinceMs: record.sinceMs ?? pod.createdAtMs,
  };
  const text =
    state === 'Running'
      ? `runs in pod ${pod.name}`
      : `waits for pod ${pod.name}${describeDelay(pod)}`;
  return wait(
    seen,
    state,
    text,
    isNoted ? [] : [{ kind: 'note', record: noted }],
    deadlineMs(seen),
  );
}

function planEnd(seen: HookObservation, { pod }: HookTry): HookPlan {
  if (pod.state === 'Succeeded') return end(seen, 'Succeeded');
  return planFailure(seen, pod.name, describeEnd(pod), pod);
}

/** The cluster would not have the pod of a try, which is a failure like any other. */
function planRefusal(seen: HookObservation, problem: string): HookPlan {
  const { record, deployment, moment, observedAtMs } = seen;
  const number = record.ended + 1;
  const pod = hookPodName(deployment, moment, number);
  const ended = { number, pod, endedAtMs: observedAtMs, reason: 'Refused', tail: cutTail(problem) };
  return planFailure(seen, pod, `could not be made: ${problem}`, undefined, [
    ...(record.tries ?? []),
    ended,
  ]);
}

/** The try after the last that has ended has failed. */
function planFailure(
  seen: HookObservation,
  name: string,
  reason: string,
  pod?: HookTry['pod'],
  tries = listEnds(seen, isLate(seen)),
): HookPlan {
  const { policy, moment, deployment, record, observedAtMs } = seen;
  // It may have been deleted because its time was up.
  const isOutOfTime = isLate(seen) && (policy === 'Retry' || pod?.isBeingDeleted === true);
  if (isOutOfTime) return end(seen, 'Failed', `${late(seen)}; its last try ${reason}`);
  if (policy !== 'Retry') return end(seen, 'Failed', `pod ${name} ${reason}`);
  const number = record.ended + 1;
  const noted: HookRecord = {
    ...record,
    phase: 'Pending',
    pod: name,
    sinceMs: record.sinceMs ?? pod?.createdAtMs ?? observedAtMs,
    ended: number,
    endedAtMs: pod?.endedAtMs ?? observedAtMs,
    reason,
    ...defined({ tries: tries?.slice(-keptEnds) }),
  };
  return wait(seen, 'Retrying', `is to be tried again: try ${number} in pod ${name} ${reason}`, [
    { kind: 'note', record: noted },
    announce(
      'HookTryFailed',
      `Try ${number} of the ${moment} hook of "${deployment}" failed: pod "${name}" ${reason}`,
      'Warning',
    ),
  ]);
}

/** Notes the end of the hook; everything else follows from that. */
function end(
  seen: HookObservation,
  phase: 'Succeeded' | 'Failed',
  reason?: string,
  wasStopped = false,
): HookPlan {
  const { record, tries, observedAtMs } = seen;
  const latest = tries.at(-1);
  const { reason: _old, isStopping: _stopping, ...kept } = record;
  const noted: HookRecord = {
    ...kept,
    phase,
    ended: Math.max(record.ended, latest?.number ?? 0),
    endedAtMs: observedAtMs,
    ...defined({
      reason,
      pod: latest?.pod.name ?? record.pod,
      tries: listEnds(seen, isLate(seen)),
    }),
    ...(wasStopped ? { wasStopped } : {}),
  };
  const text = phase === 'Succeeded' ? 'has succeeded' : `has failed: ${reason ?? ''}`;
  const whole = `${text}${describeLast(seen, latest, reason)}`;
  return wait(seen, phase, whole, [
    { kind: 'note', record: noted },
    announceEnd(seen, phase, whole),
  ]);
}

/** How the try ended that was the last, where the reason doesn't say so already. */
function describeLast(
  { record }: HookObservation,
  latest: HookTry | undefined,
  reason = '',
): string {
  if (latest === undefined || latest.number <= record.ended) return '';
  const { pod } = latest;
  if (!pod.isOwn || !pod.hasEnded) return '';
  const how = describeEnd(pod);
  return reason.endsWith(how) ? '' : `; pod ${pod.name} ${how}`;
}

function announceEnd(
  { moment, deployment, policy }: HookObservation,
  phase: 'Succeeded' | 'Failed',
  text: string,
): HookAction {
  const hook = `The ${moment} hook of "${deployment}"`;
  if (phase === 'Succeeded') return announce('HookSucceeded', `${hook} ${text}`);
  const goesOn = policy === 'Continue' ? '; the deployment goes on' : '';
  return announce('HookFailed', `${hook} ${text}${goesOn}`, 'Warning');
}

/** Lets go of tries whose end was noted, ends those that should have, and deletes all but the last few. */
function tidy({ tries }: HookObservation, noted: number): HookAction[] {
  const oldest = (tries.at(-1)?.number ?? 0) - keptTries;
  return tries
    .filter(({ pod, number }) => pod.isOwn && number <= noted)
    .flatMap(({ pod, number }): HookAction[] => {
      const { name, uid, isHeld, hasEnded, isBeingDeleted } = pod;
      const isUnwanted = number <= oldest || !hasEnded;
      return [
        ...(isHeld && hasEnded ? [{ kind: 'releasePod', name, uid } as const] : []),
        ...(isUnwanted && !isBeingDeleted ? [{ kind: 'deletePod', name, uid } as const] : []),
      ];
    });
}

function deadlineMs({ record, tries, deadlineSeconds }: HookObservation): number {
  const first = tries.find(({ number }) => number > record.ended);
  const sinceMs = record.sinceMs ?? first?.pod.createdAtMs ?? Infinity;
  return sinceMs + deadlineSeconds * 1_000;
}

const isLate = (seen: HookObservation): boolean => seen.observedAtMs >= deadlineMs(seen);

const late = ({ deadlineSeconds }: HookObservation): string =>
  `it did not succeed within ${deadlineSeconds} s`;

function wait(
  seen: HookObservation,
  phase: HookRunPhase,
  text: string,
  actions: readonly HookAction[],
  untilMs?: number,
): HookPlan {
  const next = {
    kind: 'wait',
    ...defined({ untilMs: untilMs === Infinity ? undefined : untilMs }),
  } as const;
  const note = actions.find((action) => action.kind === 'note');
  const { tries } = note?.record ?? seen.record;
  return { phase, summary: describe(seen, text), ...defined({ tries }), actions, next };
}

const describe = ({ moment, deployment }: HookObservation, text: string): string =>
  `The ${moment} hook of ${deployment} ${text}.`;

/** Whoever lists events sees one line of each, which has to hold the end of the log too. */
const announce = (
  reason: string,
  note: string,
  type: 'Normal' | 'Warning' = 'Normal',
): HookAction => ({
  kind: 'announce',
  type,
  reason,
  note: note.replaceAll(/\s*\n\s*/g, ' | '),
});
