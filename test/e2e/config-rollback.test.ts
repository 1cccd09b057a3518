import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { ClusterAccess } from '../../src/activities/cluster-access.js';
import { createApplyRollback } from '../../src/activities/rollback/apply-rollback.js';
import type { ApplyRollbackRequest, ApplyRollbackResult } from '../../src/contracts/rollback.js';
import { searchAttributes } from '../../src/contracts/search-attributes.js';
import { configAnnotations } from '../../src/kubernetes/deployment-configs/annotations.js';
import type { DeploymentConfig } from '../../src/kubernetes/deployment-configs/objects.js';
import { readCauses } from '../../src/kubernetes/deployment-configs/read-causes.js';
import { ConfigTrial } from '../support/config-trial.js';
import { sharedServers } from '../support/deployment-trial.js';
import { configTrigger, imageTrigger } from '../support/image-trial.js';
import { Kubectl } from '../support/kubectl.js';
import { RollbackTrial } from '../support/rollback-trial.js';
import { runSlipway } from '../support/slipway-command.js';
import { SilentRepository } from '../support/silent-repository.js';
import { waitFor } from '../support/wait-for.js';

let trial: ConfigTrial;
let rollbacks: RollbackTrial;
let kubectl: Kubectl;

beforeAll(async () => {
  kubectl = await Kubectl.open(sharedServers().kubeconfig);
  trial = await ConfigTrial.open(sharedServers());
  rollbacks = new RollbackTrial(trial);
}, 900_000);
afterAll(async () => {
  kubectl.close();
  await trial.close();
});

const conditionOf = ({ status }: DeploymentConfig, wanted: string) =>
  status?.conditions?.find(({ type }) => type === wanted);
const imageOf = ({ spec }: DeploymentConfig): string | undefined =>
  spec.template.spec?.containers[0]?.image;

/**
 * A config beside the one that must not move, with the same triggers: what is done to the other first and then to
 * this one has been looked at, and let pass, once this one has its version of it.
 */
class Control {
  private version = 1;

  constructor(
    readonly name: string,
    private readonly spec: object = {},
  ) {}

  async create(): Promise<void> {
    await trial.create(this.name, { replicas: 1, ...this.spec });
    await trial.untilPhase(`${this.name}-1`, 'Complete');
  }

  async untilMoved(): Promise<void> {
    this.version += 1;
    await trial.untilPhase(`${this.name}-${this.version}`, 'Complete');
  }

  async edit(): Promise<void> {
    const annotations = { edited: String(this.version) };
    await trial.patch(this.name, { spec: { template: { metadata: { annotations } } } });
    await this.untilMoved();
  }
}

describe("the document's example: v1 = a, v2 = b, v3 = rollback to a, v4 = c", () => {
  const name = 'example';

  test('v3 deploys a again, as a version of its own', async () => {
    await rollbacks.create(name, ['a', 'b']);
    const wish = { notes: 'I messed up my app', by: 'ann' };
    const outcome = await rollbacks.run([name], wish);
    expect(outcome).toMatchObject({
      phase: 'Complete',
      standings: [{ name, from: 2, to: 1, version: 3, state: 'Complete' }],
    });
    const made = await trial.untilPhase(`${name}-3`, 'Complete');
    expect(await rollbacks.signOf(`${name}-3`)).toBe('a');
    await trial.untilServing(`${name}-3`, 2);
    await trial.untilServing(`${name}-2`, 0);
    expect(readCauses(made)).toMatchObject([
      {
        type: 'Rollback',
        by: 'ann',
        rollback: { from: 2, to: 1, config: true, application: true, notes: 'I messed up my app' },
      },
    ]);
  });

  test('details, a condition and the run tell of it', async () => {
    const config = await trial.untilCondition(name, 'TriggersSuspended', 'RolledBack');
    expect(config.status?.details).toMatchObject({
      message: 'rollback from version 2 to version 1 by ann: I messed up my app',
      causes: [{ type: 'Rollback', by: 'ann' }],
    });
    expect(conditionOf(config, 'TriggersSuspended')?.message).toContain(
      'rollback from version 2 to version 1 by ann',
    );
    const { typedSearchAttributes, status } = await rollbacks.handle([name]).describe();
    expect(status.name).toBe('COMPLETED');
    expect(typedSearchAttributes.get(searchAttributes.kind)).toBe('Rollback');
    expect(typedSearchAttributes.get(searchAttributes.phase)).toBe('Complete');
    expect(typedSearchAttributes.get(searchAttributes.revision)).toBe(3);
    const known = await rollbacks.handle([name]).query('status');
    expect(known).toMatchObject({ phase: 'Complete', standings: [{ state: 'Complete' }] });
  });

  test('no edit undoes it by itself', async () => {
    const control = new Control('example-control');
    await control.create();
    await trial.setImage(name, rollbacks.image('c'));
    await control.edit();
    const config = await rollbacks.untilObserved(name);
    expect(config.status?.latestVersion).toBe(3);
    expect(imageOf(config)).toBe(rollbacks.image('c'));
    expect(config.status?.triggeredBy).toBe('config (suspended)');
  });

  test('v4 deploys c when somebody asks and says that triggers may act again', async () => {
    const request = { version: 4, by: 'ann', resumesTriggers: true };
    await trial.patch(name, {
      metadata: { annotations: { [configAnnotations.request]: JSON.stringify(request) } },
    });
    await trial.untilPhase(`${name}-4`, 'Complete');
    expect(await rollbacks.signOf(`${name}-4`)).toBe('c');
    const config = await waitFor('the condition is gone', async () => {
      const found = await trial.get(name);
      return conditionOf(found, 'TriggersSuspended') === undefined ? found : undefined;
    });
    expect(config.spec.triggersSuspended).toBeUndefined();
    await trial.setImage(name, rollbacks.image('d'));
    await trial.untilPhase(`${name}-5`, 'Complete');
  });
});

