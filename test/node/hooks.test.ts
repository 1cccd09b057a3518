import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { busyboxImage } from '../../src/dev/node/standard-images.js';
import { hookPodName, type HookMoment } from '../../src/domain/shared/hook.js';
import type { KubernetesObject } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { reasonOf, type ConfigTrial } from '../support/config-trial.js';
import { HookTrial } from '../support/hook-trial.js';
import { endOf, findKubectl, openRealTrial, podEnd, runKubectl } from '../support/real-node.js';
import { runSlipway } from '../support/slipway-command.js';
import { waitFor } from '../support/wait-for.js';

let trial: ConfigTrial;
let hooks: HookTrial;
let kubectl = '';

beforeAll(async () => {
  kubectl = await findKubectl();
  trial = await openRealTrial();
  hooks = new HookTrial(trial);
}, 900_000);
afterAll(async () => {
  await trial.close();
});

const policies = ['Retry', 'Abort', 'Ignore'] as const;
const moments = ['pre', 'mid', 'post'] as const;

/** What the version's pods run: something that goes on, and ends when it is asked to. */
const template = (name: string, over: object = {}) => ({
  metadata: { labels: { app: name } },
  spec: {
    containers: [
      {
        name: 'web',
        image: busyboxImage,
        command: ['/bin/sh', '-c', 'trap "exit 0" TERM; sleep 3600 & wait'],
      },
    ],
    ...over,
  },
});

const exec = (failurePolicy: string, script: string, over: object = {}) => ({
  failurePolicy,
  execNewPod: { containerName: 'web', command: ['sh', '-c', script], ...over },
});

const create = (name: string, hook: object, over: object = {}) =>
  trial.create(name, {
    replicas: 1,
    strategy: { type: 'Recreate', recreateParams: hook, ...over },
    template: template(name),
  });

const logsOf = async (pod: string): Promise<string> =>
  (await runKubectl(kubectl, ['logs', `--namespace=${trial.namespace}`, pod])).stdout;

const endOfTry = async (version: string, moment: HookMoment, number = 1) => {
  const name = hookPodName(version, moment, number);
  return endOf(await podEnd(trial.cluster, trial.namespace, name));
};

describe.each(moments)('a command of a %s hook', (moment) => {
  test('that fails does so with its exit code and last words, and its policy decides', async () => {
    // The name of a pod tells which try it is.
    const script =
      'case $HOSTNAME in *-2) exit 0;; esac; echo "$HOSTNAME: no such table" >&2; exit 7';
    const expected = { Retry: 'Complete', Abort: 'Failed', Ignore: 'Complete' } as const;
    await Promise.all(
      policies.map(async (policy) => {
        const name = `${moment}-${policy.toLowerCase()}`;
        const version = `${name}-1`;
        await create(name, { [moment]: exec(policy, script) });
        expect(await endOfTry(version, moment)).toMatchObject({
          exitCode: 7,
          reason: 'Error',
          message: expect.stringContaining('no such table'),
        });
        const end = await trial.untilPhase(version, expected[policy]);
        const hookEnd = policy === 'Retry' ? 'Succeeded' : 'Failed';
        expect(hooks.phaseOf(end, moment)).toBe(hookEnd);
        const words = `${hookPodName(version, moment)}: no such table`;
        expect(await logsOf(hookPodName(version, moment))).toBe(`${words}\n`);
        if (policy === 'Retry') expect((await endOfTry(version, moment, 2)).exitCode).toBe(0);
        else expect(await hooks.find(version, moment, 2)).toBeUndefined();
        if (policy !== 'Abort') return;
        expect(reasonOf(end)).toBe(
          `the ${moment} hook failed: pod ${version}-hook-${moment} failed with exit code 7: ${words}`,
        );
        if (moment !== 'post') expect(end.spec?.replicas).toBe(0);
      }),
    );
  });
});

