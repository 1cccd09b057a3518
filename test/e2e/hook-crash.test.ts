import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { workflowTypes } from '../../src/contracts/workflow-ids.js';
import { resources } from '../../src/kubernetes/resources.js';
import { ApiserverProxy } from '../support/apiserver-proxy.js';
import { ConfigTrial } from '../support/config-trial.js';
import { CrashedRollout } from '../support/crashed-rollout.js';
import { DeploymentTrial } from '../support/deployment-trial.js';
import { EtcdHistory } from '../support/etcd-history.js';
import { crashCases, replacingCases } from '../support/hook-crash-cases.js';
import { killPart, revive } from '../support/kill-part.js';
import { startLocalStack, type LocalStack } from '../support/local-stack.js';
import { SetRollout } from '../support/set-rollout.js';
import { VersionRollout } from '../support/version-rollout.js';
import { waitFor } from '../support/wait-for.js';
import { WorkerProcess } from '../support/worker-process.js';

// Everything is killed here, so these tests have a stack of their own.
let stack: LocalStack;
let proxy: ApiserverProxy;
let history: EtcdHistory;
let worker: WorkerProcess;
const trials: Trial[] = [];

type Trial = ConfigTrial | DeploymentTrial;

beforeAll(async () => {
  stack = await startLocalStack();
  history = new EtcdHistory(stack);
  proxy = await ApiserverProxy.start(stack);
  worker = await startWorker();
});
afterAll(async () => {
  // One that is cut off from the apiserver would try for long to finish what it is at.
  await worker.end('SIGKILL');
  await proxy.stop();
  await history.stop();
  await Promise.allSettled(trials.map((trial) => trial.close()));
  await stack.stop();
});

const startWorker = (): Promise<WorkerProcess> =>
  WorkerProcess.start({ ...stack, workerKubeconfig: proxy.kubeconfig }, [
    '--cluster-name',
    'local',
  ]);

/** What becomes of the rollouts while something is down, if that can be, and then when all is up again. */
interface Rollouts {
  readonly meanwhile: () => Promise<void>;
  readonly settle: () => Promise<void>;
}

type Crash = (rollouts: Rollouts) => Promise<void>;

const crashes: Readonly<Record<string, Crash>> = {
  'kill -9 of the worker': async ({ meanwhile, settle }) => {
    await worker.end('SIGKILL');
    proxy.cutHeld();
    await meanwhile();
    worker = await startWorker();
    await settle();
  },
  'kill -9 of Temporal': async ({ meanwhile, settle }) => {
    await killPart(stack, 'temporal');
    proxy.letThrough();
    await meanwhile();
    await revive(stack);
    await settle();
  },
  'kill -9 of the apiserver': async ({ meanwhile, settle }) => {
    await killPart(stack, 'kube-apiserver');
    proxy.cutHeld();
    await revive(stack);
    await meanwhile();
    await settle();
  },
  'kill -9 of etcd': async ({ meanwhile, settle }) => {
    await killPart(stack, 'etcd');
    proxy.letThrough();
    await revive(stack);
    await meanwhile();
    await settle();
  },
  'kill -9 of everything': async ({ meanwhile, settle }) => {
    await worker.end('SIGKILL');
    await killPart(stack, 'temporal');
    proxy.cutHeld();
    await meanwhile();
    await killPart(stack, 'kube-apiserver');
    await killPart(stack, 'etcd');
    await revive(stack);
    worker = await startWorker();
    await settle();
  },
  // When it wakes up, it goes on with what it was about to write.
  'a worker that sleeps while another takes over': async ({ meanwhile, settle }) => {
    const sleeper = worker;
    process.kill(sleeper.pid, 'SIGSTOP');
    proxy.disarm();
    await meanwhile();
    worker = await startWorker();
    await settle();
    proxy.letThrough();
    process.kill(sleeper.pid, 'SIGCONT');
    await sleeper.end('SIGTERM');
  },
};

test.each(Object.entries(crashes))(
  '%s, wherever a hook is: it runs once, and its version or Deployment ends as it would have',
  async (_crash, happen) => {
    const opened = [await ConfigTrial.open(stack), await DeploymentTrial.open(stack)] as const;
    trials.push(...opened);
    const rollouts = await planRollouts(...opened);
    const all = async (act: (rollout: CrashedRollout) => Promise<void>): Promise<void> => {
      await Promise.all(rollouts.map(act));
    };
    await all((rollout) => rollout.interrupt());
    await happen({
      meanwhile: () => all((rollout) => rollout.playMeanwhile()),
      settle: () => all((rollout) => rollout.settle()),
    });
    await untilQuiet(opened);
    const found = rollouts.map(async (rollout) => [rollout.name, await rollout.judge()] as const);
    const problems = (await Promise.all(found)).filter(([, each]) => each.length > 0);
    expect(Object.fromEntries(problems)).toEqual({});
    expect(await findOpenRuns(opened[0])).toEqual([]);
  },
  300_000,
);

async function planRollouts(
  configs: ConfigTrial,
  deployments: DeploymentTrial,
): Promise<readonly CrashedRollout[]> {
  const scene = { temporal: configs.temporal, proxy, history };
  const versions = crashCases.map(
    (crash) => new CrashedRollout(scene, new VersionRollout(configs, crash), crash),
  );
  const sets = replacingCases.map(
    async (crash) => new CrashedRollout(scene, await SetRollout.plan(deployments, crash), crash),
  );
  return [...versions, ...(await Promise.all(sets))];
}

const types = [
  resources.pods,
  resources.replicationControllers,
  resources.replicaSets,
  resources.slipwayDeployments,
];

/** Waits until no run is left that could write anything, and until the history tells of all that was written. */
async function untilQuiet(opened: readonly [Trial, Trial]): Promise<void> {
  // What is left is told below.
  await waitFor('no run is left open', async () =>
    (await findOpenRuns(opened[0])).length === 0 ? true : undefined,
  ).catch(() => undefined);
  await waitFor('the history is whole', async () => {
    const lists = opened.flatMap(({ cluster, namespace }) =>
      types.map((type) => cluster.client.list(type, namespace)),
    );
    const objects = (await Promise.all(lists)).flatMap(({ items }) => items);
    return objects.every(({ metadata }) => history.has(metadata.resourceVersion)) || undefined;
  });
}

async function findOpenRuns({ temporal }: Trial): Promise<readonly string[]> {
  const query = `ExecutionStatus="Running" AND WorkflowType!="${workflowTypes.watch}"`;
  const open: string[] = [];
  for await (const { workflowId } of temporal.workflow.list({ query })) open.push(workflowId);
  return open;
}
