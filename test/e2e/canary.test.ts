import { readFile } from 'node:fs/promises';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { parse } from 'yaml';

import { signalNames } from '../../src/contracts/messages.js';
import { taskQueue } from '../../src/contracts/task-queues.js';
import { cancelReasons } from '../../src/domain/deployment-config/cancel-reasons.js';
import { pickFreePort } from '../../src/dev/stack/ports.js';
import { configAnnotations } from '../../src/kubernetes/deployment-configs/annotations.js';
import type {
  CanaryParams,
  DeploymentConfig,
} from '../../src/kubernetes/deployment-configs/objects.js';
import type { KubernetesObject } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { ConfigTrial, reasonOf } from '../support/config-trial.js';
import { sharedServers } from '../support/deployment-trial.js';
import {
  isPrometheusMissing,
  startPrometheus,
  type PrometheusServer,
} from '../support/prometheus.js';
import { waitFor } from '../support/wait-for.js';

let trial: ConfigTrial;

beforeAll(async () => {
  trial = await ConfigTrial.open(sharedServers());
});
afterAll(async () => {
  await trial.close();
});

/** Version 1 is complete, and version 2 is on its way by these steps. */
async function startCanary(name: string, canaryParams: CanaryParams): Promise<void> {
  await trial.create(name, { strategy: { type: 'Canary', canaryParams } });
  await trial.untilPhase(`${name}-1`, 'Complete');
  await trial.setImage(name, 'example.com/web:2');
}

/** Waits until a step has its size: so many pods are of version 2, the others of version 1. */
async function untilAtStep(name: string, step: number, pods: number, all = 4): Promise<string> {
  const version = await waitFor(`${name}-2 waits at step ${step}`, async () => {
    const annotations = (await trial.version(`${name}-2`))?.metadata.annotations;
    const isThere =
      (annotations?.[configAnnotations.canaryStep] ?? '0') === String(step) &&
      annotations?.[configAnnotations.canaryReachedAt] !== undefined;
    return isThere ? annotations : undefined;
  });
  await trial.untilServing(`${name}-2`, pods);
  await trial.untilServing(`${name}-1`, all - pods);
  return version[configAnnotations.canaryReachedAt] ?? '';
}

const untilMessage = (name: string, text: string): Promise<string> =>
  waitFor(`the condition of ${name} says "${text}"`, async () => {
    const { status } = await trial.get(name);
    const message = status?.conditions?.find(({ type }) => type === 'Progressing')?.message;
    return message?.includes(text) === true ? message : undefined;
  });

const approveByAnnotation = (name: string, approval: object): Promise<unknown> =>
  trial.annotateVersion(name, { [configAnnotations.approval]: JSON.stringify(approval) });

interface KubernetesEvent extends KubernetesObject {
  reason?: string;
  regarding?: { name?: string };
}

/** Waits until a config's events have these reasons. */
async function untilEvents(name: string, reasons: readonly string[]): Promise<void> {
  await waitFor(`events of ${name}: ${reasons.join()}`, async () => {
    const { items } = await trial.cluster.client.list<KubernetesEvent>(
      resources.events,
      trial.namespace,
    );
    const found = items
      .filter(({ regarding }) => regarding?.name === name)
      .map(({ reason }) => reason ?? '');
    return reasons.every((reason) => found.includes(reason)) ? true : undefined;
  });
}

async function untilComplete(name: string): Promise<void> {
  await trial.untilPhase(`${name}-2`, 'Complete');
  await trial.untilServing(`${name}-2`, 4);
  await trial.untilServing(`${name}-1`, 0);
  expect(await trial.untilRunEnded(name, 2)).toBe('COMPLETED');
}

async function untilBack(name: string): Promise<string> {
  const failed = await trial.untilPhase(`${name}-2`, 'Failed');
  await trial.untilServing(`${name}-1`, 4);
  await trial.untilServing(`${name}-2`, 0);
  return reasonOf(failed) ?? '';
}

const held: CanaryParams = { steps: [{ count: 1, approve: true }] };

