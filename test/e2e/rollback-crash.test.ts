import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import type { RollbackOutcome } from '../../src/contracts/rollback.js';
import { taskQueue } from '../../src/contracts/task-queues.js';
import { versionWorkflowId, workflowTypes } from '../../src/contracts/workflow-ids.js';
import type { DeploymentConfig } from '../../src/kubernetes/deployment-configs/objects.js';
import { readRequest } from '../../src/kubernetes/deployment-configs/read-request.js';
import type { KubernetesObject } from '../../src/kubernetes/objects.js';
import { resources, type ResourceType } from '../../src/kubernetes/resources.js';
import { ConfigTrial, hasty, phaseOf } from '../support/config-trial.js';
import { startHttpServer } from '../support/http-server.js';
import { startLocalStack, type LocalStack } from '../support/local-stack.js';
import { RollbackTrial } from '../support/rollback-trial.js';
import { waitFor } from '../support/wait-for.js';
import { WorkerProcess } from '../support/worker-process.js';

// Workers are killed here, so these tests have a stack of their own.
let stack: LocalStack;
let trial: ConfigTrial;
let rollbacks: RollbackTrial;
let worker: WorkerProcess;

beforeAll(async () => {
  stack = await startLocalStack();
  trial = await ConfigTrial.open(stack);
  rollbacks = new RollbackTrial(trial);
  worker = await startWorker();
});
afterAll(async () => {
  await trial.close();
  await worker.end('SIGTERM');
  await stack.stop();
});

const startWorker = (): Promise<WorkerProcess> =>
  WorkerProcess.start(stack, ['--cluster-name', 'local']);

/** A step that leaves a mark in the cluster. */
interface Step {
  readonly type: ResourceType;
  readonly isTaken: (object: KubernetesObject, name: string) => boolean;
}

const onConfig = (isTaken: (config: DeploymentConfig) => boolean): Step => ({
  type: resources.deploymentConfigs,
  isTaken: (object, name) => object.metadata.name === name && isTaken(object as DeploymentConfig),
});
const onVersion = (version: number, phase: string): Step => ({
  type: resources.replicationControllers,
  isTaken: (object, name) =>
    object.metadata.name === `${name}-${version}` && phaseOf(object) === phase,
});

/** Kills the worker in the moment in which a step is seen, and starts another one. */
async function killAt(
  { type, isTaken }: Step,
  name: string,
  act: () => Promise<unknown>,
): Promise<void> {
  const { client } = trial.cluster;
  const { metadata } = await client.list(type, trial.namespace, { limit: 1 });
  const ended = new AbortController();
  const { resourceVersion } = metadata;
  const killed = (async () => {
    const options = { resourceVersion, signal: ended.signal };
    for await (const event of client.watch(type, trial.namespace, options)) {
      if (event.type !== 'ADDED' && event.type !== 'MODIFIED') continue;
      if (!isTaken(event.object, name)) continue;
      process.kill(worker.pid, 'SIGKILL');
      return;
    }
    throw new Error('the watch ended before the step was seen');
  })();
  await act();
  await killed;
  ended.abort();
  await worker.end('SIGKILL');
  worker = await startWorker();
}

const goneBack = onConfig((config) => readRequest(config)?.rollback !== undefined);

const steps: readonly [string, Step][] = [
  ['the config has gone back', goneBack],
  ['its version is asked for and made', onConfig(({ status }) => status?.latestVersion === 3)],
  [
    'the wish for the version is taken away',
    onConfig((config) => config.status?.latestVersion === 3 && readRequest(config) === undefined),
  ],
  ['the version is New', onVersion(3, 'New')],
  ['the version is Pending', onVersion(3, 'Pending')],
  ['the version is Running', onVersion(3, 'Running')],
  ['the version is Complete', onVersion(3, 'Complete')],
];

/** The same end, whatever happened on the way. */
async function expectGoneBack(name: string): Promise<void> {
  await trial.untilPhase(`${name}-3`, 'Complete');
  await trial.untilServing(`${name}-3`, 2);
  await trial.untilServing(`${name}-2`, 0);
  const config = await rollbacks.untilObserved(name);
  expect(config.status?.latestVersion).toBe(3);
  expect(config.spec.triggersSuspended).toBe(true);
  expect(readRequest(config)).toBeUndefined();
  expect(config).not.toHaveProperty('rollback');
  expect(await rollbacks.signOf(`${name}-3`)).toBe('a');
  await trial.untilCondition(name, 'TriggersSuspended', 'RolledBack');
}

