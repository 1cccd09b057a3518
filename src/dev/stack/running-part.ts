import { isSameProcess } from '../process-identity.js';
import type { PartName } from './parts.js';
import type { PartRecord, StackState } from './state.js';

/** The record of a part whose process is alive; undefined when it has ended or never started. */
export function runningPart(state: StackState, name: PartName): PartRecord | undefined {
  const record = state.parts[name];
  return record !== undefined && isSameProcess(record.pid, record.identity) ? record : undefined;
}