describe('steps', () => {
  test('wait for time, then for an approval by annotation', async () => {
    await startCanary('stepped', {
      steps: [
        { percent: 10, pause: { seconds: 2 } },
        { percent: 50, approve: true },
      ],
    });
    const reachedAt = await untilAtStep('stepped', 0, 1);
    await untilAtStep('stepped', 1, 2);
    expect(Date.now() - Date.parse(reachedAt)).toBeGreaterThanOrEqual(2_000);
    const message = await untilMessage('stepped', 'Step 2 of 2');
    expect(message).toBe('Step 2 of 2: 2 of 4 pods are new; waits for approval');
    // One for a step that is over changes nothing.
    await approveByAnnotation('stepped-2', { step: 0 });
    await approveByAnnotation('stepped-2', { step: 1, by: 'ann', reason: 'looks good' });
    await untilComplete('stepped');
    await untilEvents('stepped', ['CanaryStepReached', 'CanaryStepPassed', 'CanaryApproved']);
  });

  test('are approved by signal, one at a time', async () => {
    await startCanary('signalled', {
      steps: [
        { count: 1, approve: true },
        { count: 2, approve: true },
      ],
    });
    await untilAtStep('signalled', 0, 1);
    const run = trial.run('signalled', 2);
    await run.signal(signalNames.retry, { reason: 'impatient' });
    await run.signal(signalNames.approve, { reason: 'first look' });
    await untilAtStep('signalled', 1, 2);
    await run.signal(signalNames.approve, 'second look');
    await untilComplete('signalled');
    const approval = (await trial.version('signalled-2'))?.metadata.annotations?.[
      configAnnotations.approval
    ];
    expect(JSON.parse(approval ?? '{}')).toEqual({ step: 1, reason: 'second look' });
  });

  test('a new size applies to both sides', async () => {
    await startCanary('resized', { steps: [{ percent: 50, approve: true }] });
    await untilAtStep('resized', 0, 2);
    await trial.patch('resized', { spec: { replicas: 6 } });
    await trial.untilServing('resized-2', 3);
    await trial.untilServing('resized-1', 3);
    await approveByAnnotation('resized-2', { step: 0 });
    await trial.untilPhase('resized-2', 'Complete');
    await trial.untilServing('resized-2', 6);
  });

  test('a test goes up at once', async () => {
    await trial.create('tried', { test: true, strategy: { type: 'Canary', canaryParams: held } });
    await trial.untilPhase('tried-1', 'Complete');
    await trial.setImage('tried', 'example.com/web:2');
    await trial.untilPhase('tried-2', 'Complete');
    await trial.untilServing('tried-2', 0);
  });
});

const withPrometheus = (await isPrometheusMissing()) ? describe.skip : describe;

withPrometheus('metrics', () => {
  let prometheus: PrometheusServer;
  beforeAll(async () => {
    prometheus = await startPrometheus();
  });
  afterAll(() => prometheus.stop());

  const metric = (over: object = {}) => ({
    name: 'errors',
    url: prometheus.url,
    query: 'canary_errors',
    max: 0.5,
    intervalSeconds: 1,
    count: 2,
    ...over,
  });

  test('that are good let a step pass, and that turn bad fail the version', async () => {
    prometheus.setErrors(0.25);
    const steps = [{ count: 1, metrics: [metric()] }, ...(held.steps ?? [])];
    await startCanary('measured', { steps });
    await untilAtStep('measured', 1, 1);
    await approveByAnnotation('measured-2', { step: 1 });
    await untilComplete('measured');

    await startCanary('worsened', { steps: [{ count: 1, metrics: [metric({ count: 1000 })] }] });
    await untilMessage('worsened', 'metric errors (2 of 1000 good, the last 0.25)');
    prometheus.setErrors(0.75);
    const reason = 'metric errors is 0.75, which is more than its max of 0.5';
    expect(await untilBack('worsened')).toBe(reason);
    await untilEvents('worsened', ['CanaryMetricFailed']);
    expect(await trial.untilRunEnded('worsened', 2)).toBe('FAILED');
  });

  test('that can’t be measured are tried again, and not for ever', async () => {
    const url = `http://127.0.0.1:${await pickFreePort()}`;
    await startCanary('troubled', { steps: [{ count: 1, metrics: [metric({ url })] }] });
    await untilMessage('troubled', "it can't be measured");
    const why = `${new URL(url).host} refuses the connection`;
    expect(await untilBack('troubled')).toBe(
      `metric errors could not be measured 5 times in a row: ${why}`,
    );
  });

  test('whose query has no value yet are waited for', async () => {
    await startCanary('patient', {
      steps: [{ count: 1, metrics: [metric({ query: 'canary_errors > 90', max: 100 })] }],
    });
    await untilMessage('patient', 'the query gives no value');
    prometheus.setErrors(95);
    await untilComplete('patient');
    prometheus.setErrors(0.25);
  });
});

