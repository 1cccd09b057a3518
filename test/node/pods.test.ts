import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { connectCluster } from '../../src/kubernetes/connect.js';
import { resources } from '../../src/kubernetes/resources.js';
import { withNamespace } from '../support/namespaces.js';
import {
  createPod,
  endOf,
  findKubectl,
  getPod,
  nodeStack,
  podEnd,
  runKubectl,
  runPod,
  scriptPod,
  withRealNamespace,
} from '../support/real-node.js';
import { waitFor } from '../support/wait-for.js';

const cluster = connectCluster({ kubeconfig: nodeStack().kubeconfig });
const inNamespace = (action: (namespace: string) => Promise<void>) => (): Promise<void> =>
  withRealNamespace(cluster, action);

let kubectl = '';
beforeAll(async () => {
  kubectl = await findKubectl();
}, 900_000);
afterAll(() => cluster.client.close());

const logsOf = async (namespace: string, name: string): Promise<string> =>
  (await runKubectl(kubectl, ['logs', `--namespace=${namespace}`, name])).stdout;

describe('a pod on the real node', () => {
  test(
    'succeeds with exit code 0, and what it wrote can be read',
    inNamespace(async (namespace) => {
      const pod = await runPod(cluster, namespace, scriptPod('good', 'echo one; echo two >&2'));
      expect([pod.status?.phase, pod.spec?.nodeName]).toEqual(['Succeeded', 'real-1']);
      expect(endOf(pod).exitCode).toBe(0);
      const lines = (await logsOf(namespace, 'good')).trim().split('\n').sort();
      expect(lines).toEqual(['one', 'two']);
    }),
  );

  test(
    'fails with its exit code and its last words',
    inNamespace(async (namespace) => {
      const script = 'echo migrating; echo "column is missing" >&2; exit 7';
      const container = { terminationMessagePolicy: 'FallbackToLogsOnError' };
      const pod = await runPod(cluster, namespace, scriptPod('bad', script, {}, container));
      expect(pod.status?.phase).toBe('Failed');
      expect(endOf(pod)).toMatchObject({
        exitCode: 7,
        reason: 'Error',
        message: expect.stringContaining('column is missing'),
      });
      expect(await logsOf(namespace, 'bad')).toContain('migrating');
    }),
  );

  test(
    'is tried again until it succeeds, when it is to be restarted on failure',
    inNamespace(async (namespace) => {
      const script = 'test -e /work/tried && exit 0; touch /work/tried; exit 1';
      const pod = await runPod(
        cluster,
        namespace,
        scriptPod(
          'again',
          script,
          { restartPolicy: 'OnFailure', volumes: [{ name: 'work', emptyDir: {} }] },
          { volumeMounts: [{ name: 'work', mountPath: '/work' }] },
        ),
      );
      expect(pod.status?.phase).toBe('Succeeded');
      expect(pod.status?.containerStatuses?.[0]?.restartCount).toBe(1);
    }),
  );

  test(
    'is ended at its deadline',
    inNamespace(async (namespace) => {
      const over = { activeDeadlineSeconds: 2, terminationGracePeriodSeconds: 1 };
      const pod = await runPod(cluster, namespace, scriptPod('slow', 'sleep 600', over));
      expect(pod.status).toMatchObject({ phase: 'Failed', reason: 'DeadlineExceeded' });
    }),
  );

  test.each([
    ['143 when it ends as it is asked to', 'trap "exit 143" TERM; sleep 600 & wait', 143],
    ['137 when it does not', 'trap "" TERM; while :; do sleep 1; done', 137],
  ])('that is deleted ends with %s', async (_when, script, exitCode) => {
    await inNamespace(async (namespace) => {
      const keeper = 'slipway.dev/test';
      const pod = scriptPod('deleted', script, { terminationGracePeriodSeconds: 2 });
      // Held back, so that its end can be read.
      const metadata = { ...pod.metadata, finalizers: [keeper] };
      await createPod(cluster, namespace, { ...pod, metadata });
      await waitFor('the pod runs', async () =>
        (await getPod(cluster, namespace, 'deleted')).status?.phase === 'Running'
          ? true
          : undefined,
      );
      try {
        await cluster.client.delete(resources.pods, namespace, 'deleted');
        expect(endOf(await podEnd(cluster, namespace, 'deleted')).exitCode).toBe(exitCode);
      } finally {
        const words = ['--type=json', '-p=[{"op":"remove","path":"/metadata/finalizers"}]'];
        await runKubectl(kubectl, ['patch', '-n', namespace, 'pod/deleted', ...words]);
      }
    })();
  });

  test(
    'runs commands for kubectl exec',
    inNamespace(async (namespace) => {
      await createPod(cluster, namespace, scriptPod('open', 'sleep 600'));
      await waitFor('the pod runs', async () =>
        (await getPod(cluster, namespace, 'open')).status?.phase === 'Running' ? true : undefined,
      );
      const words = ['exec', '-n', namespace, 'open', '--', 'sh', '-c', 'echo inside; exit 5'];
      expect(await runKubectl(kubectl, words)).toMatchObject({ code: 5, stdout: 'inside\n' });
    }),
  );

  test('is one that asks for it by a label and bears its taint: without the latter it waits', async () => {
    await withNamespace(cluster, async (namespace) => {
      await waitFor('the account of pods', () =>
        cluster.client.get(resources.serviceAccounts, namespace, 'default'),
      );
      await createPod(cluster, namespace, scriptPod('stranger', 'true', { tolerations: [] }));
      const message = await waitFor('the scheduler says why', async () => {
        const { status } = await getPod(cluster, namespace, 'stranger');
        return status?.conditions?.find(({ type }) => type === 'PodScheduled')?.message;
      });
      expect(message).toContain('1 node(s) had untolerated taint(s)');
      const asking = await runPod(cluster, namespace, scriptPod('asking', 'true'));
      expect(asking.spec?.nodeName).toBe('real-1');
    });
  });

  test(
    'is also any of a namespace that is annotated so',
    inNamespace(async (namespace) => {
      const plain = scriptPod('plain', 'exit 4');
      const { nodeSelector: _selector, tolerations: _tolerations, ...spec } = plain.spec!;
      const pod = await runPod(cluster, namespace, { ...plain, spec });
      expect([pod.spec?.nodeName, endOf(pod).exitCode]).toEqual(['real-1', 4]);
    }),
  );
});