describe('each part goes back by itself', () => {
  const first = {
    strategy: { type: 'Recreate' },
    triggers: [{ type: 'ConfigChange' }],
    replicas: 1,
  };

  /** Version 1 and version 2 differ in all that can go back. */
  async function createPair(name: string): Promise<DeploymentConfig> {
    await trial.create(name, { ...first, template: trial.template(name, rollbacks.image('a')) });
    await trial.patch(name, { metadata: { labels: { team: 'a' } } });
    await trial.untilPhase(`${name}-1`, 'Complete');
    await trial.patch(name, {
      metadata: { labels: { team: 'a' } },
      spec: { template: { metadata: { annotations: { v: '2' } } } },
    });
    await trial.untilPhase(`${name}-2`, 'Complete');
    await trial.patch(name, {
      metadata: { labels: { team: 'b', tier: 'front' } },
      spec: {
        replicas: 3,
        strategy: { type: 'Rolling', recreateParams: null },
        triggers: [{ type: 'ConfigChange' }, { type: 'ConfigChange' }],
        template: {
          metadata: { annotations: { v: '3' } },
          spec: { containers: [{ name: 'web', image: rollbacks.image('b') }] },
        },
      },
    });
    await trial.untilPhase(`${name}-3`, 'Complete');
    return rollbacks.untilObserved(name);
  }

  const shape = (config: DeploymentConfig) => ({
    labels: config.metadata.labels,
    strategy: config.spec.strategy?.type,
    triggers: config.spec.triggers?.length,
    replicas: config.spec.replicas,
    selector: config.spec.selector,
    image: imageOf(config)?.split(':').at(-1),
    suspended: config.spec.triggersSuspended,
    latest: config.status?.latestVersion,
  });
  const old = { labels: { team: 'a' }, strategy: 'Recreate', triggers: 1 };
  const current = { labels: { team: 'b', tier: 'front' }, strategy: 'Rolling', triggers: 2 };

  test.each([
    ['config', { application: false }, { ...old, replicas: 3, image: 'b' }],
    ['application', { config: false }, { ...current, replicas: 1, image: 'a' }],
    ['full', {}, { ...old, replicas: 1, image: 'a' }],
  ])('%s', async (name, wish, expected) => {
    await createPair(name);
    const outcome = await rollbacks.run([name], { release: `${name}-2`, ...wish });
    expect(outcome.standings).toMatchObject([{ from: 3, to: 2, version: 4, state: 'Complete' }]);
    const config = await trial.get(name);
    const selector = { app: name };
    expect(shape(config)).toEqual({ ...expected, selector, suspended: true, latest: 4 });
    expect([config.apiVersion, config.kind]).toEqual(['apps.openshift.io/v1', 'DeploymentConfig']);
    expect(config.metadata.annotations ?? {}).not.toHaveProperty([configAnnotations.request]);
    await trial.untilServing(`${name}-4`, expected.replicas);
  });
});

