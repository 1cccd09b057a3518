import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import type { WorkflowHandle } from '@temporalio/client';

import type { RollbackRunStatus } from '../../src/contracts/rollback.js';
import { configAnnotations } from '../../src/kubernetes/deployment-configs/annotations.js';
import { decodeConfig } from '../../src/kubernetes/deployment-configs/build-controller.js';
import type { DeploymentConfig } from '../../src/kubernetes/deployment-configs/objects.js';
import { readCauses } from '../../src/kubernetes/deployment-configs/read-causes.js';
import { ConfigTrial, hasty, reasonOf } from '../support/config-trial.js';
import { sharedServers } from '../support/deployment-trial.js';
import { HookTrial } from '../support/hook-trial.js';
import { RollbackTrial } from '../support/rollback-trial.js';
import { waitFor } from '../support/wait-for.js';

let trial: ConfigTrial;
let rollbacks: RollbackTrial;
let hooks: HookTrial;

beforeAll(async () => {
  trial = await ConfigTrial.open(sharedServers());
  rollbacks = new RollbackTrial(trial);
  hooks = new HookTrial(trial);
});
afterAll(async () => {
  await trial.close();
});

/** Pods of such an image never get ready. */
const broken = '404';
const conditionOf = ({ status }: DeploymentConfig, wanted: string) =>
  status?.conditions?.find(({ type }) => type === wanted);
const createdAt = async (version: string): Promise<number> =>
  Date.parse((await trial.version(version))?.metadata.creationTimestamp ?? '');

/** With it a version waits until somebody approves of its first pod. */
const held = { type: 'Canary', canaryParams: { steps: [{ count: 1, approve: true }] } };

/** A config whose version 1 was complete with pods that can't be had any more. */
async function createSpoilt(name: string): Promise<void> {
  await rollbacks.create(name, ['a', 'b'], { replicas: 1 });
  const snapshot = decodeConfig((await trial.version(`${name}-1`))!)!;
  const encoded = JSON.stringify({ ...snapshot, spec: { ...snapshot.spec, ...hasty } });
  await trial.annotateVersion(`${name}-1`, {
    [configAnnotations.encodedConfig]: encoded.replace(
      rollbacks.image('a'),
      rollbacks.image(broken),
    ),
  });
}

