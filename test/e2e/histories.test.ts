import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';

import { hookWorkflowId } from '../../src/contracts/hook.js';
import { taskQueue } from '../../src/contracts/task-queues.js';
import {
  rollbackWorkflowId,
  versionWorkflowId,
  watchWorkflowId,
  workflowTypes,
} from '../../src/contracts/workflow-ids.js';
import { configAnnotations } from '../../src/kubernetes/deployment-configs/annotations.js';
import { annotations } from '../../src/kubernetes/deployments/annotations.js';
import { ConfigTrial } from '../support/config-trial.js';
import { DeploymentTrial, sharedServers } from '../support/deployment-trial.js';
import { resources } from '../../src/kubernetes/resources.js';
import { HookTrial } from '../support/hook-trial.js';
import { RollbackTrial } from '../support/rollback-trial.js';
import { waitFor } from '../support/wait-for.js';

// With SLIPWAY_RECORD set, the histories of these runs replace those that test/replay keeps.
const folder = fileURLToPath(new URL('../replay/histories/', import.meta.url));
const codePath = fileURLToPath(new URL('../../dist/workflow-bundle.js', import.meta.url));
const api = 'slipway.dev/v1alpha1';
let trial: DeploymentTrial;

beforeAll(async () => {
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' } } },
  });
  trial = await DeploymentTrial.open(sharedServers());
});
afterAll(async () => {
  await trial.close();
});