describe('a hook on a real node', () => {
  test('has the environment of its container, its own over it, and the volumes that it names', async () => {
    const { client } = trial.cluster;
    const type = { apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
    await client.create(type, {
      metadata: { name: 'words', namespace: trial.namespace },
      data: { word: 'mounted' },
    } as object as { metadata: { name: string } });
    const script =
      'echo "$MODE in $PLACE for $OPENSHIFT_DEPLOYMENT_NAME"; cat /words/word; ls /scratch 2>/dev/null';
    const spec = template('like').spec;
    const container = {
      ...spec.containers[0],
      env: [
        { name: 'PLACE', value: 'shop' },
        { name: 'MODE', value: 'serve' },
      ],
      volumeMounts: [
        { name: 'words', mountPath: '/words' },
        { name: 'scratch', mountPath: '/scratch' },
      ],
    };
    const volumes = [
      { name: 'words', configMap: { name: 'words' } },
      { name: 'scratch', emptyDir: {} },
    ];
    const over = { env: [{ name: 'MODE', value: 'migrate' }], volumes: ['words'] };
    await trial.create('like', {
      replicas: 1,
      strategy: { type: 'Recreate', recreateParams: { pre: exec('Ignore', script, over) } },
      template: { ...template('like'), spec: { ...spec, containers: [container], volumes } },
    });
    const { exitCode } = await endOfTry('like-1', 'pre');
    const logs = await logsOf('like-1-hook-pre');
    // It fails, because the volume that it doesn't name is not there.
    expect([exitCode, logs]).toEqual([1, 'migrate in shop for like-1\nmounted']);
    await trial.untilPhase('like-1', 'Complete');
  });

  test('is ended at its deadline, and its version fails', async () => {
    const params = { timeoutSeconds: 4, pre: exec('Retry', 'sleep 600') };
    await create('slow', params, { activeDeadlineSeconds: 5 });
    const failed = await trial.untilPhase('slow-1', 'Failed');
    expect(reasonOf(failed)).toMatch(/^the pre hook failed: /);
    expect(failed.spec?.replicas).toBe(0);
  });

  test('whose pod is deleted is asked to end, and tried again', async () => {
    const script = 'case $HOSTNAME in *-2) exit 0;; esac; trap "exit 143" TERM; sleep 600 & wait';
    await create('gone', { pre: exec('Retry', script) });
    await hooks.until('gone-1', 'pre');
    await trial.cluster.client.delete(resources.pods, trial.namespace, 'gone-1-hook-pre');
    await trial.untilPhase('gone-1', 'Complete');
    expect((await endOfTry('gone-1', 'pre', 2)).exitCode).toBe(0);
  });

  test('of a Deployment that is cancelled and resumed while it ends runs again, and has not failed', async () => {
    const { client } = trial.cluster;
    // The first process of a container hears of no signal that it doesn't wait for.
    const script = 'case $HOSTNAME in *-2) exit 0;; esac; while :; do sleep 1; done';
    const lifecycle = { pre: exec('Abort', script), abort: exec('Continue', 'exit 0') };
    await client.create(resources.slipwayDeployments, {
      metadata: { name: 'resumed', namespace: trial.namespace },
      spec: { replicas: 1, strategy: { lifecycle }, template: template('resumed') },
    } as KubernetesObject);
    const set = await waitFor('there is a set', async () => {
      const { items } = await client.list(resources.replicaSets, trial.namespace);
      return items.find(({ metadata }) => metadata.name.startsWith('resumed-'));
    });
    const { name } = set.metadata;
    const ofSet = new HookTrial(trial, resources.replicaSets);
    await ofSet.until(name, 'pre');
    const slipway = (word: string) =>
      runSlipway([word, 'sdeploy/resumed', '-n', trial.namespace], {
        env: { KUBECONFIG: process.env['SLIPWAY_E2E_KUBECONFIG'] ?? '' },
      });
    expect(await slipway('cancel')).toMatchObject({ code: 0 });
    await waitFor('its pod is told to end', async () =>
      (await ofSet.find(name, 'pre'))?.metadata.deletionTimestamp !== undefined ? true : undefined,
    );
    expect(await slipway('resume')).toMatchObject({ code: 0 });
    expect((await ofSet.find(name, 'pre'))?.status?.phase).toBe('Running');
    await ofSet.untilPhase(name, 'pre', 'Succeeded');
    expect(await ofSet.find(name, 'pre', 2)).toBeDefined();
    expect(await ofSet.find(name, 'abort')).toBeUndefined();
  });
});
