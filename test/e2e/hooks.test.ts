import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { hookWorkflowId } from '../../src/contracts/hook.js';
import { hookPodName, type HookMoment } from '../../src/domain/shared/hook.js';
import { configAnnotations } from '../../src/kubernetes/deployment-configs/annotations.js';
import type { ReplicationController } from '../../src/kubernetes/deployment-configs/objects.js';
import { hookAnnotations } from '../../src/kubernetes/hooks/annotations.js';
import { readHookRecord } from '../../src/kubernetes/hooks/hook-record.js';
import type { KubernetesObject, Pod } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { isHeld } from '../../src/kubernetes/run-once-pods/hold.js';
import { ConfigTrial, phaseOf, reasonOf } from '../support/config-trial.js';
import { sharedServers } from '../support/deployment-trial.js';
import { hookCases, hookPolicies } from '../support/hook-cases.js';
import { HookTrial } from '../support/hook-trial.js';
import { waitFor } from '../support/wait-for.js';

let trial: ConfigTrial;
let hooks: HookTrial;

beforeAll(async () => {
  trial = await ConfigTrial.open(sharedServers());
  hooks = new HookTrial(trial);
});
afterAll(async () => {
  await trial.close();
});

const moments = ['pre', 'mid', 'post'] as const;

const exec = (failurePolicy: string, command = ['rake', 'db:migrate']) => ({
  failurePolicy,
  execNewPod: { command, containerName: 'web' },
});

const triesOf = (version: ReplicationController, moment: HookMoment): number => {
  const record = version.metadata.annotations?.[hookAnnotations(moment).record] ?? '{}';
  return (JSON.parse(record) as { ended: number }).ended;
};

describe.each(moments)('a %s hook', (moment) => {
  test.each(hookCases.map((each, index) => [each.name, each, index] as const))(
    'with %s ends as its policy says',
    async (_name, { deadlineSeconds, play, ends, resources: limits }, index) => {
      await Promise.all(
        hookPolicies.map(async (policy) => {
          const name = `${moment}-${index}-${policy.toLowerCase()}`;
          const limit = (seconds: number) => ({ timeoutSeconds: seconds - 1 });
          await trial.create(name, {
            replicas: 1,
            strategy: {
              type: 'Recreate',
              recreateParams: {
                [moment]: exec(policy),
                // It may not be longer than the deadline.
                ...(deadlineSeconds === undefined ? {} : limit(deadlineSeconds)),
              },
              ...(deadlineSeconds === undefined ? {} : { activeDeadlineSeconds: deadlineSeconds }),
              ...(limits === undefined ? {} : { resources: limits }),
            },
          });
          const version = `${name}-1`;
          await play(hooks, version, moment, policy);
          const [hook, end, tries] = ends[policy];
          await hooks.untilPhase(version, moment, hook);
          const found = await trial.untilPhase(version, end);
          expect(triesOf(found, moment)).toBeGreaterThanOrEqual(tries);
          if (end === 'Failed') expect(reasonOf(found)).toMatch(`the ${moment} hook failed: `);
          if (end === 'Failed' && moment !== 'post') expect(found.spec?.replicas).toBe(0);
          await waitFor(`the pod of ${version} is let go`, async () => {
            const pod = await hooks.find(version, moment);
            return pod === undefined || !isHeld(pod) ? true : undefined;
          });
        }),
      );
    },
    120_000,
  );
});

