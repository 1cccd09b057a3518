import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { hookWorkflowId } from '../../src/contracts/hook.js';
import type { HookMoment } from '../../src/domain/shared/hook.js';
import { annotations } from '../../src/kubernetes/deployments/annotations.js';
import { hookAnnotations } from '../../src/kubernetes/hooks/annotations.js';
import { readHookRecord } from '../../src/kubernetes/hooks/hook-record.js';
import type { Deployment, ReplicaSet } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { isHeld } from '../../src/kubernetes/run-once-pods/hold.js';
import {
  conditionOf,
  DeploymentTrial,
  imageOf,
  sharedServers,
} from '../support/deployment-trial.js';
import { hookCases, hookPolicies } from '../support/hook-cases.js';
import { HookTrial } from '../support/hook-trial.js';
import { refusalOf } from '../support/refusal-of.js';
import { runSlipway } from '../support/slipway-command.js';
import { waitFor } from '../support/wait-for.js';

const api = 'slipway.dev/v1alpha1';

let trial: DeploymentTrial;
let hooks: HookTrial;

beforeAll(async () => {
  trial = await DeploymentTrial.open(sharedServers());
  hooks = new HookTrial(trial, resources.replicaSets);
});
afterAll(async () => {
  await trial.close();
});

const exec = (failurePolicy: string, command = ['rake', 'db:migrate']) => ({
  failurePolicy,
  execNewPod: { command, containerName: 'main' },
});

/** The set of an image, as soon as there is one. */
const setOf = (name: string, image = 'example.com/web:1'): Promise<ReplicaSet> =>
  waitFor(`${name} has a set of ${image}`, async () =>
    (await trial.replicaSets(name)).find((set) => imageOf(set) === image),
  );

const progress = (deployment: Deployment) => conditionOf(deployment, 'Progressing');

const untilReason = (name: string, reason: string): Promise<Deployment> =>
  trial.untilCondition(api, name, 'Progressing', reason);

const isAvailable = (name: string): Promise<Deployment> =>
  untilReason(name, 'NewReplicaSetAvailable');

describe.each(['pre', 'mid', 'post'] as const)('a %s hook of a Deployment', (moment) => {
  // In the document's form, a post hook neither aborts nor fails what is in place already.
  const isLate = moment === 'post';
  const policies = isLate ? hookPolicies.filter((policy) => policy !== 'Abort') : hookPolicies;

  test.each(hookCases.map((each, index) => [each.name, each, index] as const))(
    'with %s ends as its policy says',
    async (_name, { deadlineSeconds, play, ends, resources: limits }, index) => {
      await Promise.all(
        policies.map(async (policy) => {
          const name = `${moment}-${index}-${policy.toLowerCase()}`;
          await trial.create(api, name, {
            replicas: 1,
            strategy: {
              type: 'Recreate',
              lifecycle: { [moment]: exec(policy) },
              ...(deadlineSeconds === undefined ? {} : { activeDeadlineSeconds: deadlineSeconds }),
              ...(limits === undefined ? {} : { resources: limits }),
            },
          });
          const set = (await setOf(name)).metadata.name;
          await play(hooks, set, moment, policy);
          const [hook, end, tries] = ends[policy];
          const kept = await hooks.untilPhase(set, moment, hook);
          expect(readHookRecord(kept, moment).ended).toBeGreaterThanOrEqual(tries);
          if (end === 'Complete' || isLate) {
            await isAvailable(name);
            expect(await trial.untilRunEnded(name)).toBe('COMPLETED');
          } else {
            const failed = await untilReason(name, 'HookFailed');
            expect(progress(failed)?.message).toMatch(`the ${moment} hook failed: `);
            expect((await setOf(name)).spec?.replicas).toBe(0);
            expect(await trial.untilRunEnded(name)).toBe('FAILED');
          }
          await waitFor(`the pod of ${set} is let go`, async () => {
            const pod = await hooks.find(set, moment);
            return pod === undefined || !isHeld(pod) ? true : undefined;
          });
        }),
      );
    },
    120_000,
  );
});

const allHooks = { pre: exec('Abort'), mid: exec('Abort'), post: exec('Retry') };