describe('a comparison', () => {
  test('holds both sides until the new one wins', async () => {
    await startCanary('newer', { ab: { share: 25 } });
    await untilAtStep('newer', 0, 1);
    await untilMessage('newer', 'A/B: 1 of 4 pods are new; waits for a winner');
    await trial.run('newer', 2).signal(signalNames.approve, { reason: 'no winner named' });
    await trial.run('newer', 2).signal(signalNames.approve, { winner: 'new' });
    await untilComplete('newer');
  });

  test('goes back when the old one wins', async () => {
    await startCanary('older', { ab: { share: 50 } });
    await untilAtStep('older', 0, 2);
    await approveByAnnotation('older-2', { step: 0, winner: 'old' });
    expect(await untilBack('older')).toBe(cancelReasons.oldWon);
    await trial.untilCondition('older', 'Progressing', 'RolloutCancelled');
    expect(await trial.untilRunEnded('older', 2)).toBe('FAILED');
  });
});

describe('in a step', () => {
  test('a cancel goes back, and a retry by signal begins with the first step', async () => {
    await startCanary('cancelled', {
      steps: [{ count: 1 }, { count: 2, approve: true }],
    });
    await untilAtStep('cancelled', 1, 2);
    await trial.run('cancelled', 2).cancel();
    expect(await untilBack('cancelled')).toBe(cancelReasons.byUser);
    expect(await trial.untilRunEnded('cancelled', 2)).toBe('CANCELLED');

    const ref = { cluster: 'local', namespace: trial.namespace, name: 'cancelled', version: 2 };
    await trial.temporal.workflow.signalWithStart('deploymentConfig', {
      workflowId: trial.run('cancelled', 2).workflowId,
      taskQueue,
      args: [ref],
      signal: signalNames.retry,
      signalArgs: [{ reason: 'once more' }],
    });
    await untilAtStep('cancelled', 1, 2);
    await approveByAnnotation('cancelled-2', { step: 1 });
    await untilComplete('cancelled');
  });

  test('a newer version takes over, and compares itself with the last complete one', async () => {
    await startCanary('overtaken', held);
    await untilAtStep('overtaken', 0, 1);
    await trial.setImage('overtaken', 'example.com/web:3');
    const failed = await trial.untilPhase('overtaken-2', 'Failed');
    expect(reasonOf(failed)).toBe(cancelReasons.newerFound);
    await trial.untilServing('overtaken-2', 0);
    await trial.untilServing('overtaken-3', 1);
    await trial.untilServing('overtaken-1', 3);
    await approveByAnnotation('overtaken-3', { step: 0 });
    await trial.untilPhase('overtaken-3', 'Complete');
    await trial.untilServing('overtaken-3', 4);
  });

  test('a pause of the config holds everything, and no time passes for the step', async () => {
    await startCanary('paused', { steps: [{ count: 1, pause: { seconds: 3 } }] });
    await untilAtStep('paused', 0, 1);
    await trial.patch('paused', { spec: { paused: true } });
    await trial.untilCondition('paused', 'Progressing', 'DeploymentPaused');
    const waited = await waitFor('the clock of the step stands still', async () => {
      const annotations = (await trial.version('paused-2'))?.metadata.annotations;
      return annotations?.[configAnnotations.canaryWaited];
    });
    expect(Number(waited)).toBeLessThan(3_000);
    await trial.patch('paused', { spec: { paused: false } });
    const resumedAtMs = Date.now();
    await trial.untilPhase('paused-2', 'Complete');
    expect(Date.now() - resumedAtMs).toBeGreaterThanOrEqual(3_000 - Number(waited));
  });

  test('pods that never come fail the version after its time, and waiting does not', async () => {
    await trial.create('late', {
      strategy: {
        type: 'Canary',
        canaryParams: { timeoutSeconds: 2, steps: [{ count: 1, pause: { seconds: 4 } }] },
      },
    });
    await trial.untilPhase('late-1', 'Complete');
    await trial.setImage('late', 'example.com/web:2');
    await trial.untilPhase('late-2', 'Complete');
    await trial.setImage('late', 'example.com/web:404');
    const failed = await trial.untilPhase('late-3', 'Failed');
    expect(reasonOf(failed)).toContain(cancelReasons.timedOut);
    await trial.untilServing('late-2', 4);
  });
});

test.each([
  ['canary', 1, 5],
  ['ab', 0, 3],
])('the example %s does what it says', async (name, step, pods) => {
  const text = await readFile(`examples/${name}.yaml`, 'utf8');
  const { metadata, ...rest } = parse(text) as DeploymentConfig;
  const config = { ...rest, metadata: { ...metadata, namespace: trial.namespace } };
  await trial.cluster.client.create(resources.deploymentConfigs, config, { strict: true });
  await trial.untilPhase(`${name}-1`, 'Complete');
  await trial.setImage(name, 'nginx:1.29-alpine');
  await untilAtStep(name, step, pods, 10);
  await approveByAnnotation(`${name}-2`, { step, winner: 'new' });
  await trial.untilPhase(`${name}-2`, 'Complete');
});
