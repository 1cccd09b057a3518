import type { BenchCase } from './cases.js';
import type { EngineName } from './engine-names.js';

/** One engine at work on one case, alone. */
export interface TurnPlan {
  readonly round: number;
  readonly engine: EngineName;
}

/**
 * The order of turns in a case. Each round has every engine once, so that what slows the machine down
 * for a while is not held against one of them, and begins with another than the one before it.
 */
export function planTurns(
  benchCase: BenchCase,
  engines: readonly EngineName[],
  rounds: number,
): readonly TurnPlan[] {
  // Memory and idle time hardly differ from round to round.
  const count = benchCase.kind === 'idle' ? 1 : rounds;
  return Array.from({ length: count }, (_, index) => {
    const shift = index % engines.length;
    const order = [...engines.slice(shift), ...engines.slice(0, shift)];
    return order.map((engine) => ({ round: index + 1, engine }));
  }).flat();
}
