import { hookPodName, type HookMoment } from '../../src/domain/shared/hook.js';
import { hookAnnotations } from '../../src/kubernetes/hooks/annotations.js';
import type { Write } from './apiserver-proxy.js';
import { isPatchOf, type AwaitedMoment, type HookedRollout } from './hooked-rollout.js';

/** Tells a write of one rollout. */
type WriteOf = (write: Write, rollout: HookedRollout) => boolean;

/** Where a rollout is when something dies. */
export type Point =
  /** A write of it never arrives, or arrives and its answer never does. */
  | {
      readonly kind: 'write';
      readonly isWrite: WriteOf;
      readonly isThrough: boolean;
      /** Whether it is waited for in vain; else its connection is cut. */
      readonly isHeld: boolean;
    }
  /** All is noted: the hook's pod runs, and its end is waited for. */
  | { readonly kind: 'running'; readonly moment: HookMoment };

/** What can become of a hook's pods, as soon as they run. */
export interface HookPlayer {
  end(moment: HookMoment, code: number, number?: number): Promise<void>;
  /** Deletes the first one as `kubectl delete --force` does. */
  force(moment: HookMoment, phase?: string): Promise<void>;
  /** And takes away what holds it. */
  takeAway(moment: HookMoment): Promise<void>;
}

type Play = (player: HookPlayer) => Promise<void>;

export interface CrashCase {
  readonly name: string;
  /** Which hooks it has, and what becomes of them when they fail. */
  readonly policies: Readonly<Partial<Record<HookMoment, 'Abort' | 'Retry'>>>;
  readonly podAnnotations?: Readonly<Record<string, string>>;
  readonly point: Point;
  /** Whether it is about a second rollout, and what that does to a first one that serves. */
  readonly isSecond?: boolean;
  /** Whether it goes back to what was there first and has run its hooks before; of a Deployment only. */
  readonly isReturn?: boolean;
  /** What becomes of the pods before it comes to that point. */
  readonly before?: Play;
  /** What becomes of those that are there, while something is down if that can be. */
  readonly meanwhile?: Play;
  /** What becomes of those that are made when everything is up again. */
  readonly afterwards?: Play;
  readonly end: 'Complete' | 'Failed';
  /** How its hooks end, and in how many tries. */
  readonly hooks: Readonly<
    Partial<Record<HookMoment, { readonly phase: 'Succeeded' | 'Failed'; readonly tries: number }>>
  >;
  /** What the history may say of it, because somebody has made it so. */
  readonly allows?: RegExp;
}

const makesKeeper: WriteOf = ({ method, resource, name }, rollout) =>
  method === 'POST' && resource === rollout.type.plural && name === rollout.name;

const makesPod =
  (moment: HookMoment, number = 1): WriteOf =>
  ({ method, resource, name }, rollout) =>
    method === 'POST' && resource === 'pods' && name === hookPodName(rollout.name, moment, number);

const letsGo =
  (moment: HookMoment, number = 1): WriteOf =>
  ({ method, resource, name }, rollout) =>
    method === 'PATCH' && resource === 'pods' && name === hookPodName(rollout.name, moment, number);

const notes =
  (moment: HookMoment, phase: string, ended?: number): WriteOf =>
  (write, rollout) => {
    if (!isPatchOf(write, rollout)) return false;
    const { metadata } = write.body as { metadata?: { annotations?: Record<string, string> } };
    const names = hookAnnotations(moment);
    const record = JSON.parse(metadata?.annotations?.[names.record] ?? '{}') as { ended?: number };
    return (
      metadata?.annotations?.[names.phase] === phase &&
      metadata.annotations[names.pod] !== undefined &&
      (ended === undefined || record.ended === ended)
    );
  };

/** Notes that it begins, before it has a pod. */
const begins =
  (moment: HookMoment): WriteOf =>
  (write, rollout) => {
    if (!isPatchOf(write, rollout)) return false;
    const { metadata } = write.body as { metadata?: { annotations?: Record<string, string> } };
    const names = hookAnnotations(moment);
    const { [names.phase]: phase, [names.pod]: pod } = metadata?.annotations ?? {};
    return phase === 'Pending' && pod === undefined;
  };

/** Has the hooks of an earlier rollout run once more. */
const renews =
  (moment: HookMoment): WriteOf =>
  (write, rollout) => {
    if (!isPatchOf(write, rollout)) return false;
    const { metadata } = write.body as {
      metadata?: { annotations?: Record<string, string | null> };
    };
    return metadata?.annotations?.[hookAnnotations(moment).phase] === null;
  };

