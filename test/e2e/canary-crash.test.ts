import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { configAnnotations } from '../../src/kubernetes/deployment-configs/annotations.js';
import { ConfigTrial, phaseOf } from '../support/config-trial.js';
import { startLocalStack, type LocalStack } from '../support/local-stack.js';
import { waitFor } from '../support/wait-for.js';
import { WorkerProcess } from '../support/worker-process.js';

// The worker is killed here, so this has a stack of its own.
let stack: LocalStack;
let trial: ConfigTrial;
let worker: WorkerProcess;

beforeAll(async () => {
  stack = await startLocalStack();
  trial = await ConfigTrial.open(stack);
  worker = await WorkerProcess.start(stack);
});

afterAll(async () => {
  await trial.close();
  await worker.end('SIGTERM');
  await stack.stop();
});

test('kill -9 of the only worker in a step: a new one waits for what is left of it', async () => {
  const pauseSeconds = 15;
  const canaryParams = { steps: [{ count: 1, pause: { seconds: pauseSeconds } }] };
  await trial.create('web', { strategy: { type: 'Canary', canaryParams } });
  await trial.untilPhase('web-1', 'Complete');
  await trial.setImage('web', 'example.com/web:2');
  const noted = async (): Promise<string | undefined> =>
    (await trial.version('web-2'))?.metadata.annotations?.[configAnnotations.canaryReachedAt];
  const reachedAt = await waitFor('the step has its size', noted);
  await worker.end('SIGKILL');
  worker = await WorkerProcess.start(stack);

  const seen = new Set<string | undefined>();
  await waitFor('version web-2 is Complete', async () => {
    const version = await trial.version('web-2');
    seen.add(version?.metadata.annotations?.[configAnnotations.canaryReachedAt]);
    return version !== undefined && phaseOf(version) === 'Complete' ? true : undefined;
  });
  expect(Date.now() - Date.parse(reachedAt)).toBeGreaterThanOrEqual(pauseSeconds * 1_000);
  // It is taken away when the step is passed, and never written anew.
  expect([...seen].filter((time) => time !== undefined && time !== reachedAt)).toEqual([]);
  await trial.untilServing('web-2', 4);
  await trial.untilServing('web-1', 0);
  expect(await trial.untilRunEnded('web', 2)).toBe('COMPLETED');
});
