import { expect, test } from '@jest/globals';

import type { DeploymentKey } from '../../src/kubernetes/deployments/deployment-key.js';
import type { DeploymentSighting as Sighting } from '../../src/kubernetes/deployments/deployment-view.js';
import { deploymentRuns } from '../../src/worker/watch/deployment-runs.js';
import { RunStarter, type RunStarterOptions } from '../../src/worker/watch/run-starter.js';
import { deploymentSummary, newSet, observation } from '../support/observations.js';
import { waitFor } from '../support/wait-for.js';
import { planDeployment } from '../../src/domain/deployment/plan-deployment.js';

const key: DeploymentKey = { api: 'apps/v1', namespace: 'shop', name: 'web' };
const versions = { deployment: '1', replicaSets: {} };

/** A Deployment that is complete, and one with a new template. */
const atRest = (generation: number): Sighting => {
  const seen = observation({
    deployment: { revision: 2, generation },
    replicaSets: [newSet({ desired: 10 })],
  });
  const status = planDeployment(seen).status ?? seen.deployment.status;
  return {
    observation: { ...seen, deployment: { ...seen.deployment, status } },
    versions,
  };
};
const restless = (generation: number): Sighting => ({
  observation: { ...observation({}), deployment: deploymentSummary({ generation }) },
  versions,
});

function setUp(options: {
  readonly observe: () => Promise<Sighting>;
  readonly result: () => Promise<void>;
}) {
  const stop = new AbortController();
  let change: (key: DeploymentKey) => void = () => undefined;
  let runs = 0;
  const client = {
    workflow: {
      start: () => {
        runs += 1;
        return Promise.resolve({ result: options.result });
      },
    },
    withAbortSignal: (_signal: AbortSignal, call: () => Promise<unknown>) => call(),
  } as unknown as RunStarterOptions<DeploymentKey>['client'];
  const view = {
    keys: () => [key].values() as Generator<DeploymentKey>,
    observe: options.observe,
    onChange: (listener: (key: DeploymentKey) => void) => {
      change = listener;
      return () => undefined;
    },
  };
  const logger = { warn: () => undefined, error: () => undefined };
  const starter = new RunStarter({
    source: deploymentRuns('local', view, logger),
    client,
    logger,
    signal: stop.signal,
  });
  return {
    starter,
    change: () => {
      change(key);
    },
    runs: () => runs,
    stop: () => {
      stop.abort();
    },
  };
}

test('a change that comes during a slow look is not lost', async () => {
  let answer: (sighting: Sighting) => void = () => undefined;
  let current = atRest(1);
  let looks = 0;
  const { starter, change, runs, stop } = setUp({
    observe: () => {
      looks += 1;
      if (looks > 1) return Promise.resolve(current);
      return new Promise((resolve) => (answer = resolve));
    },
    result: () => {
      current = atRest(2);
      return Promise.resolve();
    },
  });
  starter.start();
  current = restless(2);
  change();
  answer(atRest(1));
  await waitFor('a run is started', () => (runs() === 1 ? true : undefined), 5_000);
  stop();
});

test('after a run that failed, a new spec is not kept waiting', async () => {
  let generation = 1;
  const { starter, change, runs, stop } = setUp({
    observe: () => Promise.resolve(restless(generation)),
    result: () => Promise.reject(new Error('refused')),
  });
  starter.start();
  // The delays grow: 1 s, 2 s, and so on; a second run comes after the first of them.
  await waitFor('the second run has failed', () => (runs() === 2 ? true : undefined), 10_000);
  const changedAtMs = Date.now();
  generation = 2;
  change();
  await waitFor('a run for the new spec', () => (runs() === 3 ? true : undefined), 10_000);
  expect(Date.now() - changedAtMs).toBeLessThan(1_000);
  stop();
});

/** A Deployment that was complete, and of which one pod has got lost since. */
const lessOne = (): Sighting => {
  const { observation: seen } = atRest(1);
  const replicaSets = [newSet({ desired: 10, ready: 9, available: 9 })];
  return { observation: { ...seen, replicaSets }, versions };
};

test('counts that change by themselves make a run when they have calmed down', async () => {
  let current = lessOne();
  let looks = 0;
  const { starter, runs, stop } = setUp({
    observe: () => {
      looks += 1;
      return Promise.resolve(current);
    },
    result: () => {
      current = atRest(1);
      return Promise.resolve();
    },
  });
  starter.start();
  await waitFor('a first look', () => looks > 0);
  expect(runs()).toBe(0);
  await waitFor('a run', () => runs() === 1);
  stop();
});

test('what is more than counts does not wait for that', async () => {
  let current = lessOne();
  let looks = 0;
  const { starter, change, runs, stop } = setUp({
    observe: () => {
      looks += 1;
      return Promise.resolve(current);
    },
    result: () => new Promise(() => undefined),
  });
  starter.start();
  await waitFor('a first look', () => looks > 0);
  current = restless(2);
  const beganAtMs = performance.now();
  change();
  await waitFor('a run', () => runs() === 1);
  // Waiting for calm takes a second at least.
  expect(performance.now() - beganAtMs).toBeLessThan(1_000);
  stop();
});
