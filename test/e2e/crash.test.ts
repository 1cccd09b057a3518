import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { taskQueue } from '../../src/contracts/task-queues.js';
import { pickFreePort } from '../../src/dev/stack/ports.js';
import type { ReplicaSet } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { DeploymentTrial } from '../support/deployment-trial.js';
import { startLocalStack, type LocalStack } from '../support/local-stack.js';
import { waitFor } from '../support/wait-for.js';
import { WorkerProcess } from '../support/worker-process.js';

// Workers are killed here, so these tests have a stack of their own.
const api = 'slipway.dev/v1alpha1';
let stack: LocalStack;
let trial: DeploymentTrial;
const workers = new Set<WorkerProcess>();

async function startWorker(...args: readonly string[]): Promise<WorkerProcess> {
  const worker = await WorkerProcess.start(stack, args);
  workers.add(worker);
  return worker;
}

beforeAll(async () => {
  stack = await startLocalStack();
  trial = await DeploymentTrial.open(stack);
});

afterAll(async () => {
  await trial.close();
  await Promise.all([...workers].map((worker) => worker.end('SIGTERM')));
  await stack.stop();
});

/** Adds up what the ReplicaSets report as available, at each change, until it is stopped. */
async function watchAvailability(name: string): Promise<() => Promise<number>> {
  const { client } = trial.cluster;
  const stop = new AbortController();
  const listed = await client.list<ReplicaSet>(resources.replicaSets, trial.namespace, {
    labelSelector: `app=${name}`,
  });
  const available = new Map(
    listed.items.map((set) => [set.metadata.name, set.status?.availableReplicas ?? 0]),
  );
  const total = (): number => [...available.values()].reduce((sum, count) => sum + count, 0);
  let lowest = total();
  const watching = (async () => {
    const events = client.watch<ReplicaSet>(resources.replicaSets, trial.namespace, {
      labelSelector: `app=${name}`,
      resourceVersion: listed.metadata.resourceVersion,
      signal: stop.signal,
    });
    for await (const { object } of events) {
      if (object.kind !== 'ReplicaSet') continue;
      available.set(object.metadata.name, object.status?.availableReplicas ?? 0);
      lowest = Math.min(lowest, total());
    }
  })().catch(() => undefined);
  return async () => {
    stop.abort();
    await watching;
    return lowest;
  };
}

describe('kill -9 of the only worker', () => {
  test('in the middle of 50 pods: a new one completes it, and the floor holds', async () => {
    const first = await startWorker();
    await trial.create(api, 'web', {
      replicas: 50,
      minReadySeconds: 1,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 5, maxUnavailable: 5 } },
    });
    await trial.untilComplete(api, 'web');
    const lowestAvailable = await watchAvailability('web');
    await trial.setImage(api, 'web', 'example.com/web:2');
    const updated = await waitFor('the rollout is in its middle', async () => {
      const { status } = await trial.get(api, 'web');
      const count = status?.updatedReplicas ?? 0;
      return count >= 15 && count < 50 ? count : undefined;
    });
    await first.end('SIGKILL');
    workers.delete(first);
    expect(updated).toBeLessThan(50);
    const { status } = await trial.get(api, 'web');
    expect(status?.updatedReplicas).toBeLessThan(50);

    await startWorker();
    await trial.untilComplete(api, 'web');
    expect(await lowestAvailable()).toBeGreaterThanOrEqual(45);
    expect(await trial.untilRunEnded('web')).toBe('COMPLETED');
  });
});

test('without --drop-in a manifest of apps/v1 is refused, and nothing is applied', async () => {
  const run = trial.temporal.workflow.execute('deployment', {
    workflowId: trial.workflowId('built-in'),
    taskQueue,
    args: [trial.manifest('apps/v1', 'built-in')],
  });
  await expect(run).rejects.toMatchObject({ cause: { type: 'BadInput' } });
  expect(await trial.isGone('apps/v1', 'built-in')).toBe(true);
});

describe('of two workers', () => {
  test('one watches, both work, and the other takes over when it is killed', async () => {
    const [watcher] = workers;
    if (watcher === undefined) throw new Error('the test before this one leaves a worker');
    await watcher.says('watching the cluster');
    const other = await startWorker();
    const names = Array.from({ length: 8 }, (_, index) => `both-${index}`);
    await Promise.all(names.map((name) => trial.create(api, name)));
    await Promise.all(names.map((name) => trial.untilComplete(api, name)));
    expect(other.hasSaid('watching the cluster')).toBe(false);
    await Promise.all([watcher, other].map((worker) => worker.says('is complete')));

    await watcher.end('SIGKILL');
    workers.delete(watcher);
    await trial.create(api, 'after');
    await other.says('watching the cluster');
    await trial.untilComplete(api, 'after');
  });

  test('the watch passes on at once when the watcher is asked to stop', async () => {
    const [watcher] = workers;
    if (watcher === undefined) throw new Error('the test before this one leaves a worker');
    const address = `127.0.0.1:${await pickFreePort()}`;
    const other = await startWorker('--http-address', address);
    const ask = (path: string): Promise<Response> => fetch(`http://${address}${path}`);
    expect((await ask('/healthz')).status).toBe(200);
    expect((await ask('/readyz')).status).toBe(200);
    expect((await ask('/elsewhere')).status).toBe(404);
    expect(await watcher.end('SIGTERM')).toBe(0);
    workers.delete(watcher);
    await other.says('watching the cluster', 20_000);
    expect(await (await ask('/metrics')).text()).toContain('temporal_');
    await trial.create(api, 'handed-on');
    await trial.untilComplete(api, 'handed-on');
  });
});
