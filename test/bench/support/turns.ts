import type { EngineName } from '../../../bench/engine-names.js';
import type { IdleTurn, RolloutTurn } from '../../../bench/turn.js';

export const rolloutTurn = (
  engine: EngineName,
  round: number,
  seconds: readonly number[],
  more: Partial<RolloutTurn> = {},
): RolloutTurn => ({
  kind: 'rollout',
  case: '1x100',
  engine,
  round,
  seconds,
  cpuSeconds: { engine: 0.5, cluster: 8 },
  peakBytes: { engine: 100e6 },
  ...more,
});

export const idleTurn = (engine: EngineName, more: Partial<IdleTurn> = {}): IdleTurn => ({
  kind: 'idle',
  case: '300-idle',
  engine,
  round: 1,
  windowSeconds: 15,
  cpuSeconds: { engine: 0.3 },
  peakBytes: { engine: 90e6 },
  ...more,
});
