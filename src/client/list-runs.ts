import type { TemporalOptions } from './connect-temporal.js';

/** One run of an object's workflow, as Temporal keeps it. */
export interface Run {
  readonly runId: string;
  readonly started: string;
  readonly ended: string | null;
  /** Temporal's word for it: Running, Completed, Failed, Cancelled, Terminated, … */
  readonly status: string;
  /** Ours: Complete, Paused, …; null when the run didn't say. */
  readonly phase: string | null;
  readonly revision: number | null;
}

/** Older runs are in Temporal's UI. */
const runsShown = 20;
const answerWithinMs = 5_000;

/** The newest runs of some workflows, newest first. */
export async function listRuns(
  options: TemporalOptions,
  workflowIds: readonly string[],
): Promise<Run[]> {
  // Loading Temporal's client takes most of a second, so only a command that needs it does.
  const [{ Client }, { connectTemporal }, { searchAttributes }] = await Promise.all([
    import('@temporalio/client'),
    import('./connect-temporal.js'),
    import('../contracts/search-attributes.js'),
  ]);
  const { connection, namespace } = await connectTemporal(options);
  try {
    const client = new Client({ connection, namespace });
    return await connection.withDeadline(Date.now() + answerWithinMs, async () => {
      const runs: Run[] = [];
      const ids = workflowIds.map((id) => `'${id.replaceAll("'", "''")}'`).join(', ');
      const query = `WorkflowId IN (${ids})`;
      for await (const run of client.workflow.list({ query, pageSize: runsShown })) {
        runs.push({
          runId: run.runId,
          started: run.startTime.toISOString(),
          ended: run.closeTime?.toISOString() ?? null,
          status: run.status.name.toLowerCase(),
          phase: run.typedSearchAttributes.get(searchAttributes.phase) ?? null,
          revision: run.typedSearchAttributes.get(searchAttributes.revision) ?? null,
        });
        if (runs.length >= runsShown) break;
      }
      return runs;
    });
  } finally {
    await connection.close();
  }
}