describe('the pod of a hook', () => {
  test('is like its container, where that makes sense', async () => {
    await trial.cluster.client.create(resources.serviceAccounts, {
      metadata: { name: 'runner', namespace: trial.namespace },
    });
    const container = {
      name: 'web',
      image: 'example.com/rails:1',
      command: ['serve'],
      workingDir: '/app',
      env: [
        { name: 'DATABASE', value: 'mysql' },
        { name: 'MODE', value: 'serve' },
      ],
      ports: [{ containerPort: 80 }],
      readinessProbe: { httpGet: { port: 80 } },
      lifecycle: { preStop: { exec: { command: ['true'] } } },
      volumeMounts: [
        { name: 'data', mountPath: '/data' },
        { name: 'cache', mountPath: '/cache' },
      ],
    };
    await trial.create('like', {
      replicas: 1,
      strategy: {
        type: 'Rolling',
        rollingParams: {
          pre: {
            failurePolicy: 'Abort',
            execNewPod: {
              containerName: 'web',
              command: ['rake', 'db:migrate'],
              env: [{ name: 'MODE', value: 'migrate' }],
              volumes: ['data'],
            },
          },
        },
        resources: { limits: { memory: '64Mi' } },
        labels: { team: 'shop' },
      },
      template: {
        metadata: { labels: { app: 'like' } },
        spec: {
          serviceAccountName: 'runner',
          imagePullSecrets: [{ name: 'registry' }],
          volumes: [
            { name: 'data', emptyDir: {} },
            { name: 'cache', emptyDir: {} },
          ],
          containers: [{ name: 'proxy', image: 'example.com/proxy:1' }, container],
        },
      },
    });
    const pod = await hooks.until('like-1', 'pre');
    expect(pod.metadata).toMatchObject({
      name: 'like-1-hook-pre',
      labels: {
        team: 'shop',
        'openshift.io/deployer-pod-for.name': 'like-1',
        'openshift.io/deployer-pod.type': 'hook-pre',
      },
    });
    expect(pod.spec).toMatchObject({
      restartPolicy: 'Never',
      serviceAccountName: 'runner',
      imagePullSecrets: [{ name: 'registry' }],
    });
    const [own] = pod.spec?.containers ?? [];
    expect(pod.spec?.containers).toHaveLength(1);
    expect(own).toMatchObject({
      image: 'example.com/rails:1',
      command: ['rake', 'db:migrate'],
      workingDir: '/app',
      resources: { limits: { memory: '64Mi' } },
      env: [
        { name: 'DATABASE', value: 'mysql' },
        { name: 'MODE', value: 'migrate' },
        { name: 'OPENSHIFT_DEPLOYMENT_NAME', value: 'like-1' },
        { name: 'OPENSHIFT_DEPLOYMENT_NAMESPACE', value: trial.namespace },
      ],
    });
    expect(own?.ports).toBeUndefined();
    expect(own?.readinessProbe).toBeUndefined();
    expect(own?.lifecycle).toBeUndefined();
    const mounts = own?.volumeMounts?.map(({ name }) => name) ?? [];
    expect(mounts.filter((name) => !name.startsWith('kube-api-access'))).toEqual(['data']);
    await hooks.end('like-1', 'pre', 0);
    await trial.untilPhase('like-1', 'Complete');
  });
});

describe('a version with hooks', () => {
  const strategy = {
    type: 'Recreate',
    recreateParams: { pre: exec('Abort'), mid: exec('Abort'), post: exec('Abort') },
  };

  test('runs each in its turn, in a run of its own', async () => {
    await trial.create('turns', { strategy });
    const atNew = await hooks.until('turns-1', 'pre').then(() => trial.version('turns-1'));
    expect(phaseOf(atNew!)).toBe('New');
    expect(atNew?.spec?.replicas).toBe(0);
    await hooks.end('turns-1', 'pre', 0);
    await hooks.until('turns-1', 'mid');
    expect((await trial.version('turns-1'))?.spec?.replicas).toBe(0);
    await hooks.end('turns-1', 'mid', 0);
    const post = await hooks.until('turns-1', 'post').then(() => trial.version('turns-1'));
    expect(phaseOf(post!)).toBe('Running');
    expect(post?.status?.availableReplicas).toBe(4);
    await hooks.end('turns-1', 'post', 0);
    const done = await trial.untilPhase('turns-1', 'Complete');
    for (const moment of moments) {
      expect(done.metadata.annotations).toMatchObject({
        [hookAnnotations(moment).pod]: hookPodName('turns-1', moment),
        [hookAnnotations(moment).phase]: 'Succeeded',
      });
      const ref = { cluster: 'local', namespace: trial.namespace, name: 'turns' };
      const handle = trial.temporal.workflow.getHandle(
        hookWorkflowId({ ...ref, version: 1, moment }),
      );
      expect((await handle.result()) as object).toMatchObject({ phase: 'Succeeded' });
      const { parentExecution } = await handle.describe();
      expect(parentExecution?.workflowId).toBe(trial.run('turns', 1).workflowId);
    }
  });

  test('that fails before it began leaves the old one as it was', async () => {
    await trial.patch('turns', {
      spec: { template: trial.template('turns', 'example.com/web:2') },
    });
    await hooks.end('turns-2', 'pre', 3, { message: 'duplicate column' });
    const failed = await trial.untilPhase('turns-2', 'Failed');
    expect(reasonOf(failed)).toBe(
      'the pre hook failed: pod turns-2-hook-pre failed with exit code 3: duplicate column',
    );
    expect((await trial.version('turns-1'))?.spec?.replicas).toBe(4);
    const ref = { cluster: 'local', namespace: trial.namespace, name: 'turns' };
    const handle = trial.temporal.workflow.getHandle(
      hookWorkflowId({ ...ref, version: 2, moment: 'pre' }),
    );
    await expect(handle.result()).rejects.toMatchObject({
      cause: { message: expect.stringContaining('duplicate column') },
    });
  });

  test('runs again what had failed, and nothing that had succeeded, when it is tried again', async () => {
    await trial.annotateVersion('turns-2', { [configAnnotations.retry]: 'now' });
    await hooks.end('turns-2', 'pre', 0, { number: 2 });
    await hooks.end('turns-2', 'mid', 1);
    await trial.untilPhase('turns-2', 'Failed');
    await trial.untilServing('turns-1', 4);
    await trial.annotateVersion('turns-2', { [configAnnotations.retry]: 'now' });
    await hooks.end('turns-2', 'mid', 0, { number: 2 });
    await hooks.end('turns-2', 'post', 0);
    await trial.untilPhase('turns-2', 'Complete');
    expect(await hooks.find('turns-2', 'pre', 3)).toBeUndefined();
  });

  test('ends its hook first when it is cancelled', async () => {
    await trial.patch('turns', {
      spec: { template: trial.template('turns', 'example.com/web:3') },
    });
    await hooks.until('turns-3', 'pre');
    await trial.annotateVersion('turns-3', { [configAnnotations.cancelled]: 'true' });
    const stopped = await trial.untilPhase('turns-3', 'Failed');
    expect(readHookRecord(stopped, 'pre')).toMatchObject({ phase: 'Failed', wasStopped: true });
    await waitFor('its pod is gone', async () =>
      (await hooks.find('turns-3', 'pre')) === undefined ? true : undefined,
    );
  });
});

