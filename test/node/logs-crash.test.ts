import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { busyboxImage } from '../../src/dev/node/standard-images.js';
import { layoutOf } from '../../src/dev/stack/layout.js';
import { readState } from '../../src/dev/stack/state.js';
import { resources } from '../../src/kubernetes/resources.js';
import { ConfigTrial } from '../support/config-trial.js';
import { FollowedLogs } from '../support/followed-logs.js';
import { startLocalStack, type LocalStack } from '../support/local-stack.js';
import { realNamespaceAnnotations } from '../support/real-node.js';
import { runSlipway } from '../support/slipway-command.js';
import { WorkerProcess } from '../support/worker-process.js';

// The apiserver is killed here, so this has a stack of its own.
let stack: LocalStack;
let trial: ConfigTrial;
let worker: WorkerProcess;
const startWithinMs = 240_000;

beforeAll(async () => {
  stack = await startLocalStack(['--real-node']);
  trial = await ConfigTrial.open(stack);
  const metadata = { annotations: realNamespaceAnnotations };
  const { client } = trial.cluster;
  await client.patch(resources.namespaces, undefined, trial.namespace, 'merge', { metadata });
  worker = await WorkerProcess.start(stack, ['--cluster-name', 'local']);
}, startWithinMs);
afterAll(async () => {
  await trial.close();
  await worker.end('SIGTERM');
  await stack.stop();
}, startWithinMs);

test(
  'a log that is followed goes on where it was when the apiserver is killed and comes back',
  async () => {
    const script = 'i=0; while [ $i -lt 120 ]; do i=$((i+1)); echo line $i; sleep 0.2; done';
    await trial.create('long', {
      replicas: 0,
      strategy: {
        type: 'Recreate',
        recreateParams: {
          pre: {
            failurePolicy: 'Abort',
            execNewPod: { containerName: 'web', command: ['sh', '-c', script] },
          },
        },
      },
      template: {
        metadata: { labels: { app: 'long' } },
        spec: { containers: [{ name: 'web', image: busyboxImage }] },
      },
    });
    const logs = new FollowedLogs(['dc/long', '--hook', 'pre', '-n', trial.namespace], {
      KUBECONFIG: stack.kubeconfig,
    });
    await logs.says('line 20\n');
    process.kill(readState(layoutOf(stack.stateDir)).parts['kube-apiserver']!.pid, 'SIGKILL');
    const env = { SLIPWAY_STATE_DIR: stack.stateDir };
    const healed = await runSlipway(['dev', 'up', '--real-node', '--no-worker'], { env });
    expect(healed.code).toBe(0);
    expect(await logs.code()).toBe(0);
    const lines = Array.from({ length: 120 }, (_, index) => `line ${index + 1}`);
    expect(logs.stdout.trim().split('\n')).toEqual(lines);
    expect(logs.stderr).toContain('slipway: pod long-1-hook-pre succeeded with exit code 0\n');
  },
  startWithinMs,
);