const goesOn =
  (moment: AwaitedMoment): WriteOf =>
  (write, rollout) =>
    rollout.goesOn(write, moment);

const givesUp: WriteOf = (write, rollout) => rollout.givesUp(write);

/** The worker has a limited number of connections, so few writes can be waited for in vain. */
const lost = (isWrite: WriteOf, isHeld = false): Point => ({
  kind: 'write',
  isWrite,
  isThrough: false,
  isHeld,
});
const unheard = (isWrite: WriteOf, isHeld = false): Point => ({
  kind: 'write',
  isWrite,
  isThrough: true,
  isHeld,
});

const ends =
  (moment: HookMoment, code: number, number = 1): Play =>
  (player) =>
    player.end(moment, code, number);

const once = { phase: 'Succeeded', tries: 1 } as const;

const succeeding = (moment: AwaitedMoment, name: string, point: Point): CrashCase => ({
  name: `${moment}-${name}`,
  policies: { [moment]: 'Abort' },
  point,
  end: 'Complete',
  hooks: { [moment]: once },
});

/** Its pod ends only afterwards. */
const first = (moment: AwaitedMoment, name: string, point: Point): CrashCase => ({
  ...succeeding(moment, name, point),
  afterwards: ends(moment, 0),
});

/** Its pod ends meanwhile. */
const early = (moment: AwaitedMoment, name: string, point: Point): CrashCase => ({
  ...succeeding(moment, name, point),
  meanwhile: ends(moment, 0),
});

/** Its pod has ended before. */
const late = (moment: AwaitedMoment, name: string, point: Point): CrashCase => ({
  ...succeeding(moment, name, point),
  before: ends(moment, 0),
});

/** Its pod takes a while to start, so that this is noted as well. */
const slowly = (crash: CrashCase): CrashCase => ({
  ...crash,
  podAnnotations: { 'kwok.slipway.dev/ready-after': '6s' },
});

const successes: readonly CrashCase[] = [
  first('pre', 'made-unheard', unheard(makesKeeper)),
  first('pre', 'begin-lost', lost(begins('pre'))),
  first('pre', 'begin-unheard', unheard(begins('pre'))),
  first('pre', 'pod-lost', lost(makesPod('pre'), true)),
  early('pre', 'pod-unheard', unheard(makesPod('pre'), true)),
  early('pre', 'pod-cut', unheard(makesPod('pre'))),
  slowly(early('pre', 'pending-lost', lost(notes('pre', 'Pending')))),
  slowly(early('pre', 'pending-unheard', unheard(notes('pre', 'Pending')))),
  early('pre', 'running-lost', lost(notes('pre', 'Running'))),
  early('pre', 'running-unheard', unheard(notes('pre', 'Running'))),
  early('pre', 'ends-meanwhile', { kind: 'running', moment: 'pre' }),
  late('pre', 'success-lost', lost(notes('pre', 'Succeeded'), true)),
  late('pre', 'success-unheard', unheard(notes('pre', 'Succeeded'), true)),
  late('pre', 'let-go-lost', lost(letsGo('pre'))),
  late('pre', 'let-go-unheard', unheard(letsGo('pre'))),
  late('pre', 'on-lost', lost(goesOn('pre'))),
  late('pre', 'on-unheard', unheard(goesOn('pre'))),
  ...(['mid', 'post'] as const).flatMap((moment) => [
    early(moment, 'pod-unheard', unheard(makesPod(moment))),
    early(moment, 'ends-meanwhile', { kind: 'running', moment }),
    late(moment, 'success-lost', lost(notes(moment, 'Succeeded'))),
    late(moment, 'success-unheard', unheard(notes(moment, 'Succeeded'), true)),
    late(moment, 'on-lost', lost(goesOn(moment))),
  ]),
  first('pre', 'runs-on', { kind: 'running', moment: 'pre' }),
];

/** The second try is to succeed. */
const retried = (name: string, point: Point): CrashCase => ({
  name: `retry-${name}`,
  policies: { pre: 'Retry' },
  point,
  afterwards: ends('pre', 0, 2),
  end: 'Complete',
  hooks: { pre: { phase: 'Succeeded', tries: 2 } },
});

/** The first one has failed before. */
const failed = (name: string, point: Point): CrashCase => ({
  ...retried(name, point),
  before: ends('pre', 1),
});