test('lifecycle.abort runs when a version fails, and the old one comes back meanwhile', async () => {
  await trial.create('reverts', {
    strategy: {
      type: 'Rolling',
      rollingParams: { post: exec('Abort') },
      lifecycle: { abort: exec('Retry', ['rake', 'db:rollback']) },
    },
  });
  await hooks.end('reverts-1', 'post', 0);
  await trial.untilPhase('reverts-1', 'Complete');
  await trial.setImage('reverts', 'example.com/web:2');
  await hooks.end('reverts-2', 'post', 1);
  await trial.untilPhase('reverts-2', 'Failed');
  await trial.untilServing('reverts-1', 4);
  await hooks.end('reverts-2', 'abort', 0);
  await hooks.untilPhase('reverts-2', 'abort', 'Succeeded');
  expect(await trial.untilRunEnded('reverts', 2)).toBe('FAILED');
});

describe('what reverts a version', () => {
  /** Version 2 has failed with its post hook, and its abort hook runs. */
  async function failWithRevert(name: string): Promise<void> {
    await trial.create(name, {
      replicas: 1,
      strategy: {
        type: 'Rolling',
        rollingParams: { pre: exec('Abort'), post: exec('Abort') },
        lifecycle: { abort: exec('Retry', ['rake', 'db:rollback']) },
      },
    });
    for (const [version, code] of [
      [`${name}-1`, 0],
      [`${name}-2`, 1],
    ] as const) {
      await hooks.end(version, 'pre', 0);
      await hooks.end(version, 'post', code);
      if (code === 0) await trial.untilPhase(version, 'Complete');
      if (code === 0) await trial.setImage(name, 'example.com/web:2');
    }
    await trial.untilPhase(`${name}-2`, 'Failed');
    await hooks.until(`${name}-2`, 'abort');
  }

  /** What was asked for before has been seen when a config that is made now is complete. */
  async function untilSeen(control: string): Promise<void> {
    await trial.create(control, { replicas: 1 });
    await trial.untilPhase(`${control}-1`, 'Complete');
  }

  test('comes to its end before that version is tried again, and then all its hooks run anew', async () => {
    await failWithRevert('tried');
    await trial.annotateVersion('tried-2', { [configAnnotations.retry]: 'now' });
    await untilSeen('tried-control');
    const reverting = await trial.version('tried-2');
    expect(phaseOf(reverting!)).toBe('Failed');
    expect(hooks.phaseOf(reverting!, 'abort')).toBe('Running');
    await hooks.end('tried-2', 'abort', 0);
    await hooks.end('tried-2', 'pre', 0, { number: 2 });
    await hooks.end('tried-2', 'post', 0, { number: 2 });
    const done = await trial.untilPhase('tried-2', 'Complete');
    expect(triesOf(done, 'abort')).toBe(1);
  });

  test('comes to its end before the hooks of the next version begin', async () => {
    await failWithRevert('followed');
    await trial.setImage('followed', 'example.com/web:3');
    await trial.untilPhase('followed-3', 'New');
    await untilSeen('followed-control');
    expect(await hooks.find('followed-3', 'pre')).toBeUndefined();
    const { status } = await trial.get('followed');
    const progress = status?.conditions?.find(({ type }) => type === 'Progressing');
    expect(progress?.message).toContain('the abort hook of "followed-2" is running');
    await hooks.end('followed-2', 'abort', 0);
    await hooks.end('followed-3', 'pre', 0);
    await hooks.end('followed-3', 'post', 0);
    await trial.untilPhase('followed-3', 'Complete');
    expect(hooks.phaseOf((await trial.version('followed-2'))!, 'abort')).toBe('Succeeded');
  });
});