describe('kill -9 of the worker when', () => {
  test.each(steps.map(([title, step], index) => [title, step, `web-${index}`] as const))(
    '%s: another worker brings it to the same end',
    async (_title, step, name) => {
      await rollbacks.create(name, ['a', 'b']);
      await killAt(step, name, () => rollbacks.start([name]));
      const outcome = (await rollbacks.handle([name]).result()) as RollbackOutcome;
      expect(outcome).toMatchObject({
        phase: 'Complete',
        standings: [{ name, from: 2, to: 1, version: 3, state: 'Complete' }],
      });
      await expectGoneBack(name);
    },
  );

  test('it looks at what going back means: another one is not long in looking again', async () => {
    const looks: number[] = [];
    // Says nothing to the first who asks, so that the look goes on, and hangs up on all others.
    const registry = await startHttpServer((_request, response) => {
      looks.push(Date.now());
      if (looks.length > 1) response.destroy();
    });
    try {
      const image = (sign: string): string => `${registry.host}/shop/web:${sign}`;
      const template = trial.template('looking', image('a'));
      await rollbacks.create('looking', ['a'], { template });
      await trial.setImage('looking', image('b'));
      await trial.untilPhase('looking-2', 'Complete');
      await rollbacks.start(['looking']);
      await waitFor('the worker looks', () => looks.length > 0 || undefined);
      const killedAtMs = Date.now();
      await worker.end('SIGKILL');
      worker = await startWorker();
      await waitFor('another one looks', () => looks.length > 1 || undefined);
      expect(looks[1]! - killedAtMs).toBeLessThan(30_000);
      await rollbacks.handle(['looking']).result();
      await expectGoneBack('looking');
    } finally {
      await registry.stop();
    }
  });

  test("the config has gone back by its version's own run", async () => {
    await rollbacks.create('own', ['a', 'b']);
    const ref = { cluster: 'local', namespace: trial.namespace, name: 'own', version: 3 };
    await killAt(goneBack, 'own', () =>
      trial.temporal.workflow.start(workflowTypes.deploymentConfig, {
        workflowId: versionWorkflowId(ref, 3),
        taskQueue,
        args: [{ ...ref, rollback: {} }],
      }),
    );
    expect(await trial.run('own', 3).result()).toMatchObject({ phase: 'Complete', version: 3 });
    await expectGoneBack('own');
  });

  test('a block asks for it, before anybody has seen that', async () => {
    await rollbacks.create('block', ['a', 'b']);
    await worker.end('SIGKILL');
    await trial.patch('block', { rollback: { release: 1 } });
    worker = await startWorker();
    await expectGoneBack('block');
  });

  test('a block is there, and a run has just seen it', async () => {
    await rollbacks.create('seen', ['a', 'b']);
    const step = onConfig(({ rollback }) => rollback !== undefined);
    await killAt(step, 'seen', () => trial.patch('seen', { rollback: { release: 1 } }));
    await expectGoneBack('seen');
  });

  test('a refusal is told, and the block is not taken away yet', async () => {
    await rollbacks.create('refused', ['a', 'b']);
    const step = onConfig(
      ({ status }) => status?.conditions?.some(({ type }) => type === 'RollbackRefused') === true,
    );
    await killAt(step, 'refused', () => trial.patch('refused', { rollback: { release: 7 } }));
    const config = await waitFor('the block is gone', async () => {
      const found = await trial.get('refused');
      return found.rollback === undefined ? found : undefined;
    });
    expect(config.status?.latestVersion).toBe(2);
    expect(config.spec.triggersSuspended).toBeUndefined();
  });

  test('the first of two has gone back: the second follows, once', async () => {
    const names = ['front', 'back'];
    for (const name of names) await rollbacks.create(name, ['a', 'b']);
    await killAt(onVersion(3, 'Complete'), 'front', () => rollbacks.start(names));
    const outcome = (await rollbacks.handle(names).result()) as RollbackOutcome;
    expect(outcome.standings).toMatchObject(
      names.map((name) => ({ name, version: 3, state: 'Complete' })),
    );
    for (const name of names) await expectGoneBack(name);
  });

  test('a version has failed that leads to a rollback by itself: there is one, once', async () => {
    await rollbacks.create('eager', ['a'], { rollbackOnFailure: true });
    await killAt(onVersion(2, 'Failed'), 'eager', () =>
      trial.setImage('eager', rollbacks.image('404'), hasty),
    );
    await expectGoneBack('eager');
  });
});
