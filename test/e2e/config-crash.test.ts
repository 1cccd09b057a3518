import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { deployerPodLabel } from '../../src/kubernetes/deployment-configs/annotations.js';
import type { KubernetesObject } from '../../src/kubernetes/objects.js';
import { resources, type ResourceType } from '../../src/kubernetes/resources.js';
import { ConfigTrial, hasty, phaseOf } from '../support/config-trial.js';
import { startLocalStack, type LocalStack } from '../support/local-stack.js';
import { WorkerProcess } from '../support/worker-process.js';

// Workers are killed here, so these tests have a stack of their own.
let stack: LocalStack;
let trial: ConfigTrial;
let worker: WorkerProcess;
const ending = new AbortController();

beforeAll(async () => {
  stack = await startLocalStack();
  trial = await ConfigTrial.open(stack);
  worker = await startWorker();
  await watchDeployers();
});
afterAll(async () => {
  ending.abort();
  await trial.close();
  await worker.end('SIGTERM');
  await stack.stop();
});

const startWorker = (): Promise<WorkerProcess> =>
  WorkerProcess.start(stack, ['--cluster-name', 'local']);

/** Calls back with each change from now on. */
async function watch(
  type: ResourceType,
  onChange: (object: KubernetesObject) => void,
  signal: AbortSignal,
  labelSelector?: string,
): Promise<void> {
  const { client } = trial.cluster;
  const { metadata } = await client.list(type, trial.namespace, { limit: 1 });
  const { resourceVersion } = metadata;
  const options = { resourceVersion, signal, labelSelector };
  void (async () => {
    for await (const { type: kind, object } of client.watch(type, trial.namespace, options)) {
      if (kind === 'ADDED' || kind === 'MODIFIED') onChange(object);
    }
  })().catch(() => undefined);
}

/** The uids of all pods that were ever made to carry out a version, by its name. */
const deployers = new Map<string, Set<string>>();

const watchDeployers = (): Promise<void> =>
  watch(
    resources.pods,
    ({ metadata }) => {
      const version = metadata.labels?.[deployerPodLabel] ?? '';
      const known = deployers.get(version) ?? new Set<string>();
      deployers.set(version, known.add(metadata.uid ?? ''));
    },
    ending.signal,
    deployerPodLabel,
  );

/** Kills the worker in the moment in which a version is seen in that phase. */
async function killAt(
  version: string,
  phase: string,
  image: string,
  spec: object = {},
): Promise<string | undefined> {
  const killed = new AbortController();
  const seen = new Promise<void>((resolve) => {
    void watch(
      resources.replicationControllers,
      (found) => {
        if (found.metadata.name !== version || phaseOf(found) !== phase) return;
        process.kill(worker.pid, 'SIGKILL');
        killed.abort();
        resolve();
      },
      killed.signal,
    );
  });
  await trial.setImage(version.replace(/-\d+$/, ''), image, spec);
  await seen;
  await worker.end('SIGKILL');
  const found = await trial.version(version);
  return found === undefined ? undefined : phaseOf(found);
}

const strategies = {
  rolling: { type: 'Rolling' },
  recreate: { type: 'Recreate' },
  canary: {
    type: 'Canary',
    canaryParams: { steps: [{ percent: 25, pause: { seconds: 1 } }] },
  },
  custom: {
    type: 'Custom',
    customParams: { image: 'example.com/deployer:1' },
    annotations: { 'kwok.slipway.dev/exit-code': '0', 'kwok.slipway.dev/exit-after': '2s' },
  },
} as const;

/** How each phase is left behind: the next version each time. */
const phases = ['New', 'Pending', 'Running', 'Complete'] as const;

describe.each(Object.entries(strategies))(
  'kill -9 of the worker in strategy %s',
  (name, strategy) => {
    test('at the first version', async () => {
      await trial.create(name, { strategy });
      await trial.untilPhase(`${name}-1`, 'Complete');
      await trial.untilServing(`${name}-1`, 4);
    });

    test.each(phases.map((phase, index) => [phase, index + 2] as const))(
      'in phase %s: another worker brings it to the same end',
      async (phase, number) => {
        const version = `${name}-${number}`;
        const left = await killAt(version, phase, `example.com/web:${number}`);
        expect(phases).toContain(left);
        worker = await startWorker();
        await trial.untilPhase(version, 'Complete');
        await trial.untilServing(version, 4);
        await trial.untilServing(`${name}-${number - 1}`, 0);
        expect((await trial.get(name)).status?.latestVersion).toBe(number);
        expect(await trial.untilRunEnded(name, number)).toBe('COMPLETED');
        expect(deployers.get(version)?.size ?? 0).toBe(name === 'custom' ? 1 : 0);
      },
    );
  },
);

test('kill -9 of the worker while a failed version goes back: the old one serves at full size', async () => {
  await trial.create('back');
  await trial.untilPhase('back-1', 'Complete');
  expect(await killAt('back-2', 'Failed', 'example.com/web:404', hasty)).toBe('Failed');
  worker = await startWorker();
  await trial.untilServing('back-1', 4);
  await trial.untilServing('back-2', 0);
});
