import type { ClusterShares, Shares } from './turn.js';

/** Example: 231 MB, of a million bytes each. */
export const formatBytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

export const totalOf = ({ engine, temporal = 0 }: Shares): number => engine + temporal;

/** Example: 105 MB; of Slipway: 231 MB + Temporal 140 MB. */
export function formatMemory(peak: Shares | null): string {
  if (peak === null) return '–';
  const { engine, temporal } = peak;
  return temporal === undefined
    ? formatBytes(engine)
    : `${formatBytes(engine)} + Temporal ${formatBytes(temporal)}`;
}

/** Three digits that tell something: 1.62, 14.3, 102. */
export const formatSeconds = (seconds: number): string =>
  seconds < 10 ? seconds.toFixed(2) : seconds < 100 ? seconds.toFixed(1) : seconds.toFixed(0);

export const formatRatio = (ratio: number | null): string =>
  ratio === null ? '–' : `${ratio.toFixed(2)}×`;

/** Example: 0.4 + cluster 9.1; of Slipway: 2.1 + Temporal 1.8 + cluster 9.7. */
export function formatCpuSeconds(spent: ClusterShares | null): string {
  if (spent === null) return '–';
  const { engine, temporal, cluster } = spent;
  return [
    engine.toFixed(1),
    ...(temporal === undefined ? [] : [`Temporal ${temporal.toFixed(1)}`]),
    `cluster ${cluster.toFixed(1)}`,
  ].join(' + ');
}