describe('several configs', () => {
  test('go back in the order given', async () => {
    const names = ['front', 'back'];
    for (const name of names) await rollbacks.create(name, ['a', 'b'], { replicas: 1 });
    const outcome = await rollbacks.run(names);
    expect(outcome).toMatchObject({
      phase: 'Complete',
      standings: names.map((name) => ({ name, from: 2, to: 1, version: 3, state: 'Complete' })),
    });
    for (const name of names) expect(await rollbacks.signOf(`${name}-3`)).toBe('a');
    expect(await createdAt('front-3')).toBeLessThanOrEqual(await createdAt('back-3'));
  });

  test('the second begins when the first is complete, and all at once where that is asked for', async () => {
    const names = ['slow', 'next'];
    for (const name of names) {
      await rollbacks.create(name, ['a', 'b'], { replicas: 2 });
      // It stays when the application goes back, and holds each version until somebody has looked.
      await trial.patch(name, { spec: { strategy: held } });
    }
    const inTurn = await rollbacks.start(names, { config: false });
    await trial.untilCondition('slow', 'Progressing', 'CanaryStepWaiting');
    expect(await trial.version('next-3')).toBeUndefined();
    const during: RollbackRunStatus = await inTurn.query('status');
    expect(during).toMatchObject({
      phase: 'Running',
      standings: [{ state: 'Running', version: 3 }, { state: 'Untouched' }],
    });
    await trial.run('slow', 3).signal('approve');
    await trial.untilCondition('next', 'Progressing', 'CanaryStepWaiting');
    const after: RollbackRunStatus = await inTurn.query('status');
    expect(after.standings).toMatchObject([
      { state: 'Complete', version: 3 },
      { state: 'Running', version: 3 },
    ]);
    await trial.run('next', 3).signal('approve');
    expect(await inTurn.result()).toMatchObject({ phase: 'Complete' });
    const endOfSlow = (await trial.version('slow-3'))?.metadata.annotations ?? {};
    const endedAt = Date.parse(endOfSlow[configAnnotations.endedAt] ?? '');
    // The cluster knows whole seconds alone.
    expect((await createdAt('next-3')) + 1_000).toBeGreaterThan(endedAt);

    // Else a version that waits could be taken for one of those to come.
    for (const name of names) {
      await trial.untilCondition(name, 'Progressing', 'NewReplicationControllerAvailable');
    }
    const together = await rollbacks.start(names, { config: false }, { parallel: true });
    for (const name of names) {
      await trial.untilCondition(name, 'Progressing', 'CanaryStepWaiting');
    }
    const both: RollbackRunStatus = await together.query('status');
    expect(both.standings).toMatchObject([
      { state: 'Running', version: 4 },
      { state: 'Running', version: 4 },
    ]);
    for (const name of names) await trial.run(name, 4).signal('approve');
    expect(await together.result()).toMatchObject({
      standings: [
        { name: 'slow', from: 3, to: 2, version: 4, state: 'Complete' },
        { name: 'next', from: 3, to: 2, version: 4, state: 'Complete' },
      ],
    });
  });

  test('when one fails the rest are not begun, and each is told of as it stands', async () => {
    await rollbacks.create('good', ['a', 'b'], { replicas: 1 });
    await createSpoilt('bad');
    await rollbacks.create('rest', ['a', 'b'], { replicas: 1 });
    const before = await rollbacks.untilObserved('rest');
    const running = rollbacks.start(['good', 'bad', 'rest']);
    const { type, message, outcome } = await rollbacks.refusal(running);
    expect(type).toBe('Failed');
    expect(outcome).toMatchObject({
      phase: 'Failed',
      standings: [
        { name: 'good', version: 3, state: 'Complete' },
        { name: 'bad', version: 3, state: 'Failed' },
        { name: 'rest', from: 2, state: 'Untouched' },
      ],
    });
    expect(message).toContain('version 3 of bad has failed: it made no progress');
    const after = await trial.get('rest');
    expect(after.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    await trial.untilServing('bad-2', 1);
  });

  test('when one of those that go together fails the others stop and serve as before', async () => {
    await createSpoilt('worse');
    await rollbacks.create('steady', ['a'], { replicas: 4, strategy: held });
    await trial.setImage('steady', rollbacks.image('b'));
    await trial.untilCondition('steady', 'Progressing', 'CanaryStepWaiting');
    await trial.run('steady', 2).signal('approve');
    await trial.untilPhase('steady-2', 'Complete');
    await rollbacks.untilObserved('steady');
    const running = rollbacks.start(['worse', 'steady'], {}, { parallel: true });
    const { outcome } = await rollbacks.refusal(running);
    expect(outcome?.standings).toMatchObject([
      { name: 'worse', state: 'Failed' },
      { name: 'steady', state: 'Failed', reason: 'stopped, because worse could not go back' },
    ]);
    await trial.untilServing('steady-2', 4);
    await trial.untilServing('worse-2', 1);
  });

  /** Begins to go back with two, and changes the second while the first waits for approval. */
  async function changeMeanwhile(name: string, spec: object): Promise<WorkflowHandle> {
    const first = `before-${name}`;
    for (const each of [first, name]) await rollbacks.create(each, ['a', 'b'], { replicas: 2 });
    await trial.patch(first, { spec: { strategy: held } });
    const handle = await rollbacks.start([first, name], { config: false });
    await trial.untilCondition(first, 'Progressing', 'CanaryStepWaiting');
    await trial.patch(name, { spec });
    await trial.run(first, 3).signal('approve');
    return handle;
  }

  test('one that an autoscaler changes while it waits is looked at again, and goes back', async () => {
    const handle = await changeMeanwhile('scaled', { replicas: 3 });
    expect(await handle.result()).toMatchObject({
      standings: [{ state: 'Complete' }, { name: 'scaled', from: 2, to: 1, state: 'Complete' }],
    });
    expect(await rollbacks.signOf('scaled-3')).toBe('a');
  });

  test('one that can not go back any more when its turn comes is left alone', async () => {
    const handle = await changeMeanwhile('stopped', { paused: true });
    const { outcome } = await rollbacks.refusal(Promise.resolve(handle));
    expect(outcome?.standings).toMatchObject([
      { state: 'Complete', version: 3 },
      { state: 'Failed', reason: expect.stringContaining('paused') as unknown },
    ]);
    expect((await trial.get('stopped')).status?.latestVersion).toBe(2);
  });

  test('cancelled, the one under way goes back to where it was, and the rest are not begun', async () => {
    await rollbacks.create('halted', ['a'], { strategy: held });
    await trial.setImage('halted', rollbacks.image('b'));
    await trial.untilCondition('halted', 'Progressing', 'CanaryStepWaiting');
    await trial.run('halted', 2).signal('approve');
    await trial.untilPhase('halted-2', 'Complete');
    await rollbacks.create('spared', ['a', 'b'], { replicas: 1 });
    const before = await rollbacks.untilObserved('spared');
    const handle = await rollbacks.start(['halted', 'spared']);
    await trial.untilPhase('halted-3', 'Running');
    await handle.cancel();
    const failed = await trial.untilPhase('halted-3', 'Failed');
    expect(reasonOf(failed)).toBe('cancelled by the user');
    await trial.untilServing('halted-2', 2);
    await waitFor('the run is cancelled', async () => {
      const { status } = await handle.describe();
      return status.name === 'CANCELLED' ? true : undefined;
    });
    const told: RollbackRunStatus = await handle.query('status');
    expect(told).toMatchObject({
      phase: 'Cancelled',
      standings: [{ state: 'Failed' }, { state: 'Untouched' }],
    });
    const after = await trial.get('spared');
    expect(after.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  });
});

describe('by itself, when a version fails', () => {
  const eager = { rollbackOnFailure: true };

  test('once, and it tells why; triggers are suspended then', async () => {
    const name = 'eager';
    await rollbacks.create(name, ['a'], eager);
    await trial.setImage(name, rollbacks.image(broken), hasty);
    await trial.untilPhase(`${name}-2`, 'Failed');
    const made = await trial.untilPhase(`${name}-3`, 'Complete');
    expect(await rollbacks.signOf(`${name}-3`)).toBe('a');
    const [cause] = readCauses(made);
    expect(cause).toMatchObject({ type: 'Rollback', by: 'slipway', rollback: { from: 2, to: 1 } });
    expect(cause?.rollback?.notes).toContain('version 2 has failed: it made no progress');
    const config = await trial.untilCondition(name, 'TriggersSuspended', 'RolledBack');
    expect(config.spec.triggersSuspended).toBe(true);
    expect(config.spec.rollbackOnFailure).toBe(true);
    expect(config).not.toHaveProperty('rollback');
    await trial.untilServing(`${name}-3`, 2);
  });

  test('with as many pods as are wanted by then, whatever the version before had', async () => {
    const name = 'grown';
    await rollbacks.create(name, ['a'], eager);
    await trial.patch(name, { spec: { replicas: 5 } });
    await trial.untilServing(`${name}-1`, 5);
    await trial.setImage(name, rollbacks.image(broken), hasty);
    await trial.untilPhase(`${name}-3`, 'Complete');
    expect(await rollbacks.signOf(`${name}-3`)).toBe('a');
    expect((await trial.get(name)).spec.replicas).toBe(5);
    await trial.untilServing(`${name}-3`, 5);
  });

  test('also from one that the cluster will not even have', async () => {
    const name = 'unwanted';
    await rollbacks.create(name, ['a'], eager);
    const image = rollbacks.image('b');
    const volumeMounts = [{ name: 'nowhere', mountPath: '/data' }];
    const containers = [{ name: 'web', image, volumeMounts }];
    await trial.patch(name, { spec: { template: { spec: { containers } } } });
    const made = await trial.untilPhase(`${name}-3`, 'Complete');
    expect(readCauses(made)[0]?.rollback?.notes).toContain('volumeMounts[0].name: Not found');
    expect(await trial.version(`${name}-2`)).toBeUndefined();
    expect(await rollbacks.signOf(`${name}-3`)).toBe('a');
    await trial.untilServing(`${name}-3`, 2);
  });

  test('not when somebody has stopped it', async () => {
    const name = 'halting';
    await rollbacks.create(name, ['a'], { rollbackOnFailure: true });
    await trial.setImage(name, rollbacks.image(broken));
    await trial.untilPhase(`${name}-2`, 'Running');
    await trial.annotateVersion(`${name}-2`, { [configAnnotations.cancelled]: 'true' });
    await trial.untilPhase(`${name}-2`, 'Failed');
    // One that fails by itself, later, has its rollback by then.
    await rollbacks.create('halting-control', ['a'], eager);
    await trial.setImage('halting-control', rollbacks.image(broken), hasty);
    await trial.untilPhase('halting-control-3', 'Complete');
    expect((await trial.get(name)).status?.latestVersion).toBe(2);
  });

  const migrating = (more: object = {}) => ({
    ...eager,
    replicas: 1,
    strategy: {
      type: 'Rolling',
      lifecycle: {
        pre: { failurePolicy: 'Abort', execNewPod: { command: ['migrate'] } },
        ...more,
      },
    },
  });

  async function failAfterHook(name: string): Promise<void> {
    const annotations = { 'kwok.slipway.dev/ready-after': '3600s' };
    const containers = [{ name: 'web', image: rollbacks.image('b') }];
    await trial.patch(name, {
      spec: { ...hasty, template: { metadata: { annotations }, spec: { containers } } },
    });
    await hooks.end(`${name}-2`, 'pre', 0);
    await trial.untilPhase(`${name}-2`, 'Failed');
  }

  async function createMigrating(name: string, spec: object): Promise<void> {
    const creating = rollbacks.create(name, ['a'], spec);
    await hooks.end(`${name}-1`, 'pre', 0);
    await creating;
  }

  test('not in a loop: a rollback that fails is the last', async () => {
    const name = 'circle';
    await createMigrating(name, migrating());
    await trial.setImage(name, rollbacks.image('b'));
    await hooks.end(`${name}-2`, 'pre', 1);
    await hooks.end(`${name}-3`, 'pre', 1);
    await trial.untilPhase(`${name}-3`, 'Failed');
    expect(await rollbacks.signOf(`${name}-3`)).toBe('a');
    const config = await trial.untilCondition(name, 'AutomaticRollback', 'WasRollback');
    expect(config.status?.latestVersion).toBe(3);
    expect(conditionOf(config, 'AutomaticRollback')?.message).toContain('it was a rollback itself');
    await trial.untilServing(`${name}-1`, 1);
    expect((await trial.get(name)).status?.latestVersion).toBe(3);
  });

  test('not over a hook that has succeeded, until somebody says so', async () => {
    const name = 'migrated';
    await createMigrating(name, migrating());
    await failAfterHook(name);
    const config = await trial.untilCondition(name, 'AutomaticRollback', 'HookNotUndone');
    expect(conditionOf(config, 'AutomaticRollback')?.message).toContain(
      'its pre hook has succeeded',
    );
    expect(config.status?.latestVersion).toBe(2);
    const notes = await waitFor('the event', async () => {
      const found = await rollbacks.events(name, 'HookNotUndone');
      return found.length > 0 ? found : undefined;
    });
    expect(notes).toHaveLength(1);
    await trial.patch(name, { spec: { rollbackOverHooks: true } });
    await hooks.end(`${name}-3`, 'pre', 0);
    await trial.untilPhase(`${name}-3`, 'Complete');
    expect(await rollbacks.signOf(`${name}-3`)).toBe('a');
  });

  test('over a hook that an abort hook has undone', async () => {
    const name = 'undone';
    const abort = { failurePolicy: 'Continue', execNewPod: { command: ['undo'] } };
    await createMigrating(name, migrating({ abort }));
    await failAfterHook(name);
    const running = await hooks.until(`${name}-2`, 'abort');
    expect(running.metadata.name).toBe(`${name}-2-hook-abort`);
    expect((await trial.get(name)).status?.latestVersion).toBe(2);
    await hooks.end(`${name}-2`, 'abort', 0);
    await hooks.end(`${name}-3`, 'pre', 0);
    await trial.untilPhase(`${name}-3`, 'Complete');
    expect(await rollbacks.signOf(`${name}-3`)).toBe('a');
  });
});