const deploy = async (name: string, strategy: object, more: object = {}): Promise<string> => {
  await trial.create(api, name, { replicas: 2, strategy, ...more });
  return (await setOf(name)).metadata.name;
};

/** Rolls a Deployment out with hooks that all succeed. */
const deployWell = async (name: string, strategy: object, more: object = {}): Promise<string> => {
  const set = await deploy(name, strategy, more);
  const { lifecycle } = strategy as { lifecycle: Partial<Record<HookMoment, object>> };
  for (const moment of ['pre', 'mid', 'post'] as const) {
    if (lifecycle[moment] !== undefined) await hooks.end(set, moment, 0);
  }
  await isAvailable(name);
  return set;
};

describe('a Deployment with hooks', () => {
  test('runs each in its turn, in a run of its own, and moves nothing meanwhile', async () => {
    const strategy = { type: 'Recreate', lifecycle: allHooks };
    const first = await deployWell('turns', strategy);
    await trial.setImage(api, 'turns', 'example.com/web:2');
    const second = (await setOf('turns', 'example.com/web:2')).metadata.name;

    await hooks.until(second, 'pre');
    const held = await untilReason('turns', 'HookRunning');
    expect(held.status?.availableReplicas).toBe(2);
    expect((await setOf('turns')).spec?.replicas).toBe(2);
    expect((await setOf('turns', 'example.com/web:2')).spec?.replicas).toBe(0);
    const details = await trial.run('turns').query<{ summary: string }>('status');
    expect(details.summary).toMatch(`Waiting for the pre hook of ${second} to end`);
    await hooks.end(second, 'pre', 0);

    await hooks.until(second, 'mid');
    expect(await trial.pods('turns')).toHaveLength(0);
    await hooks.end(second, 'mid', 0);

    await hooks.until(second, 'post');
    expect((await setOf('turns', 'example.com/web:2')).status?.availableReplicas).toBe(2);
    expect(progress(await trial.get(api, 'turns'))?.reason).not.toBe('NewReplicaSetAvailable');
    await hooks.end(second, 'post', 0);
    await isAvailable('turns');
    expect(await trial.untilRunEnded('turns')).toBe('COMPLETED');

    const ref = { cluster: 'local', namespace: trial.namespace, name: 'turns' };
    for (const moment of ['pre', 'mid', 'post'] as const) {
      const kept = await hooks.untilPhase(second, moment, 'Succeeded');
      expect(kept.metadata.annotations?.[hookAnnotations(moment).pod]).toBe(
        `${second}-hook-${moment}`,
      );
      const id = hookWorkflowId({ ...ref, version: 2, moment, replicaSet: second });
      expect(id).toBe(`hook/local/${trial.namespace}/${second}-hook-${moment}`);
      expect((await trial.temporal.workflow.getHandle(id).describe()).status.name).toBe(
        'COMPLETED',
      );
    }
    expect(first).not.toBe(second);
  });

  test('may be scaled while a hook runs, and runs none for that', async () => {
    const strategy = { lifecycle: { pre: exec('Retry') } };
    await deployWell('scaled', strategy);
    await trial.setImage(api, 'scaled', 'example.com/web:2');
    const second = (await setOf('scaled', 'example.com/web:2')).metadata.name;
    await hooks.until(second, 'pre');
    await trial.patch(api, 'scaled', { spec: { replicas: 5 } });
    await waitFor('the old set has 5 pods', async () =>
      (await setOf('scaled')).status?.availableReplicas === 5 ? true : undefined,
    );
    expect((await setOf('scaled', 'example.com/web:2')).spec?.replicas).toBe(0);
    await hooks.end(second, 'pre', 0);
    await isAvailable('scaled');
    await trial.patch(api, 'scaled', { spec: { replicas: 3 } });
    await trial.untilComplete(api, 'scaled');
    expect(await hooks.find(second, 'pre', 2)).toBeUndefined();
  });

  test('ends the hook of a template that was overtaken before it runs the next', async () => {
    const first = await deploy('overtaken', { lifecycle: { pre: exec('Retry') } });
    await hooks.until(first, 'pre');
    await trial.setImage(api, 'overtaken', 'example.com/web:2');
    const second = (await setOf('overtaken', 'example.com/web:2')).metadata.name;
    await hooks.until(second, 'pre');
    // It was over when the next one began.
    const stopped = readHookRecord(await setOf('overtaken'), 'pre');
    expect(stopped).toMatchObject({ phase: 'Failed', wasStopped: true });
    await hooks.end(second, 'pre', 0);
    await isAvailable('overtaken');
  });

  test('that is cancelled ends its hook, and runs it again when it is resumed', async () => {
    const set = await deploy('cancelled', { lifecycle: { pre: exec('Retry') } });
    await hooks.until(set, 'pre');
    await trial.run('cancelled').cancel();
    expect(await trial.untilRunEnded('cancelled')).toBe('CANCELLED');
    await hooks.untilPhase(set, 'pre', 'Failed');
    await trial.patch(api, 'cancelled', {
      metadata: { annotations: { [annotations.cancelled]: null } },
      spec: { paused: false },
    });
    await hooks.end(set, 'pre', 0, { number: 2 });
    await isAvailable('cancelled');
  });

  test('that is paused starts none, and goes on where it was', async () => {
    const set = await deployWell('paused', { lifecycle: { pre: exec('Retry') } });
    await trial.setImage(api, 'paused', 'example.com/web:2', { paused: true });
    await untilReason('paused', 'DeploymentPaused');
    expect(await trial.replicaSets('paused')).toHaveLength(1);
    await trial.patch(api, 'paused', { spec: { paused: false } });
    const second = (await setOf('paused', 'example.com/web:2')).metadata.name;
    await hooks.end(second, 'pre', 0);
    await isAvailable('paused');
    expect(set).not.toBe(second);
  });

  test('that somebody takes back runs them once more: it is another revision', async () => {
    const first = await deployWell('back', { lifecycle: { pre: exec('Retry') } });
    await trial.setImage(api, 'back', 'example.com/web:2');
    const second = (await setOf('back', 'example.com/web:2')).metadata.name;
    await hooks.end(second, 'pre', 0);
    await isAvailable('back');
    await trial.patch(api, 'back', { spec: { rollbackTo: { revision: 1 } } });
    await hooks.until(first, 'pre', 2);
    expect((await setOf('back')).spec?.replicas).toBe(0);
    await hooks.end(first, 'pre', 0, { number: 2 });
    await waitFor('revision 3 is complete', async () => {
      const deployment = await trial.get(api, 'back');
      return progress(deployment)?.message?.includes(first) === true &&
        progress(deployment)?.reason === 'NewReplicaSetAvailable'
        ? true
        : undefined;
    });
  });
});

