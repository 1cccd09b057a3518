import { cutTail } from './cut-tail.js';

/** A pod that does one thing once and ends: a deployer, or a hook. */
export interface RunOncePod {
  readonly name: string;
  readonly uid: string;
  /** One of that name that somebody else has made is none of ours. */
  readonly isOwn: boolean;
  /** It is of an earlier owner of the same name, which is gone: the cluster takes it away. */
  readonly isLeftover?: boolean;
  readonly state: 'Pending' | 'Running' | 'Succeeded' | 'Failed';
  readonly createdAtMs: number;
  readonly startedAtMs?: number;
  readonly endedAtMs?: number;
  readonly isBeingDeleted: boolean;
  /** Nothing of it runs any more, whatever its state says. */
  readonly hasEnded: boolean;
  /** Whether it stays, once deleted, until its end has been noted. */
  readonly isHeld: boolean;
  readonly exitCode?: number;
  /** Such as Error, DeadlineExceeded or ImagePullBackOff. */
  readonly reason?: string;
  /** The end of its log, or what keeps it from running. */
  readonly message?: string;
}

/** How a pod that has ended ended, as the rest of a sentence that begins with its name. */
export function describeEnd(pod: RunOncePod): string {
  const { exitCode, state, isBeingDeleted } = pod;
  const tail = cutTail(pod.message ?? '');
  const words = tail === '' ? '' : `: ${tail}`;
  const code = exitCode === undefined ? '' : ` with exit code ${exitCode}`;
  if (state === 'Succeeded') return `succeeded${code}${words}`;
  if (isBeingDeleted && (exitCode ?? 0) === 0) {
    return state === 'Pending'
      ? `was deleted before it ran${describeDelay(pod)}`
      : 'was deleted while it ran';
  }
  // A node's word for every exit code but 0 tells nothing more than the code.
  const isTelling = pod.reason !== undefined && !(code !== '' && pod.reason === 'Error');
  return `failed${code}${isTelling ? ` (${pod.reason})` : ''}${words}`;
}

/** What keeps a pod from starting, as far as it says; otherwise nothing. */
export function describeDelay({ reason, message }: RunOncePod): string {
  const why = [reason, message].filter((text) => text !== undefined && text !== '').join(': ');
  return why === '' ? '' : ` (${why})`;
}
