import { describeOvertaken } from './describe-overtaken.js';
import type { RollbackReport } from './report.js';

export interface Overtaken {
  readonly name: string;
  readonly why: string;
}

/**
 * The first config that has come to another version between two looks, if any has. What it has now is not what
 * somebody wanted to go back from. One that has none any more is a problem of its own.
 */
export function findOvertaken(before: RollbackReport, now: RollbackReport): Overtaken | undefined {
  for (const { name, from } of now.configs) {
    const examined = before.configs.find((config) => config.name === name);
    if (from !== 0 && examined !== undefined && examined.from !== from) {
      return { name, why: describeOvertaken(name, from, examined.from) };
    }
  }
  return undefined;
}