test('deploy follows a Deployment until its post hook has ended', async () => {
  const manifest = trial.manifest(api, 'followed', {
    replicas: 1,
    strategy: { lifecycle: { post: exec('Retry') } },
  });
  const { kubeconfig } = sharedServers();
  const common = ['-n', trial.namespace, '--kubeconfig', kubeconfig];
  const following = runSlipway(['deploy', '-f', '-', ...common], {
    input: JSON.stringify(manifest),
  });
  const set = (await setOf('followed')).metadata.name;
  await hooks.until(set, 'post');
  expect((await trial.untilComplete(api, 'followed')).status?.availableReplicas).toBe(1);
  await hooks.end(set, 'post', 0);
  const { code, stdout, stderr } = await following;
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(`waits for the post hook of ${set}`);
});

describe('a Deployment whose hook fails', () => {
  const lifecycle = { pre: exec('Abort'), abort: exec('Retry', ['rake', 'db:rollback']) };

  test('is reverted by its abort hook, once, and tried again when somebody wants that', async () => {
    await deployWell('reverted', { lifecycle });
    await trial.setImage(api, 'reverted', 'example.com/web:2');
    const second = (await setOf('reverted', 'example.com/web:2')).metadata.name;
    await hooks.end(second, 'pre', 3, { message: 'column exists' });
    const pod = await hooks.until(second, 'abort');
    expect(pod.spec?.containers[0]?.command).toEqual(['rake', 'db:rollback']);
    await hooks.end(second, 'abort', 0);
    await hooks.untilPhase(second, 'abort', 'Succeeded');
    const failed = await untilReason('reverted', 'HookFailed');
    expect(progress(failed)?.message).toMatch('failed with exit code 3: column exists');
    expect((await setOf('reverted')).status?.availableReplicas).toBe(2);
    expect(await trial.untilRunEnded('reverted')).toBe('FAILED');

    const { kubeconfig } = sharedServers();
    const common = ['-n', trial.namespace, '--kubeconfig', kubeconfig];
    const { code, stdout } = await runSlipway(['retry', 'sdeploy/reverted', ...common]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('the hooks of revision 2 that failed are tried again'),
    ]);
    await hooks.end(second, 'pre', 0, { number: 2 });
    await isAvailable('reverted');
    const again = await runSlipway(['retry', 'sdeploy/reverted', ...common]);
    expect(again.code).toBe(2);
    expect(again.stderr).toMatch('none of its hooks has failed');
  });

  test('goes back by itself where it is asked to, and runs no hook for that', async () => {
    const first = await deployWell('returned', { lifecycle }, { rollbackOnFailure: true });
    await trial.setImage(api, 'returned', 'example.com/web:2');
    const second = (await setOf('returned', 'example.com/web:2')).metadata.name;
    await hooks.end(second, 'pre', 1);
    await trial.untilCondition(api, 'returned', 'RolledBack', 'HookFailed');
    await hooks.end(second, 'abort', 0);
    expect(await trial.untilRunEnded('returned')).toBe('FAILED');
    expect(await hooks.find(first, 'pre', 2)).toBeUndefined();
  });

  test('stays where nothing reverts what its hooks have done, unless it may go back over them', async () => {
    const rollOut = async (name: string, more: object): Promise<string> => {
      const strategy = { lifecycle: { pre: exec('Abort') } };
      await deployWell(name, strategy, {
        rollbackOnFailure: true,
        progressDeadlineSeconds: 2,
        ...more,
      });
      const annotations = { 'kwok.slipway.dev/ready-after': '1h' };
      await trial.patch(api, name, { spec: { template: { metadata: { annotations } } } });
      const second = await waitFor('the set whose pods are late', async () =>
        (await trial.replicaSets(name)).find(
          ({ spec }) => spec?.template?.metadata?.annotations !== undefined,
        ),
      ).then(({ metadata }) => metadata.name);
      await hooks.end(second, 'pre', 0);
      return second;
    };
    await rollOut('barred', {});
    await rollOut('allowed', { rollbackOverHooks: true });
    await trial.untilCondition(api, 'allowed', 'RolledBack', 'ProgressDeadlineExceeded');
    await untilReason('barred', 'ProgressDeadlineExceeded');
    expect(await trial.untilRunEnded('barred')).toBe('FAILED');
    const deployment = await trial.get(api, 'barred');
    expect(conditionOf(deployment, 'RolledBack')).toBeUndefined();
  });
});

