import { ApplicationFailure, WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';

import type { RollbackInput, RollbackOutcome } from '../../src/contracts/rollback.js';
import { taskQueue } from '../../src/contracts/task-queues.js';
import { rollbackWorkflowId, workflowTypes } from '../../src/contracts/workflow-ids.js';
import { decodeConfig } from '../../src/kubernetes/deployment-configs/build-controller.js';
import type { DeploymentConfig } from '../../src/kubernetes/deployment-configs/objects.js';
import type { KubernetesObject } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import type { ConfigTrial } from './config-trial.js';
import { waitFor } from './wait-for.js';

interface EventSeen extends KubernetesObject {
  reason: string;
  note: string;
  regarding: { name: string };
}

export interface Refusal {
  readonly type: string | null | undefined;
  readonly message: string;
  readonly outcome: RollbackOutcome | undefined;
}

/** Rollbacks of a trial's configs. */
export class RollbackTrial {
  constructor(private readonly trial: ConfigTrial) {}

  /** Example: `web:1` */
  image(sign: string): string {
    return `registry.invalid/shop/web:${sign}`;
  }

  /** A config with a complete version for each image. */
  async create(name: string, signs: readonly string[], spec: object = {}): Promise<void> {
    const [first = 'a', ...rest] = signs;
    await this.trial.create(name, {
      replicas: 2,
      template: this.trial.template(name, this.image(first)),
      ...spec,
    });
    await this.trial.untilPhase(`${name}-1`, 'Complete');
    for (const [index, sign] of rest.entries()) {
      await this.trial.setImage(name, this.image(sign));
      await this.trial.untilPhase(`${name}-${index + 2}`, 'Complete');
    }
    await this.untilObserved(name);
  }

  /** Waits until nothing more is to be written of what was asked for. */
  async untilObserved(name: string): Promise<DeploymentConfig> {
    return waitFor(`${name} is at rest`, async () => {
      const config = await this.trial.get(name);
      const { metadata, status } = config;
      const progress = status?.conditions?.find(({ type }) => type === 'Progressing');
      const isAtRest =
        status?.observedGeneration === metadata.generation &&
        progress?.reason !== 'ReplicationControllerUpdated' &&
        progress?.reason !== 'NewReplicationControllerCreated';
      return isAtRest ? config : undefined;
    });
  }

  start(
    names: readonly string[],
    wish: object = {},
    options: Partial<RollbackInput> = {},
  ): Promise<WorkflowHandle> {
    const { namespace, temporal } = this.trial;
    const ref = { cluster: 'local', namespace };
    const members = names.map((name) => ({ name, wish }));
    return temporal.workflow.start(workflowTypes.rollback, {
      workflowId: rollbackWorkflowId(ref, names, options.dryRun),
      taskQueue,
      args: [{ ...ref, members, ...options }],
    });
  }

  async run(
    names: readonly string[],
    wish: object = {},
    options: Partial<RollbackInput> = {},
  ): Promise<RollbackOutcome> {
    const handle = await this.start(names, wish, options);
    return (await handle.result()) as RollbackOutcome;
  }

  /** Of the latest run for these configs. */
  handle(names: readonly string[]): WorkflowHandle {
    const { namespace, temporal } = this.trial;
    return temporal.workflow.getHandle(rollbackWorkflowId({ cluster: 'local', namespace }, names));
  }

  /** How a run ends that does not end well. */
  async refusal(running: Promise<WorkflowHandle>): Promise<Refusal> {
    const handle = await running;
    try {
      await handle.result();
    } catch (error) {
      const cause = error instanceof WorkflowFailedError ? error.cause : undefined;
      if (!(cause instanceof ApplicationFailure)) throw error;
      const [outcome] = (cause.details ?? []) as RollbackOutcome[];
      return { type: cause.type, message: cause.message, outcome };
    }
    throw new Error('the run ended well');
  }

  /** The image of a version, by its sign. */
  async signOf(version: string): Promise<string | undefined> {
    return (await this.imageOf(version))?.split(':').at(-1);
  }

  async imageOf(version: string): Promise<string | undefined> {
    const found = await this.trial.version(version);
    const { template } = (found && decodeConfig(found)?.spec) ?? {};
    return template?.spec?.containers[0]?.image;
  }

  async events(name: string, reason: string): Promise<string[]> {
    const { cluster, namespace } = this.trial;
    const { items } = await cluster.client.list<EventSeen>(resources.events, namespace);
    return items
      .filter((event) => event.regarding.name === name && event.reason === reason)
      .map(({ note }) => note);
  }
}