test('a config that is deleted and made anew is not held up by the pods of the old one', async () => {
  const spec = {
    replicas: 1,
    strategy: { type: 'Recreate', recreateParams: { pre: exec('Abort') } },
  };
  await trial.create('anew', spec);
  const left = await hooks.until('anew-1', 'pre');
  const type = resources.deploymentConfigs;
  await trial.cluster.client.delete(type, trial.namespace, 'anew');
  await trial.create('anew', spec);
  await waitFor('there is another pod', async () => {
    const pod = await hooks.find('anew-1', 'pre');
    return pod !== undefined && pod.metadata.uid !== left.metadata.uid ? true : undefined;
  });
  await hooks.end('anew-1', 'pre', 0);
  await trial.untilPhase('anew-1', 'Complete');
});

test('a hook with Retry waits for a quota that is used up', async () => {
  const narrow = await ConfigTrial.open(sharedServers());
  try {
    const { client } = narrow.cluster;
    const quotas = { ...resources.pods, kind: 'ResourceQuota', plural: 'resourcequotas' };
    await client.create(quotas, {
      metadata: { name: 'none', namespace: narrow.namespace },
      spec: { hard: { pods: '0' } },
    } as KubernetesObject);
    await narrow.create('narrow', {
      replicas: 1,
      strategy: { type: 'Recreate', recreateParams: { pre: exec('Retry') } },
    });
    const held = await waitFor('a try was refused', async () => {
      const version = await narrow.version('narrow-1');
      return version !== undefined && triesOf(version, 'pre') > 0 ? version : undefined;
    });
    expect([phaseOf(held), hooks.phaseOf(held, 'pre')]).toEqual(['New', 'Pending']);
    const { reason } = readHookRecord(held, 'pre');
    expect(reason).toMatch(/^could not be made: pods "narrow-1-hook-pre" is forbidden/);
    await client.delete(quotas, narrow.namespace, 'none');
    const there = await waitFor('its pod runs', async () => {
      const { items } = await client.list<Pod>(resources.pods, narrow.namespace);
      return items.find(({ status }) => status?.phase === 'Running');
    });
    const annotations = { 'kwok.slipway.dev/exit-code': '0' };
    const body = { metadata: { annotations } };
    await client.patch(resources.pods, narrow.namespace, there.metadata.name, 'merge', body);
    const done = await narrow.untilPhase('narrow-1', 'Complete');
    expect(triesOf(done, 'pre')).toBeGreaterThan(1);
  } finally {
    await narrow.close();
  }
});

test('pods of failed tries are kept to a limit', async () => {
  await trial.create('kept', {
    replicas: 1,
    strategy: { type: 'Recreate', recreateParams: { pre: exec('Retry') } },
  });
  for (const number of [1, 2, 3, 4]) await hooks.end('kept-1', 'pre', 1, { number });
  await hooks.end('kept-1', 'pre', 0, { number: 5 });
  await trial.untilPhase('kept-1', 'Complete');
  const { items } = await waitFor('the first tries are gone', async () => {
    const found = await trial.cluster.client.list<Pod>(resources.pods, trial.namespace, {
      labelSelector: 'openshift.io/deployer-pod-for.name=kept-1',
    });
    return found.items.length === 3 ? found : undefined;
  });
  expect(items.map(({ metadata }) => metadata.name).sort()).toEqual([
    'kept-1-hook-pre-3',
    'kept-1-hook-pre-4',
    'kept-1-hook-pre-5',
  ]);
}, 120_000);

test('a hook that tags images says that it can not, and its policy decides', async () => {
  const tagImages = [{ containerName: 'web', to: { kind: 'ImageStreamTag', name: 'web:live' } }];
  const strategy = (failurePolicy: string) => ({
    type: 'Rolling',
    rollingParams: { post: { failurePolicy, tagImages } },
  });
  await trial.create('tags-1', { strategy: strategy('Abort') });
  await trial.create('tags-2', { strategy: strategy('Ignore') });
  expect(reasonOf(await trial.untilPhase('tags-1-1', 'Failed'))).toMatch(/tagImages/);
  await trial.untilPhase('tags-2-1', 'Complete');
});

test('a hook that the apiserver will not have fails', async () => {
  await trial.create('refused', {
    replicas: 1,
    strategy: {
      type: 'Recreate',
      recreateParams: { pre: exec('Abort') },
      // More than its limit, which is checked when a pod is made.
      resources: { requests: { cpu: '2' }, limits: { cpu: '1' } },
    },
  });
  expect(reasonOf(await trial.untilPhase('refused-1', 'Failed'))).toMatch(/must be less than/);
});
