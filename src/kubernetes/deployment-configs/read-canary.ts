import {
  noCanaryNotes,
  winners,
  type Approval,
  type CanaryNotes,
  type CanaryStage,
  type MetricNotes,
  type MetricRule,
} from '../../domain/deployment-config/canary-strategy.js';
import { defined } from '../../domain/shared/optional.js';
import { readTime } from '../read-time.js';
import { configAnnotations } from './annotations.js';
import type { CanaryMetric, CanaryParams, CanaryStep, ReplicationController } from './objects.js';

const usualIntervalSeconds = 10;

/** The steps, and the comparison after them where both sides are to stay. */
export function readCanaryStages(params: CanaryParams | null | undefined): readonly CanaryStage[] {
  const { steps, ab } = params ?? {};
  const stages = (steps ?? []).map(readStage);
  if (ab === undefined || ab === null) return stages;
  return [...stages, { ...readStage({ percent: ab.share }), isComparison: true }];
}

function readStage({ percent, count, pause, approve, metrics }: CanaryStep): CanaryStage {
  return {
    size: count ?? `${percent ?? 100}%`,
    pauseSeconds: pause?.seconds ?? 0,
    needsApproval: approve === true,
    isComparison: false,
    metrics: (metrics ?? []).map(readMetric),
  };
}

export function readMetric({ name, min, max, intervalSeconds, count }: CanaryMetric): MetricRule {
  return {
    name,
    intervalSeconds: intervalSeconds ?? usualIntervalSeconds,
    count: count ?? 1,
    ...defined({ min: min ?? undefined, max: max ?? undefined }),
  };
}

/** What a version remembers of its steps; what can't be read is as if it were not there. */
export function readCanaryNotes({
  metadata,
}: Pick<ReplicationController, 'metadata'>): CanaryNotes {
  const written = metadata.annotations ?? {};
  const approval = readApproval(written[configAnnotations.approval]);
  return {
    step: readCount(written[configAnnotations.canaryStep]) ?? noCanaryNotes.step,
    metrics: readMetricNotes(written[configAnnotations.canaryMetrics]),
    ...defined({
      reachedAtMs: readTime(written[configAnnotations.canaryReachedAt]),
      waitedMs: readCount(written[configAnnotations.canaryWaited]),
      ...(typeof approval === 'string' ? { approvalProblem: approval } : { approval }),
    }),
  };
}

/** The annotations that say it; null takes one away. */
export function canaryAnnotations(
  from: number,
  { step, reachedAtMs, waitedMs }: Pick<CanaryNotes, 'step' | 'reachedAtMs' | 'waitedMs'>,
): Readonly<Record<string, string | null>> {
  return {
    [configAnnotations.canaryStep]: String(step),
    [configAnnotations.canaryReachedAt]:
      reachedAtMs === undefined ? null : new Date(reachedAtMs).toISOString(),
    [configAnnotations.canaryWaited]: waitedMs === undefined ? null : String(Math.round(waitedMs)),
    ...(step === from ? {} : { [configAnnotations.canaryMetrics]: null }),
  };
}

export const writeMetricNotes = (
  metrics: CanaryNotes['metrics'],
): Readonly<Record<string, string>> => ({
  [configAnnotations.canaryMetrics]: JSON.stringify(
    Object.fromEntries(
      [...metrics].map(([name, { atMs, ...rest }]) => [
        name,
        { ...rest, at: new Date(atMs).toISOString() },
      ]),
    ),
  ),
});

export const writeApproval = (approval: Approval): Readonly<Record<string, string>> => ({
  [configAnnotations.approval]: JSON.stringify(approval),
});

/** Undefined when there is none, and a text when what is there is none. */
function readApproval(text: string | undefined): Approval | string | undefined {
  if (text === undefined) return undefined;
  const wrong = `the annotation ${configAnnotations.approval} is not of the form {"step": 0}`;
  const { step, by, reason, winner } = parseObject(text) ?? {};
  if (typeof step !== 'number' || !Number.isSafeInteger(step) || step < 0) return wrong;
  const known = winners.find((side) => side === winner);
  if (winner !== undefined && known === undefined) {
    return `the winner in the annotation ${configAnnotations.approval} is neither new nor old`;
  }
  return {
    step,
    ...(typeof by === 'string' ? { by } : {}),
    ...(typeof reason === 'string' ? { reason } : {}),
    ...defined({ winner: known }),
  };
}

function readMetricNotes(text: string | undefined): ReadonlyMap<string, MetricNotes> {
  const written = Object.entries(parseObject(text ?? '{}') ?? {});
  return new Map(
    written.flatMap(([name, value]): (readonly [string, MetricNotes])[] => {
      const notes = readOneMetric(value);
      return notes === undefined ? [] : [[name, notes]];
    }),
  );
}

function readOneMetric(written: unknown): MetricNotes | undefined {
  if (typeof written !== 'object' || written === null) return undefined;
  const { passed, value, at, troubles, problem } = written as Readonly<Record<string, unknown>>;
  const atMs = readTime(typeof at === 'string' ? at : undefined);
  if (typeof passed !== 'number' || atMs === undefined) return undefined;
  return {
    passed,
    atMs,
    troubles: typeof troubles === 'number' ? troubles : 0,
    ...(typeof value === 'number' ? { value } : {}),
    ...(typeof problem === 'string' ? { problem } : {}),
  };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}

function readCount(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
