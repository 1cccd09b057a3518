import type { ServerProcess } from '../../test/support/server-process.js';
import type { EngineName } from '../engine-names.js';
import type { RunRecords } from '../run-records.js';
import type { WorkloadKind } from '../workloads.js';

/** Something that rolls workloads out, and that runs in its own turns only. */
export interface Engine {
  readonly name: EngineName;
  readonly workload: WorkloadKind;
  start(signal: AbortSignal): Promise<ServerProcess>;
  /** The Temporal server beside it, and what that remembers of its runs. */
  readonly temporal?: { readonly pid: number; readonly records: RunRecords };
}
