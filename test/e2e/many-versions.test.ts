import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, expect, test } from '@jest/globals';

import type { ReplicationController } from '../../src/kubernetes/deployment-configs/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { ConfigTrial } from '../support/config-trial.js';
import { startLocalStack, type LocalStack } from '../support/local-stack.js';
import { waitFor } from '../support/wait-for.js';
import { WorkerProcess } from '../support/worker-process.js';

// The worker's memory is looked at, so it must have nothing else to do.
let stack: LocalStack;
let trial: ConfigTrial;
let worker: WorkerProcess;

beforeAll(async () => {
  stack = await startLocalStack();
  trial = await ConfigTrial.open(stack);
  worker = await WorkerProcess.start(stack, ['--cluster-name', 'local']);
});
afterAll(async () => {
  await trial.close();
  await worker.end('SIGTERM');
  await stack.stop();
});

/** In MiB, as the system counts it. */
function memoryOf(pid: number): number {
  const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(resident) / 1_024;
}

test('200 versions of one config in a row: history as the limit says, no run open, memory flat', async () => {
  const last = 200;
  await trial.create('steady', { replicas: 1, revisionHistoryLimit: 5 });
  const resident: number[] = [];
  for (let version = 1; version <= last; version += 1) {
    await trial.untilPhase(`steady-${version}`, 'Complete');
    if (version % 20 === 0) resident.push(memoryOf(worker.pid));
    if (version < last) await trial.setImage('steady', `example.com/web:v${version + 1}`);
  }
  const { items } = await waitFor('the history is as long as the limit says', async () => {
    const { client } = trial.cluster;
    const found = await client.list<ReplicationController>(
      resources.replicationControllers,
      trial.namespace,
      { labelSelector: 'openshift.io/deployment-config.name=steady' },
    );
    return found.items.length === 6 ? found : undefined;
  });
  expect(items.map(({ metadata }) => metadata.name).sort()).toEqual(
    [195, 196, 197, 198, 199, 200].map((version) => `steady-${version}`),
  );
  await waitFor('no run is open', async () => {
    const { count } = await trial.temporal.workflow.count(
      `SlipwayName = 'steady' AND ExecutionStatus = 'Running'`,
    );
    return count === 0 ? true : undefined;
  });
  process.stderr.write(
    `memory after each 20 versions: ${resident.map(Math.round).join(' ')} MiB\n`,
  );
  const [early, late] = [resident.slice(2, 5), resident.slice(-3)].map(
    (part) => part.reduce((sum, value) => sum + value, 0) / part.length,
  );
  expect(late! / early!).toBeLessThan(1.25);
}, 600_000);