describe('a Deployment is refused', () => {
  const hook = { failurePolicy: 'Retry', execNewPod: { command: ['x'] } };
  test.each([
    [
      'an unknown container',
      { pre: { ...hook, execNewPod: { command: ['x'], containerName: 'y' } } },
      'spec.strategy.lifecycle.pre.execNewPod.containerName',
    ],
    [
      'an empty command',
      { pre: { ...hook, execNewPod: { command: [] } } },
      'spec.strategy.lifecycle.pre.execNewPod.command',
    ],
    ['no action', { post: { failurePolicy: 'Retry' } }, 'spec.strategy.lifecycle.post.execNewPod'],
    ['two actions', { pre: { ...hook, tagImages: [] } }, 'spec.strategy.lifecycle.pre.tagImages'],
    [
      'a post hook that aborts',
      { post: { ...hook, failurePolicy: 'Abort' } },
      'spec.strategy.lifecycle.post.failurePolicy',
    ],
    ['a mid hook of a rolling update', { mid: hook }, 'spec.strategy.lifecycle.mid'],
    [
      'an unknown policy',
      { pre: { ...hook, failurePolicy: 'Never' } },
      'spec.strategy.lifecycle.pre.failurePolicy',
    ],
  ])('with %s', async (_what, lifecycle, field) => {
    const said = await refusalOf(trial.create(api, 'refused', { strategy: { lifecycle } }));
    expect(said.message).toMatch(field);
    expect(await trial.isGone(api, 'refused')).toBe(true);
  });
});
