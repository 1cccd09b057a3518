import { noteAnswer } from '../../domain/deployment-config/canary-metrics.js';
import type { MetricNotes } from '../../domain/deployment-config/canary-strategy.js';
import { decodeConfig } from '../../kubernetes/deployment-configs/build-controller.js';
import type { ReplicationController } from '../../kubernetes/deployment-configs/objects.js';
import {
  readCanaryNotes,
  readMetric,
  writeMetricNotes,
} from '../../kubernetes/deployment-configs/read-canary.js';
import { queryPrometheus } from '../../metrics/query-prometheus.js';

/**
 * Measures metrics of the step that a version is at, side by side, and gives the annotations that tell
 * what came of it. Where to ask is in the version's snapshot: a history need not know addresses.
 */
export async function measureMetrics(
  version: ReplicationController | undefined,
  names: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  if (version === undefined) return {};
  const notes = readCanaryNotes(version);
  const step = decodeConfig(version)?.spec.strategy?.canaryParams?.steps?.[notes.step];
  const metrics = (step?.metrics ?? []).filter(({ name }) => names.includes(name));
  const measured = await Promise.all(
    metrics.map(async (metric): Promise<readonly [string, MetricNotes]> => {
      const answer = await queryPrometheus(metric);
      const before = notes.metrics.get(metric.name);
      return [metric.name, noteAnswer(readMetric(metric), before, answer, Date.now())];
    }),
  );
  return writeMetricNotes(new Map([...notes.metrics, ...measured]));
}
