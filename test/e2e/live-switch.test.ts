import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { deploymentTypes } from '../../src/kubernetes/deployments/deployment-key.js';
import type { Deployment } from '../../src/kubernetes/objects.js';
import { startBuiltInController } from '../support/built-in-controller.js';
import { DeploymentTrial } from '../support/deployment-trial.js';
import { startLocalStack, type LocalStack } from '../support/local-stack.js';
import { waitFor } from '../support/wait-for.js';
import { WorkerProcess } from '../support/worker-process.js';

// One cluster, whose Deployment controller is exchanged while it runs.
const api = 'apps/v1';
let stack: LocalStack;
let trial: DeploymentTrial;

/** Whoever is the controller just now. */
let end: () => Promise<unknown> = () => Promise.resolve();

beforeAll(async () => {
  stack = await startLocalStack(['--drop-in']);
  trial = await DeploymentTrial.open(stack);
});

afterAll(async () => {
  await trial.close();
  await end();
  await stack.stop();
});

async function switchToBuiltIn(): Promise<void> {
  await end();
  const controller = await startBuiltInController({ stateDir: stack.stateDir });
  end = () => controller.stop();
}

async function switchToSlipway(): Promise<void> {
  await end();
  const worker = await WorkerProcess.start(stack, ['--drop-in']);
  end = () => worker.end('SIGTERM');
  await worker.says('watching the cluster');
}

const template = (name: string, pod: object, image = 'example.com/web:1'): object => ({
  metadata: { labels: { app: name } },
  spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'main', image }], ...pod },
});

const probe = { httpGet: { path: '/', port: 'http' }, periodSeconds: 3 };

/** Deployments that leave different things to the apiserver's defaults. */
const shapes: Readonly<Record<string, object>> = {
  plain: {},
  recreate: { strategy: { type: 'Recreate' } },
  absolute: { strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
  patient: { minReadySeconds: 1, revisionHistoryLimit: 1, progressDeadlineSeconds: 30 },
  rich: {
    template: template('rich', {
      containers: [
        {
          name: 'main',
          image: 'example.com/web:1',
          ports: [{ name: 'http', containerPort: 8080 }],
          readinessProbe: probe,
          livenessProbe: { tcpSocket: { port: 8080 } },
          resources: { requests: { cpu: '0.5', memory: '64Mi' }, limits: { cpu: 1 } },
          env: [{ name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }],
          volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
        },
      ],
      initContainers: [{ name: 'first', image: 'example.com/init:1' }],
      volumes: [
        { name: 'tmp', emptyDir: {} },
        { name: 'conf', configMap: { name: 'conf', optional: true } },
        { name: 'token', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } },
      ],
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway' },
      ],
    }),
  },
};
const names = Object.keys(shapes);

const touch = (name: string, who: string): Promise<Deployment> =>
  trial.patch(api, name, { metadata: { annotations: { 'example.com/touched-by': who } } });

/** An annotation of each is changed, and the controller that runs now has seen it. */
async function untilAllAreSeen(all: readonly string[], who: string): Promise<void> {
  for (const name of all) {
    const { metadata } = await touch(name, who);
    await waitFor(`${who} has seen ${name}`, async () => {
      const { status } = await trial.get(api, name);
      return (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0) ? true : undefined;
    });
  }
}

interface Inventory {
  readonly pods: readonly string[];
  readonly sets: readonly string[];
}

async function takeInventory(all: readonly string[]): Promise<Inventory> {
  const pods: string[] = [];
  const sets: string[] = [];
  for (const name of all) {
    for (const { metadata, status } of await trial.pods(name)) {
      const restarts = status?.containerStatuses?.map(({ restartCount }) => restartCount) ?? [];
      pods.push(`${metadata.name} ${metadata.uid ?? ''} ${restarts.join()}`);
    }
    for (const { metadata, spec } of await trial.replicaSets(name)) {
      sets.push(`${metadata.name} ${metadata.uid ?? ''} ${spec?.replicas ?? 0}`);
    }
  }
  return { pods: pods.sort(), sets: sets.sort() };
}

test('from the built-in controller to Slipway and back: not one pod restarts', async () => {
  await switchToBuiltIn();
  for (const name of names) await trial.create(api, name, shapes[name]);
  for (const name of names) await trial.untilComplete(api, name);
  // One with a history, and one that stands in the middle of a rollout that can't go on.
  await trial.setImage(api, 'plain', 'example.com/web:2');
  await trial.untilComplete(api, 'plain');
  await trial.create(api, 'midway', { replicas: 10 });
  await trial.untilComplete(api, 'midway');
  await trial.setImage(api, 'midway', 'example.com/web:404');
  await waitFor('midway stands', async () => {
    const { status } = await trial.get(api, 'midway');
    return status?.updatedReplicas === 5 && status.replicas === 13 ? true : undefined;
  });
  const all = [...names, 'midway'];
  const builtIn = await takeInventory(all);

  await switchToSlipway();
  await untilAllAreSeen(all, 'slipway');
  expect(await takeInventory(all)).toEqual(builtIn);

  // What Slipway makes and changes now, the built-in controller has to recognise.
  for (const name of names) {
    await trial.setImage(api, name, 'example.com/web:3');
    await trial.untilComplete(api, name);
  }
  await trial.patch(api, 'recreate', { spec: { replicas: 6 } });
  await trial.untilComplete(api, 'recreate');
  const slipway = await takeInventory(all);
  expect(slipway.sets).not.toEqual(builtIn.sets);

  await switchToBuiltIn();
  await untilAllAreSeen(all, 'built-in');
  expect(await takeInventory(all)).toEqual(slipway);

  // And the rollout in the middle ends under yet another change of hands.
  await switchToSlipway();
  await trial.setImage(api, 'midway', 'example.com/web:1');
  await trial.untilComplete(api, 'midway');
  const sets = await trial.replicaSets('midway');
  expect(sets.map(({ spec }) => spec?.replicas).sort()).toEqual([0, 10]);
});

test('in the middle of a rollout, again and again: it ends, and the floor holds', async () => {
  await switchToSlipway();
  const name = 'relay';
  const slow = { 'kwok.slipway.dev/ready-after': '1s' };
  await trial.create(api, name, {
    replicas: 12,
    strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } },
    template: { ...template(name, {}), metadata: { labels: { app: name }, annotations: slow } },
  });
  await trial.untilComplete(api, name);
  await trial.setImage(api, name, 'example.com/web:2');
  // At once: what Slipway has planned by then must not be done when it comes back.
  await switchToBuiltIn();
  let lowest = Infinity;
  const untilUpdated = (count: number): Promise<unknown> =>
    waitFor(`${count} pods of ${name} are new`, async () => {
      const sets = await trial.replicaSets(name);
      const available = sets.reduce((sum, set) => sum + (set.status?.availableReplicas ?? 0), 0);
      lowest = Math.min(lowest, available);
      const { metadata, status } = await trial.get(api, name);
      const isSeen = (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
      return isSeen && (status?.updatedReplicas ?? 0) >= count ? true : undefined;
    });
  for (const [count, next] of [
    [4, switchToSlipway],
    [8, switchToBuiltIn],
  ] as const) {
    await untilUpdated(count);
    await next();
  }
  await untilUpdated(12);
  await trial.untilComplete(api, name);
  expect(await trial.replicaSets(name)).toHaveLength(2);
  expect(lowest).toBeGreaterThanOrEqual(11);
  await trial.cluster.client.delete(deploymentTypes[api], trial.namespace, name);
});
