import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';

import { Client, Connection } from '@temporalio/client';
import {
  bundleWorkflowCode,
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
} from '@temporalio/worker';

import type { Examined, RollbackActivities, RollbackInput } from '../../src/contracts/rollback.js';
import { clusterTaskQueue } from '../../src/contracts/task-queues.js';
import { rollbackWorkflowId, workflowTypes } from '../../src/contracts/workflow-ids.js';
import type { ConfigReport } from '../../src/domain/rollback/report.js';

/** A call of an activity, and what it was asked. */
export interface Call {
  readonly activity: string;
  readonly asked: object;
}

/** What the world answers; what is not there is not expected to be asked. */
export type Script = Partial<RollbackActivities>;

const namespace = 'shop';
const workflowsPath = fileURLToPath(new URL('../../src/workflows/index.ts', import.meta.url));

/**
 * Runs the workflow `rollback` on a real Temporal, in a world of which a test says what it answers, so that what
 * comes between two steps is no matter of luck.
 */
export class ScriptedRollback {
  private constructor(
    private readonly connection: Connection,
    private readonly native: NativeConnection,
    private readonly workflowBundle: { readonly code: string },
  ) {}

  static async open(address: string): Promise<ScriptedRollback> {
    const logger = new DefaultLogger('ERROR');
    Runtime.install({ logger });
    return new ScriptedRollback(
      await Connection.connect({ address }),
      await NativeConnection.connect({ address }),
      await bundleWorkflowCode({ workflowsPath, logger }),
    );
  }

  async close(): Promise<void> {
    await this.native.close();
    await this.connection.close();
  }

  /** Resolves to how the run ended, as a value or as an error, and to what it has asked for. */
  async run(
    script: Script,
    { wish = {}, ...options }: { readonly wish?: object } & Partial<RollbackInput> = {},
  ): Promise<{ readonly end: unknown; readonly calls: readonly Call[] }> {
    const cluster = `scripted-${randomBytes(4).toString('hex')}`;
    const calls: Call[] = [];
    const { native: connection, workflowBundle } = this;
    const activities = Object.fromEntries(
      Object.entries(script).map(([activity, answer]) => [
        activity,
        (asked: object) => {
          calls.push({ activity, asked });
          return (answer as (given: object) => unknown)(asked);
        },
      ]),
    );
    const workers = [
      await Worker.create({ connection, workflowBundle, taskQueue: cluster, activities }),
      await Worker.create({ connection, taskQueue: clusterTaskQueue(cluster), activities }),
    ];
    const running = workers.map((worker) => worker.run());
    try {
      const end: unknown = await new Client({ connection: this.connection }).workflow
        .execute(workflowTypes.rollback, {
          workflowId: rollbackWorkflowId({ cluster, namespace }, ['web'], options.dryRun),
          taskQueue: cluster,
          args: [{ cluster, namespace, members: [{ name: 'web', wish }], ...options }],
        })
        .catch((error: unknown) => error);
      return { end, calls };
    } finally {
      for (const worker of workers) worker.shutdown();
      await Promise.all(running);
    }
  }
}

/** What a look at web has seen. */
export const examined = (web: Partial<ConfigReport> = {}): Examined => ({
  kind: 'examined',
  report: {
    configs: [{ name: 'web', from: 2, to: 1, changes: [], problems: [], warnings: [], ...web }],
  },
});
