import { formatCpuSeconds, formatMemory, formatSeconds, totalOf } from './format.js';
import type { Turn } from './turn.js';

/** One line for whoever watches the bench at work. */
export function describeTurn(turn: Turn): string {
  const memory = `peak ${formatMemory(turn.peakBytes)}`;
  if (turn.kind === 'rollout') {
    const events = turn.historyEvents ?? [];
    return [
      turn.seconds.map((seconds) => `${formatSeconds(seconds)} s`).join(', '),
      `CPU ${formatCpuSeconds(turn.cpuSeconds)}`,
      memory,
      ...(events.length > 0
        ? [`${Math.min(...events)}–${Math.max(...events)} history events`]
        : []),
    ].join('; ');
  }
  const { cpuSeconds, windowSeconds, openRuns } = turn;
  return [
    memory,
    ...(cpuSeconds === null
      ? []
      : [`${totalOf(cpuSeconds).toFixed(2)} s of CPU in ${windowSeconds} s`]),
    ...(openRuns === undefined ? [] : [`${openRuns} open runs`]),
  ].join('; ');
}