const retries: readonly CrashCase[] = [
  failed('failure-lost', lost(notes('pre', 'Pending', 1))),
  failed('failure-unheard', unheard(notes('pre', 'Pending', 1))),
  failed('backoff-lost', lost(letsGo('pre'))),
  failed('backoff-unheard', unheard(letsGo('pre'))),
  failed('second-lost', lost(makesPod('pre', 2))),
  failed('second-unheard', unheard(makesPod('pre', 2))),
  {
    ...failed('third', unheard(makesPod('pre', 2))),
    meanwhile: ends('pre', 1, 2),
    afterwards: ends('pre', 0, 3),
    hooks: { pre: { phase: 'Succeeded', tries: 3 } },
  },
];

const failure = { end: 'Failed', hooks: { pre: { phase: 'Failed', tries: 1 } } } as const;

const failures: readonly CrashCase[] = [
  {
    ...early('pre', 'fails-meanwhile', { kind: 'running', moment: 'pre' }),
    isSecond: true,
    meanwhile: ends('pre', 1),
    ...failure,
  },
  ...(
    [
      ['failure-lost', lost(notes('pre', 'Failed'))],
      ['failure-unheard', unheard(notes('pre', 'Failed'))],
      ['given-up-lost', lost(givesUp)],
      ['given-up-unheard', unheard(givesUp)],
    ] as const
  ).map(([name, point]) => ({ ...late('pre', name, point), before: ends('pre', 1), ...failure })),
];

const running = { kind: 'running', moment: 'pre' } as const;
const force: Play = (player) => player.force('pre');

const deletions: readonly CrashCase[] = [
  { ...early('pre', 'forced', running), meanwhile: force, ...failure },
  { ...retried('forced', running), meanwhile: force },
  { ...retried('forced-unheard', unheard(makesPod('pre'))), meanwhile: force },
  {
    ...retried('gone', running),
    meanwhile: (player) => player.takeAway('pre'),
    allows: /let go before its end was noted/,
  },
  {
    ...late('pre', 'forced-success', lost(notes('pre', 'Succeeded'))),
    meanwhile: (player) => player.force('pre', 'Succeeded'),
  },
];

/** The rollout fails with its pre hook, and then there is something to revert. */
const reverted = (name: string, point: Point): CrashCase => ({
  name: `abort-${name}`,
  policies: { pre: 'Abort', abort: 'Retry' },
  point,
  before: ends('pre', 1),
  end: 'Failed',
  hooks: { pre: { phase: 'Failed', tries: 1 }, abort: once },
});

const lateRevert: Play = async (player) => {
  await player.end('pre', 1);
  await player.end('abort', 0);
};

const reverts: readonly CrashCase[] = [
  { ...reverted('pod-lost', lost(makesPod('abort'))), afterwards: ends('abort', 0) },
  { ...reverted('pod-unheard', unheard(makesPod('abort'))), meanwhile: ends('abort', 0) },
  {
    ...reverted('ends-meanwhile', { kind: 'running', moment: 'abort' }),
    meanwhile: ends('abort', 0),
  },
  { ...reverted('success-lost', lost(notes('abort', 'Succeeded'))), before: lateRevert },
  { ...reverted('success-unheard', unheard(notes('abort', 'Succeeded'))), before: lateRevert },
];

/** Rollouts that are interrupted each at another point. */
export const crashCases: readonly CrashCase[] = [
  ...successes,
  ...retries,
  ...failures,
  ...deletions,
  ...reverts,
];

const returned = (name: string, point: Point): CrashCase => ({
  name: `back-${name}`,
  policies: { pre: 'Abort' },
  point,
  isReturn: true,
  afterwards: ends('pre', 0, 2),
  end: 'Complete',
  hooks: { pre: { phase: 'Succeeded', tries: 2 } },
});

const returns: readonly CrashCase[] = [
  returned('renewal-lost', lost(renews('pre'), true)),
  returned('renewal-unheard', unheard(renews('pre'))),
];

/** The most telling ones, as far as they are common to all. */
const telling: readonly CrashCase[] = [
  'pre-made-unheard',
  'pre-begin-unheard',
  'pre-pod-lost',
  'pre-pod-cut',
  'pre-ends-meanwhile',
  'pre-success-lost',
  'pre-success-unheard',
  'pre-on-lost',
  'mid-pod-unheard',
  'mid-on-lost',
  'post-ends-meanwhile',
  'post-success-lost',
  'post-on-lost',
  'retry-failure-lost',
  'retry-second-unheard',
  'pre-given-up-lost',
  'abort-pod-unheard',
  'abort-success-lost',
].map((name) => {
  const found = crashCases.find((crash) => crash.name === name);
  if (found === undefined) throw new Error(`there is no case ${name}`);
  return found;
});

/** Rollouts of Deployments, each of which replaces what serves. */
export const replacingCases: readonly CrashCase[] = [
  ...telling.map((crash) => ({ ...crash, isSecond: true })),
  ...returns,
];
