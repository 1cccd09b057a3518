import {
  hookMoments,
  hookPodName,
  isHookOver,
  type HookMoment,
} from '../../src/domain/shared/hook.js';
import { hookAnnotations, hookTryAnnotation } from '../../src/kubernetes/hooks/annotations.js';
import { readHookRecord } from '../../src/kubernetes/hooks/hook-record.js';
import { runOnceFinalizer } from '../../src/kubernetes/run-once-pods/hold.js';
import type { PastKind, PastObject, PastWrite } from './etcd-history.js';

/** What is left of the pod of one try. */
interface PastPod {
  readonly number: number;
  readonly moment: HookMoment;
  /** All states that it was in. */
  readonly phases: Set<string | undefined>;
  isHeld: boolean;
  isGoing: boolean;
}

/** What was rolled out: a version of a DeploymentConfig, or a ReplicaSet of a Deployment. */
export interface PastRollout {
  readonly kind: PastKind;
  readonly name: string;
  /** Whether a write leaves it past the moment of a hook. */
  isPast(write: PastWrite, moment: HookMoment): boolean;
}

type HookRecord = ReturnType<typeof readHookRecord>;

const none: HookRecord = { ended: 0 };

/**
 * Reads the history of one rollout, write by write, and tells what should never have been: a try that was
 * made twice or too soon, a pod that was let go before its end was noted, a note that was not true when it
 * was made, a rollout that went on before its hook had ended.
 */
export class HookHistory {
  readonly problems: string[] = [];
  private readonly pods = new Map<string, PastPod>();
  private records = new Map<HookMoment, HookRecord>();

  constructor(
    private readonly rollout: PastRollout,
    /** Those that it waits for, each at its moment. */
    private readonly awaited: readonly HookMoment[],
  ) {}

  /** The names of all pods that were ever made for its hooks. */
  get tries(): readonly string[] {
    return [...this.pods.keys()];
  }

  read(writes: readonly PastWrite[]): this {
    for (const write of writes) {
      if (write.kind === 'pods') {
        this.readPod(write);
        continue;
      }
      const { kind, name } = this.rollout;
      if (write.kind === kind && write.name === name && write.object !== undefined) {
        this.readNotes(write.object, write.revision);
      }
      this.judgeCourse(write);
    }
    return this;
  }

  private readPod({ name, object, isCreation, revision }: PastWrite): void {
    const moment = hookMoments.find((each) =>
      name.startsWith(hookPodName(this.rollout.name, each)),
    );
    if (moment === undefined) return;
    const tell = (problem: string): void => {
      this.problems.push(`${revision}: pod ${name} ${problem}`);
    };
    const { ended, phase } = this.recordOf(moment);
    const known = this.pods.get(name);
    if (object === undefined) {
      if (known !== undefined) known.isHeld = false;
      return;
    }
    const number = Number(object.annotations[hookTryAnnotation]);
    const pod = known ?? { number, moment, phases: new Set(), isHeld: true, isGoing: false };
    this.pods.set(name, pod);
    const isHeld = object.finalizers.includes(runOnceFinalizer);
    if (isCreation) {
      if (known !== undefined) tell('was made twice');
      if (name !== hookPodName(this.rollout.name, moment, number))
        tell(`is not that of try ${number}`);
      if (number !== ended + 1) tell(`was made when ${ended} had ended`);
      if (phase === undefined) tell('was made before it was noted to begin');
      else if (isHookOver({ phase })) tell(`was made after it had ${phase}`);
      if (!isHeld) tell('was made without a hold');
    }
    if (pod.isHeld && !isHeld && ended < number) tell('was let go before its end was noted');
    pod.isHeld = isHeld;
    pod.isGoing = object.isBeingDeleted;
    pod.phases.add(object.phase);
  }

  private readNotes(object: PastObject, revision: number): void {
    for (const moment of hookMoments) {
      const { annotations } = object;
      const metadata = { name: this.rollout.name, annotations };
      const now = readHookRecord({ metadata }, moment);
      for (const problem of this.judgeNote(moment, now, this.recordOf(moment))) {
        const { record } = hookAnnotations(moment);
        const { phase = 'no phase', pod = 'no pod' } = now;
        const note = `${moment} ${phase} ${pod} ${annotations[record] ?? ''}`;
        this.problems.push(`${revision}: noted ${note}: ${problem}`);
      }
      this.records.set(moment, now);
    }
  }

  private judgeCourse(write: PastWrite): void {
    for (const moment of this.awaited) {
      const { phase = 'to come' } = this.recordOf(moment);
      if (phase !== 'Succeeded' && this.rollout.isPast(write, moment)) {
        this.problems.push(`${write.revision}: went on while its ${moment} hook was ${phase}`);
      }
    }
  }

  private recordOf(moment: HookMoment): HookRecord {
    return this.records.get(moment) ?? none;
  }

  /** What is not true of a note, in the moment in which it is made. */
  private judgeNote(moment: HookMoment, now: HookRecord, before: HookRecord): readonly string[] {
    const { phase, pod: name = '', ended } = now;
    const isSame = before.phase === phase && before.pod === now.pod && before.ended === ended;
    if (isSame || phase === undefined) return [];
    // That it begins is noted before there is a pod.
    if (now.pod === undefined) {
      const isBeginning =
        phase === 'Pending' && before.phase === undefined && ended === before.ended;
      return isBeginning
        ? []
        : [`it was ${before.phase ?? 'to come'} before, with ${before.ended} tries`];
    }
    const pod = this.pods.get(name);
    if (pod === undefined) return ['there never was such a pod'];
    const last = [...this.pods.values()].filter((each) => each.moment === moment).length;
    const isRetried = ended === before.ended + 1 && phase === 'Pending';
    const isNext = before.pod !== undefined && before.pod !== name;
    const isLater = order.indexOf(phase) >= order.indexOf(before.phase ?? 'Pending');
    const judgements = [
      [pod.number === last, `try ${last} is the latest`],
      [!isHookOver(before), 'it was over before'],
      [isLater || isRetried || isNext, `it was ${before.phase ?? ''} before`],
      [ended === before.ended || ended === before.ended + 1, `${before.ended} had ended before`],
      [!isHookOver(now) || ended === last, `try ${last} has ended, too`],
      [isTrue(phase, pod, isRetried), 'the pod was not'],
    ] as const;
    return judgements.flatMap(([isRight, problem]) => (isRight ? [] : [problem]));
  }
}

const order: readonly string[] = ['Pending', 'Running', 'Failed', 'Succeeded'];

function isTrue(phase: string, pod: PastPod, isRetried: boolean): boolean {
  const hasFailed = pod.phases.has('Failed') || pod.isGoing || !pod.isHeld;
  switch (phase) {
    case 'Succeeded':
      return pod.phases.has('Succeeded');
    case 'Failed':
      return hasFailed && !pod.phases.has('Succeeded');
    case 'Running':
      return pod.phases.has('Running');
    default:
      return isRetried ? hasFailed && !pod.phases.has('Succeeded') : true;
  }
}