describe('what can not be done is refused, and nothing is touched', () => {
  const name = 'refused';
  beforeAll(() => rollbacks.create(name, ['a', 'b']));

  test.each<[string, object, string]>([
    [
      'a version that is not there',
      { release: 7 },
      'there is no version 7 of refused; it has 1, 2',
    ],
    ['the version that it has', { release: 2 }, 'version 2 is the one that refused has now'],
    ['nothing at all', { config: false, application: false }, 'or nothing would go back'],
    ['a version of another config', { release: 'web-1' }, 'must be a version of refused'],
  ])('%s', async (_title, wish, problem) => {
    const before = await rollbacks.untilObserved(name);
    const { type, message } = await rollbacks.refusal(rollbacks.start([name], wish));
    expect(type).toBe('BadInput');
    expect(message).toContain(problem);
    const after = await trial.get(name);
    expect(after.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  });

  test('every problem of every config is named', async () => {
    const members = [
      { name, wish: { release: 7 } },
      { name: 'nowhere', wish: {} },
    ];
    const running = rollbacks.start([name, 'nowhere'], {}, { members: members as never });
    const { message, outcome } = await rollbacks.refusal(running);
    expect(message).toContain('refused: release: there is no version 7');
    expect(message).toContain('nowhere: name: there is no DeploymentConfig "nowhere"');
    expect(outcome).toMatchObject({
      phase: 'Refused',
      standings: [{ state: 'Untouched' }, { state: 'Untouched' }],
    });
  });

  test('one that is paused', async () => {
    await trial.patch(name, { spec: { paused: true } });
    const { message } = await rollbacks.refusal(rollbacks.start([name]));
    expect(message).toContain('spec.paused: it is paused: resume it first');
    await trial.patch(name, { spec: { paused: null } });
  });

  test('one that the cluster would not have', async () => {
    await rollbacks.create('late', ['a', 'b'], {
      strategy: { type: 'Rolling', rollingParams: { timeoutSeconds: 300 } },
    });
    // Pods that have to be ready for longer than version 1 would wait for them.
    const strategy = { rollingParams: { timeoutSeconds: 600 } };
    await trial.patch('late', { spec: { strategy, minReadySeconds: 400 } });
    const before = await rollbacks.untilObserved('late');
    const { message } = await rollbacks.refusal(rollbacks.start(['late'], { release: 1 }));
    expect(message).toContain('late: spec.');
    const after = await trial.get('late');
    expect(after.metadata.generation).toBe(before.metadata.generation);
  });

  test('a dry run tells what would be done, and does nothing', async () => {
    const before = await rollbacks.untilObserved(name);
    const outcome = await rollbacks.run([name], {}, { dryRun: true });
    expect(outcome).toMatchObject({
      phase: 'DryRun',
      standings: [{ name, from: 2, to: 1, state: 'Untouched' }],
      report: { configs: [{ name, from: 2, to: 1, problems: [] }] },
    });
    const after = await trial.get(name);
    expect(after.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  });
});

describe('the write that takes a config back', () => {
  const name = 'written';
  const ask = async (over: Partial<ApplyRollbackRequest>): Promise<ApplyRollbackResult> => {
    const access = new ClusterAccess([trial.cluster], false);
    const apply = createApplyRollback(access, { record: () => undefined });
    const { uid = '', generation = 0 } = (await trial.get(name)).metadata;
    return apply({
      ref: { cluster: 'local', namespace: trial.namespace, name },
      wish: { config: true, application: true, by: 'ann' },
      from: 2,
      to: 1,
      base: { uid, generation },
      runId: 'one',
      ...over,
    });
  };

  test('is not made over anything but what was examined', async () => {
    await rollbacks.create(name, ['a', 'b']);
    const before = await rollbacks.untilObserved(name);
    const { uid = '', generation = 0 } = before.metadata;
    expect(await ask({ from: 1 })).toMatchObject({ kind: 'overtaken' });
    expect(await ask({ base: { uid: 'other', generation } })).toMatchObject({ kind: 'overtaken' });
    expect(await ask({ base: { uid, generation: generation - 1 } })).toMatchObject({
      kind: 'changed',
    });
    expect(await ask({ to: 7 })).toMatchObject({ kind: 'changed' });
    const after = await trial.get(name);
    expect(after.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  });

  test('is made once, also when its answer is lost, however long ago', async () => {
    const first = await ask({});
    expect([first, await ask({})]).toMatchObject([
      { kind: 'done', version: 3 },
      { kind: 'done', version: 3 },
    ]);
    await trial.untilPhase(`${name}-3`, 'Complete');
    expect(await ask({})).toMatchObject({ kind: 'done', version: 3 });
    await trial.patch(name, { spec: { triggersSuspended: null } });
    await trial.setImage(name, rollbacks.image('c'));
    await trial.untilPhase(`${name}-4`, 'Complete');
    expect(await ask({})).toMatchObject({ kind: 'done', version: 3 });
    expect(await ask({ runId: 'another' })).toMatchObject({ kind: 'overtaken' });
    expect((await trial.get(name)).status?.latestVersion).toBe(4);
  });
});

describe('no trigger undoes a rollback', () => {
  const manifest = (name: string) => ({
    apiVersion: 'apps.openshift.io/v1',
    kind: 'DeploymentConfig',
    metadata: { name, namespace: trial.namespace },
    spec: {
      replicas: 2,
      selector: { app: name },
      template: trial.template(name, rollbacks.image('b')),
    },
  });

  test('not the old manifest, applied again with kubectl or slipway', async () => {
    const name = 'reapplied';
    const control = new Control('reapplied-control');
    await control.create();
    await rollbacks.create(name, ['a']);
    await kubectl.run(['apply', '-f', '-'], JSON.stringify(manifest(name)));
    await trial.untilPhase(`${name}-2`, 'Complete');
    await rollbacks.run([name]);
    await kubectl.run(['apply', '-f', '-'], JSON.stringify(manifest(name)));
    const env = { KUBECONFIG: process.env['SLIPWAY_E2E_KUBECONFIG'] };
    const input = JSON.stringify(manifest(name));
    const deployed = await runSlipway(['deploy', '-f', '-'], { env, input });
    expect(deployed).toMatchObject({ code: 0 });
    expect(deployed.stdout).toContain(
      'nothing to deploy: version 3 stands. Triggers are suspended',
    );
    await control.edit();
    const config = await rollbacks.untilObserved(name);
    expect(config.spec.triggersSuspended).toBe(true);
    expect(config.status?.latestVersion).toBe(3);
    expect(imageOf(config)).toBe(rollbacks.image('b'));
  });

  test('not a push, whichever trigger it is that follows it', async () => {
    const name = 'pushed';
    const trigger = (containers: string[]) => [
      configTrigger,
      imageTrigger('followed:1', containers),
    ];
    const followed = await SilentRepository.create(trial, 'followed', '1');
    await followed.set('a');
    await trial.create(name, { replicas: 1, triggers: trigger(['web']) });
    await trial.untilPhase(`${name}-1`, 'Complete');
    const control = new Control('pushed-control', { triggers: trigger(['web']) });
    await control.create();
    await followed.set('b');
    await trial.untilPhase(`${name}-2`, 'Complete');
    await control.untilMoved();

    // The application alone: its trigger stays automatic, and waits.
    await rollbacks.run([name], { config: false });
    expect(await rollbacks.imageOf(`${name}-3`)).toBe(followed.image('a'));
    await followed.set('c');
    await trial.setImage(name, rollbacks.image('by-hand'));
    await control.untilMoved();
    await control.edit();
    const held = await rollbacks.untilObserved(name);
    expect(held.status?.latestVersion).toBe(3);
    expect(imageOf(held)).toBe(rollbacks.image('by-hand'));

    await trial.patch(name, { spec: { triggersSuspended: null } });
    await trial.untilPhase(`${name}-4`, 'Complete');
    expect(await rollbacks.imageOf(`${name}-4`)).toBe(followed.image('c'));

    // All of it: its trigger comes back and does not act by itself.
    await rollbacks.run([name], { release: 1 });
    expect(await rollbacks.imageOf(`${name}-5`)).toBe(followed.image('a'));
    await trial.patch(name, { spec: { triggersSuspended: null } });
    await followed.set('d');
    await control.untilMoved();
    const resumed = await rollbacks.untilObserved(name);
    expect(resumed.status?.latestVersion).toBe(5);
    expect(imageOf(resumed)).toBe(followed.image('a'));
    expect(resumed.spec.triggers?.[1]?.imageChangeParams?.automatic).toBe(false);
  });
});

describe('the block in a config', () => {
  test('kubectl patch writes it, and it is gone when it is met', async () => {
    const name = 'block';
    await rollbacks.create(name, ['a', 'b']);
    const patch = JSON.stringify({ rollback: { release: `${name}-1`, notes: 'oops' } });
    await kubectl.run(['-n', trial.namespace, 'patch', 'dc', name, '--type', 'merge', '-p', patch]);
    const made = await trial.untilPhase(`${name}-3`, 'Complete');
    expect(await rollbacks.signOf(`${name}-3`)).toBe('a');
    expect(readCauses(made)).toMatchObject([
      { type: 'Rollback', rollback: { to: 1, notes: 'oops', manager: 'kubectl-patch' } },
    ]);
    const config = await trial.get(name);
    expect(config).not.toHaveProperty('rollback');
    const run = await waitFor('the run has ended', async () => {
      const { status } = await rollbacks.handle([name]).describe();
      return status.name === 'RUNNING' ? undefined : status.name;
    });
    expect(run).toBe('COMPLETED');
  });

  test('one that can not be met is taken away, and nothing else; a condition and an event say why', async () => {
    const name = 'blocked';
    await rollbacks.create(name, ['a', 'b']);
    const before = await rollbacks.untilObserved(name);
    await trial.patch(name, { rollback: { release: 7 } });
    const config = await trial.untilCondition(name, 'RollbackRefused', 'NotPossible');
    const after = await waitFor('the block is gone', async () => {
      const found = await trial.get(name);
      return found.rollback === undefined ? found : undefined;
    });
    expect(conditionOf(config, 'RollbackRefused')?.message).toBe(
      'release: there is no version 7 of blocked; it has 1, 2',
    );
    expect(after.spec).toEqual(before.spec);
    expect(after.metadata.labels).toEqual(before.metadata.labels);
    expect(after.metadata.annotations).toEqual(before.metadata.annotations);
    expect(after.status?.latestVersion).toBe(2);
    const [note] = await waitFor('the event', async () => {
      const notes = await rollbacks.events(name, 'RollbackRefused');
      return notes.length > 0 ? notes : undefined;
    });
    expect(note).toContain('there is no version 7');
    // The next version has nothing to do with it any more.
    await trial.setImage(name, rollbacks.image('c'));
    const next = await trial.untilPhase(`${name}-3`, 'Complete');
    expect(readCauses(next)).toEqual([{ type: 'ConfigChange' }]);
    expect(conditionOf(await trial.get(name), 'RollbackRefused')).toBeUndefined();
  });

  test.each<[string, object, string]>([
    ['of another config', { release: 'web-1' }, 'rollback.release: Invalid value'],
    ['with neither part', { config: false, application: false }, 'rollback.application: Invalid'],
    ['with a strategy', { strategy: 'Rolling' }, 'rollback.strategy: Forbidden'],
  ])('the cluster itself refuses one %s', async (_title, rollback, message) => {
    await expect(trial.patch('refused', { rollback })).rejects.toThrow(message);
  });

  test("slipway deploy takes the document's own form, and follows it", async () => {
    const name = 'sent';
    await rollbacks.create(name, ['a', 'b']);
    const env = { KUBECONFIG: process.env['SLIPWAY_E2E_KUBECONFIG'] };
    const deploy = (rollback: object) =>
      runSlipway(['deploy', '-n', trial.namespace, '-f', '-'], {
        env,
        input: JSON.stringify({ id: name, kind: 'DeploymentConfig', rollback }),
      });
    const before = await rollbacks.untilObserved(name);
    const bad = await deploy({ release: 'sent-7' });
    expect(bad.stdout + bad.stderr).toContain('there is no version 7 of sent');
    expect(bad.code).toBe(2);
    expect((await trial.get(name)).spec).toEqual(before.spec);
    const mistaken = await deploy({ release: 'other-1' });
    expect(mistaken).toMatchObject({ code: 2 });
    expect(mistaken.stderr).toContain('rollback.release: must be a version of sent');

    const done = await deploy({ release: 'sent-1', notes: 'I messed up my app' });
    expect(done).toMatchObject({ code: 0 });
    expect(done.stdout).toContain('complete after');
    expect(await rollbacks.signOf('sent-3')).toBe('a');
    const [cause] = (await trial.get(name)).status?.details?.causes ?? [];
    expect(cause).toMatchObject({ rollback: { notes: 'I messed up my app' } });
    expect(cause?.by ?? '').not.toBe('');
  });
});
