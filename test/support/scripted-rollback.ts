import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';

import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import {
  bundleWorkflowCode,
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
} from '@temporalio/worker';

import type { VersionActivities } from '../../src/contracts/deployment-config.js';
import type { Examined, RollbackActivities, RollbackInput } from '../../src/contracts/rollback.js';
import { clusterTaskQueue, watchTaskQueue } from '../../src/contracts/task-queues.js';
import {
  rollbackWorkflowId,
  versionWorkflowId,
  workflowTypes,
} from '../../src/contracts/workflow-ids.js';
import type { ConfigReport } from '../../src/domain/rollback/report.js';

/** A call of an activity, and what it was asked. */
export interface Call {
  readonly activity: string;
  readonly asked: object;
}

type Activities = RollbackActivities & VersionActivities;

/** What the world answers; what is not there is not expected to be asked. */
export type Script = {
  readonly [Name in keyof Activities]?: (
    asked: Parameters<Activities[Name]>[0],
    run: WorkflowHandle,
  ) => ReturnType<Activities[Name]>;
};

/** Resolves to how the run ended, as a value or as an error, and to what it has asked for. */
type Outcome = Promise<{ readonly end: unknown; readonly calls: readonly Call[] }>;

interface Start {
  readonly type: string;
  readonly workflowId: string;
  readonly input: object;
}

const namespace = 'shop';
const workflowsPath = fileURLToPath(new URL('../../src/workflows/index.ts', import.meta.url));

/**
 * Runs the workflows that go back on a real Temporal, in a world of which a test says what it answers, so that what
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

  /** Takes web back. */
  rollBack(
    script: Script,
    { wish = {}, ...options }: { readonly wish?: object } & Partial<RollbackInput> = {},
  ): Outcome {
    return this.run(script, (cluster) => ({
      type: workflowTypes.rollback,
      workflowId: rollbackWorkflowId({ cluster, namespace }, ['web'], options.dryRun),
      input: { cluster, namespace, members: [{ name: 'web', wish }], ...options },
    }));
  }

  /** The same by the run of its next version. */
  makeVersion(script: Script, version: number, rollback: object): Outcome {
    return this.run(script, (cluster) => {
      const ref = { cluster, namespace, name: 'web', version };
      return {
        type: workflowTypes.deploymentConfig,
        workflowId: versionWorkflowId(ref, version),
        input: { ...ref, rollback },
      };
    });
  }

  private async run(script: Script, plan: (cluster: string) => Start): Outcome {
    const cluster = `scripted-${randomBytes(4).toString('hex')}`;
    const { type, workflowId, input } = plan(cluster);
    const { workflow } = new Client({ connection: this.connection });
    const handle = workflow.getHandle(workflowId);
    const calls: Call[] = [];
    const { native: connection, workflowBundle } = this;
    const activities = Object.fromEntries(
      Object.entries(script).map(([activity, answer]) => [
        activity,
        (asked: object) => {
          calls.push({ activity, asked });
          return (answer as (given: object, run: WorkflowHandle) => unknown)(asked, handle);
        },
      ]),
    );
    const queues = [clusterTaskQueue(cluster), watchTaskQueue(cluster)];
    const workers = await Promise.all([
      Worker.create({ connection, workflowBundle, taskQueue: cluster, activities }),
      ...queues.map((taskQueue) => Worker.create({ connection, taskQueue, activities })),
    ]);
    const running = workers.map((worker) => worker.run());
    try {
      const end: unknown = await workflow
        .execute(type, { workflowId, taskQueue: cluster, args: [input] })
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