/** A history that was just made must replay with the very code that made it. */
async function replayRun(workflowId: string, title: string): Promise<void> {
  const history = await trial.temporal.workflow.getHandle(workflowId).fetchHistory();
  if ((process.env['SLIPWAY_RECORD'] ?? '') !== '') {
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}${title}.json`, `${historyToJSON(history)}\n`);
  }
  await Worker.runReplayHistory({ workflowBundle: { codePath } }, history, workflowId);
}

test('a rollout', async () => {
  await trial.create(api, 'rolled', { replicas: 20 });
  await trial.untilComplete(api, 'rolled');
  await trial.setImage(api, 'rolled', 'example.com/web:2');
  await trial.untilComplete(api, 'rolled');
  expect(await trial.untilRunEnded('rolled')).toBe('COMPLETED');
  await replayRun(trial.workflowId('rolled'), 'deployment-rolled');
});

test('a rollout that is paused and resumed by signal', async () => {
  await trial.create(api, 'paused', {
    template: {
      metadata: { labels: { app: 'paused' } },
      spec: {
        nodeSelector: { 'kubernetes.io/hostname': 'nowhere' },
        containers: [{ name: 'main', image: 'example.com/web:1' }],
      },
    },
  });
  await trial.untilCondition(api, 'paused', 'Progressing', 'ReplicaSetUpdated');
  await trial.run('paused').signal('pause', { reason: 'to be recorded' });
  await trial.untilCondition(api, 'paused', 'Progressing', 'DeploymentPaused');
  await trial.run('paused').signal('resume');
  await trial.untilCondition(api, 'paused', 'Progressing', 'DeploymentResumed');
  await trial.patch(api, 'paused', { spec: { template: { spec: { nodeSelector: null } } } });
  await trial.untilComplete(api, 'paused');
  expect(await trial.untilRunEnded('paused')).toBe('COMPLETED');
  await replayRun(trial.workflowId('paused'), 'deployment-paused');
});

test('a rollout that is cancelled', async () => {
  await trial.create(api, 'cancelled', { paused: true });
  await trial.untilCondition(api, 'cancelled', 'Progressing', 'DeploymentPaused');
  await trial.run('cancelled').cancel();
  expect(await trial.untilRunEnded('cancelled')).toBe('CANCELLED');
  expect((await trial.get(api, 'cancelled')).metadata.annotations).toHaveProperty([
    annotations.cancelled,
  ]);
  await replayRun(trial.workflowId('cancelled'), 'deployment-cancelled');
});

test('a rollout with a hook', async () => {
  const pre = { failurePolicy: 'Retry', execNewPod: { command: ['x'] } };
  await trial.create(api, 'hooked', { strategy: { lifecycle: { pre } } });
  const set = await waitFor('hooked has a set', async () => (await trial.replicaSets('hooked'))[0]);
  await new HookTrial(trial, resources.replicaSets).end(set.metadata.name, 'pre', 0);
  await trial.untilComplete(api, 'hooked');
  expect(await trial.untilRunEnded('hooked')).toBe('COMPLETED');
  await replayRun(trial.workflowId('hooked'), 'deployment-hooked');
});

test('versions of a config', async () => {
  const configs = await ConfigTrial.open(sharedServers());
  const hooks = new HookTrial(configs);
  const id = (name: string, version: number): string =>
    versionWorkflowId({ cluster: 'local', namespace: configs.namespace, name }, version);
  try {
    await configs.create('web');
    await configs.untilPhase('web-1', 'Complete');
    await configs.setImage('web', 'example.com/web:2');
    await configs.untilPhase('web-2', 'Complete');
    expect(await configs.untilRunEnded('web', 2)).toBe('COMPLETED');
    await replayRun(id('web', 2), 'deploymentConfig-rolled');

    const steps = [{ percent: 50, approve: true }];
    const strategy = { type: 'Canary', rollingParams: null, canaryParams: { steps } };
    await configs.patch('web', {
      spec: { strategy, template: { metadata: { annotations: { v: '3' } } } },
    });
    await configs.untilCondition('web', 'Progressing', 'CanaryStepWaiting');
    await configs.run('web', 3).signal('pause', { reason: 'to be recorded' });
    await configs.untilCondition('web', 'Progressing', 'DeploymentPaused');
    await configs.run('web', 3).signal('resume');
    await configs.untilCondition('web', 'Progressing', 'CanaryStepWaiting');
    await configs.run('web', 3).signal('approve');
    await configs.untilPhase('web-3', 'Complete');
    expect(await configs.untilRunEnded('web', 3)).toBe('COMPLETED');
    await replayRun(id('web', 3), 'deploymentConfig-canary');

    const hooked = {
      strategy: { lifecycle: { pre: { failurePolicy: 'Retry', execNewPod: { command: ['x'] } } } },
    };
    await configs.patch('web', {
      spec: { ...hooked, template: { metadata: { annotations: { v: '4' } } } },
    });
    await hooks.end('web-4', 'pre', 1);
    await hooks.end('web-4', 'pre', 0, { number: 2 });
    await hooks.untilPhase('web-4', 'pre', 'Succeeded');
    const hookId = hookWorkflowId({
      cluster: 'local',
      namespace: configs.namespace,
      name: 'web',
      version: 4,
      moment: 'pre',
    });
    await trial.temporal.workflow.getHandle(hookId).result();
    await replayRun(hookId, 'hook-retried');
    await configs.untilPhase('web-4', 'Running');
    await configs.run('web', 4).cancel();
    expect(await configs.untilRunEnded('web', 4)).toBe('CANCELLED');
    await replayRun(id('web', 4), 'deploymentConfig-cancelled');
  } finally {
    await configs.close();
  }
}, 180_000);

test('rollbacks', async () => {
  const configs = await ConfigTrial.open(sharedServers());
  const rollbacks = new RollbackTrial(configs);
  const ref = (name: string) => ({ cluster: 'local', namespace: configs.namespace, name });
  const id = (...names: string[]): string => rollbackWorkflowId(ref(''), names);
  try {
    await rollbacks.create('web', ['a', 'b']);
    await rollbacks.run(['web'], { notes: 'to be recorded', by: 'ann' });
    await replayRun(id('web'), 'rollback-done');

    await rollbacks.refusal(rollbacks.start(['web'], { release: 7 }, { fromBlock: true }));
    await replayRun(id('web'), 'rollback-refused');

    const version = { ...ref('web'), version: 4 };
    await configs.temporal.workflow.execute(workflowTypes.deploymentConfig, {
      workflowId: versionWorkflowId(version, 4),
      taskQueue,
      args: [{ ...version, rollback: { release: 2 } }],
    });
    await replayRun(versionWorkflowId(version, 4), 'deploymentConfig-back');

    // They wait for approval, so that there is time to stop them.
    const steps = [{ count: 1, approve: true }];
    const strategy = { type: 'Canary', rollingParams: null, canaryParams: { steps } };
    await rollbacks.create('db', ['a', 'b']);
    for (const name of ['web', 'db']) await configs.patch(name, { spec: { strategy } });
    const wish = { config: false };
    const handle = await rollbacks.start(['web', 'db'], wish, { parallel: true });
    for (const each of ['web-5', 'db-3']) await configs.untilPhase(each, 'Running');
    await configs.annotateVersion('db-3', { [configAnnotations.cancelled]: 'true' });
    await handle.result().catch(() => undefined);
    await replayRun(id('web', 'db'), 'rollback-stopped');

    await rollbacks.untilObserved('web');
    const cancelled = await rollbacks.start(['web'], wish);
    await configs.untilPhase('web-6', 'Running');
    await cancelled.cancel();
    await cancelled.result().catch(() => undefined);
    await replayRun(id('web'), 'rollback-cancelled');
  } finally {
    await configs.close();
  }
}, 180_000);

test('the watch', async () => {
  await replayRun(watchWorkflowId('local'), 'watch-running');
});
