import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { createProgress } from '../../src/client/terminal/progress.js';
import { ensureToolchain } from '../../src/dev/toolchain/ensure-toolchain.js';
import { isNotFound } from '../../src/kubernetes/api-error.js';
import { configAnnotations } from '../../src/kubernetes/deployment-configs/annotations.js';
import type { Pod } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { isHeld } from '../../src/kubernetes/run-once-pods/hold.js';
import { ConfigTrial, reasonOf } from '../support/config-trial.js';
import { sharedServers } from '../support/deployment-trial.js';
import { waitFor } from '../support/wait-for.js';

let trial: ConfigTrial;

beforeAll(async () => {
  trial = await ConfigTrial.open(sharedServers());
});
afterAll(async () => {
  await trial.close();
});

interface Deployer {
  readonly image?: string;
  readonly exitCode?: string;
  readonly exitAfter?: string;
  readonly message?: string;
  readonly deadlineSeconds?: number;
}

/** A config whose deployer pod ends as it is told to, which is what a node does to a real one. */
function strategy({ image, exitCode, exitAfter, message, deadlineSeconds }: Deployer) {
  const annotations = {
    ...(exitCode === undefined ? {} : { 'kwok.slipway.dev/exit-code': exitCode }),
    ...(exitAfter === undefined ? {} : { 'kwok.slipway.dev/exit-after': exitAfter }),
    ...(message === undefined ? {} : { 'kwok.slipway.dev/exit-message': message }),
  };
  return {
    type: 'Custom',
    customParams: {
      image: image ?? 'example.com/deployer:1',
      command: ['/deploy'],
      environment: [{ name: 'TIMEOUT', value: '20s' }],
    },
    labels: { team: 'shop' },
    annotations,
    resources: { limits: { cpu: '100m' } },
    ...(deadlineSeconds === undefined ? {} : { activeDeadlineSeconds: deadlineSeconds }),
  };
}

const create = (name: string, deployer: Deployer, over: object = {}) =>
  trial.create(name, { strategy: strategy(deployer), ...over });

/** One change, so that the next version is carried out by a deployer that behaves like this. */
function deployWith(name: string, deployer: Deployer, image: string) {
  const forgotten = {
    'kwok.slipway.dev/exit-code': null,
    'kwok.slipway.dev/exit-after': null,
    'kwok.slipway.dev/exit-message': null,
  };
  const { annotations, ...rest } = strategy(deployer);
  return trial.patch(name, {
    spec: {
      strategy: { ...rest, annotations: { ...forgotten, ...annotations } },
      template: trial.template(name, image),
    },
  });
}

async function podOf(version: string): Promise<Pod | undefined> {
  try {
    return await trial.cluster.client.get<Pod>(
      resources.pods,
      trial.namespace,
      `${version}-deploy`,
    );
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

const untilPod = (version: string, phase: string): Promise<Pod> =>
  waitFor(`the deployer of ${version} is ${phase}`, async () => {
    const pod = await podOf(version);
    return pod?.status?.phase === phase ? pod : undefined;
  });

const untilReleased = (version: string): Promise<true> =>
  waitFor(`the deployer of ${version} is let go`, async () => {
    const pod = await podOf(version);
    return pod === undefined || !isHeld(pod) ? true : undefined;
  });

describe('a deployer pod', () => {
  test('that exits 0 completes the version', async () => {
    await create('good', { exitCode: '0', exitAfter: '1s' });
    const pod = await untilPod('good-1', 'Running');
    expect(pod.metadata).toMatchObject({
      labels: { 'openshift.io/deployer-pod-for.name': 'good-1', team: 'shop' },
      annotations: {
        'openshift.io/deployment.name': 'good-1',
        'openshift.io/deployment-config.name': 'good',
      },
    });
    expect(pod.spec).toMatchObject({
      restartPolicy: 'Never',
      serviceAccountName: 'deployer',
      activeDeadlineSeconds: 21_600,
      containers: [
        {
          image: 'example.com/deployer:1',
          command: ['/deploy'],
          resources: { limits: { cpu: '100m' } },
          env: [
            { name: 'TIMEOUT', value: '20s' },
            { name: 'OPENSHIFT_DEPLOYMENT_NAME', value: 'good-1' },
            { name: 'OPENSHIFT_DEPLOYMENT_NAMESPACE', value: trial.namespace },
          ],
        },
      ],
    });
    const version = await trial.untilPhase('good-1', 'Complete');
    const noted = version.metadata.annotations ?? {};
    expect(noted[configAnnotations.deployerPodName]).toBe('good-1-deploy');
    expect(Date.parse(noted[configAnnotations.deployerCompletedAt] ?? '')).toBeGreaterThan(0);
    // A deployer that leaves it at the wrong size is put right.
    await trial.untilServing('good-1', 4);
    await untilReleased('good-1');
    expect(await trial.untilRunEnded('good', 1)).toBe('COMPLETED');
  });

  test('that exits 1 fails it, with its last words, and the old version serves on', async () => {
    await create('bad', { exitCode: '0' });
    await trial.untilPhase('bad-1', 'Complete');
    await trial.untilServing('bad-1', 4);
    const message = 'connecting to db\nfatal: no route to host';
    await deployWith('bad', { exitCode: '1', message }, 'example.com/web:2');
    const latest = await trial.untilPhase('bad-2', 'Failed');
    const reason = `deployer pod bad-2-deploy failed with exit code 1: ${message}`;
    expect(reasonOf(latest)).toBe(reason);
    const config = await trial.untilCondition('bad', 'Progressing', 'ProgressDeadlineExceeded');
    const condition = config.status?.conditions?.find(({ type }) => type === 'Progressing');
    expect(condition?.message).toContain(message);
    await trial.untilServing('bad-1', 4);
    await untilReleased('bad-2');
    expect((await podOf('bad-2'))?.status?.phase).toBe('Failed');
    expect(await trial.untilRunEnded('bad', 2)).toBe('FAILED');
  });

  test('that never starts fails it when its time is up', async () => {
    await create('stuck', { image: 'example.com/deployer:404', deadlineSeconds: 3 });
    await trial.untilPhase('stuck-1', 'Pending');
    const version = await trial.untilPhase('stuck-1', 'Failed');
    expect(reasonOf(version)).toMatch(
      /^deployer pod stuck-1-deploy did not start within 3 s \(ImagePullBackOff/,
    );
    await waitFor('its pod is gone', async () =>
      (await podOf('stuck-1')) === undefined ? true : undefined,
    );
  });

  test('that is deleted while it runs fails it, and is not started again', async () => {
    await create('ended', {});
    const { metadata } = await untilPod('ended-1', 'Running');
    await trial.untilPhase('ended-1', 'Running');
    await trial.cluster.client.delete(resources.pods, trial.namespace, metadata.name);
    const version = await trial.untilPhase('ended-1', 'Failed');
    expect(reasonOf(version)).toBe('deployer pod ended-1-deploy was deleted while it ran');
    await waitFor('its pod is gone', async () =>
      (await podOf('ended-1')) === undefined ? true : undefined,
    );
    expect(await trial.untilRunEnded('ended', 1)).toBe('FAILED');
    expect(await podOf('ended-1')).toBeUndefined();
  });

  test('that outlives its deadline is ended, and fails it', async () => {
    await create('slow', { deadlineSeconds: 3 });
    await untilPod('slow-1', 'Running');
    const version = await trial.untilPhase('slow-1', 'Failed');
    expect(reasonOf(version)).toBe('deployer pod slow-1-deploy took longer than 3 s');
    await waitFor('its pod is gone', async () =>
      (await podOf('slow-1')) === undefined ? true : undefined,
    );
  });

  test('is ended before a cancelled version goes back', async () => {
    await create('halted', {});
    await untilPod('halted-1', 'Running');
    await trial.annotateVersion('halted-1', { [configAnnotations.cancelled]: 'true' });
    await trial.untilPhase('halted-1', 'Failed');
    await waitFor('its pod is gone', async () =>
      (await podOf('halted-1')) === undefined ? true : undefined,
    );
    await trial.untilCondition('halted', 'Progressing', 'RolloutCancelled');
  });

  test('is ended before a newer version begins', async () => {
    await create('overtaken', {});
    await untilPod('overtaken-1', 'Running');
    await deployWith('overtaken', { exitCode: '0' }, 'example.com/web:2');
    await trial.untilPhase('overtaken-1', 'Failed');
    const config = await trial.get('overtaken');
    await trial.untilPhase(`overtaken-${config.status?.latestVersion ?? 0}`, 'Complete');
    await waitFor('its pod is gone', async () =>
      (await podOf('overtaken-1')) === undefined ? true : undefined,
    );
  });

  test('is another one when the version is tried again', async () => {
    await create('again', { exitCode: '7' });
    await trial.untilPhase('again-1', 'Failed');
    const first = await untilPod('again-1', 'Failed');
    await trial.annotateVersion('again-1', { [configAnnotations.retry]: 'now' });
    await waitFor('there is another', async () => {
      const pod = await podOf('again-1');
      return pod !== undefined && pod.metadata.uid !== first.metadata.uid ? pod : undefined;
    });
    const again = await trial.untilPhase('again-1', 'Failed');
    expect(reasonOf(again)).toMatch(/exit code 7/);
  });

  test('of that name that is somebody else’s is left alone', async () => {
    await trial.cluster.client.create<Pod>(resources.pods, {
      metadata: { name: 'taken-1-deploy', namespace: trial.namespace },
      spec: { containers: [{ name: 'other', image: 'example.com/other:1' }] },
    });
    await create('taken', { exitCode: '0' });
    const version = await trial.untilPhase('taken-1', 'Failed');
    expect(reasonOf(version)).toMatch(/is there already and is not of this deployment/);
    expect(await podOf('taken-1')).toBeDefined();
  });

  test('goes with its config, though its end was never noted', async () => {
    await create('removed', {});
    await untilPod('removed-1', 'Running');
    await trial.cluster.client.delete(resources.deploymentConfigs, trial.namespace, 'removed');
    await waitFor('its pod is gone', async () =>
      (await podOf('removed-1')) === undefined ? true : undefined,
    );
  });
});

describe('the example deployer, as a process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-deployer-'));
  let path = '';

  beforeAll(async () => {
    const programs = await ensureToolchain({
      tools: ['kubectl'],
      progress: createProgress(process.stderr),
    });
    path = `${dirname(programs.kubectl)}:${process.env['PATH'] ?? ''}`;
  }, 900_000);
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /** A kubeconfig with nothing but the token that a deployer's pod gets. */
  async function deployerKubeconfig(): Promise<string> {
    const { client, server } = trial.cluster;
    const { status } = await client.transport.json<{ status: { token: string } }>({
      method: 'POST',
      path: `/api/v1/namespaces/${trial.namespace}/serviceaccounts/deployer/token`,
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
    });
    const file = join(folder, 'kubeconfig');
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'c', cluster: { server, 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'u', user: { token: status.token } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    };
    writeFileSync(file, JSON.stringify(config));
    return file;
  }

  async function run(
    program: string,
    args: readonly string[],
    environment: Record<string, string> = {},
  ): Promise<{ code: number; output: string }> {
    const env = {
      PATH: path,
      HOME: folder,
      KUBECONFIG: await deployerKubeconfig(),
      ...environment,
    };
    return new Promise((resolve) => {
      execFile(program, args, { env, timeout: 60_000 }, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
        resolve({ code, output: `${stdout}${stderr}` });
      });
    });
  }

  const deploy = (version: string, timeout = '30s') =>
    run('examples/deployer/deploy.sh', [], {
      OPENSHIFT_DEPLOYMENT_NAME: version,
      OPENSHIFT_DEPLOYMENT_NAMESPACE: trial.namespace,
      TIMEOUT: timeout,
    });

  /** What a node does when the container's process has ended. */
  async function end(version: string, code: number, message: string): Promise<void> {
    const annotations = {
      'kwok.slipway.dev/exit-code': String(code),
      'kwok.slipway.dev/exit-message': message,
    };
    const body = { metadata: { annotations } };
    const name = `${version}-deploy`;
    await trial.cluster.client.patch(resources.pods, trial.namespace, name, 'merge', body);
  }

  test('destroys and recreates, with the rights that its pod has', async () => {
    await create('real', {});
    await untilPod('real-1', 'Running');
    const first = await deploy('real-1');
    expect(first).toMatchObject({ code: 0, output: expect.stringContaining('Deployed real-1') });
    await end('real-1', first.code, first.output);
    await trial.untilPhase('real-1', 'Complete');
    await trial.untilServing('real-1', 4);

    await trial.setImage('real', 'example.com/web:2');
    await untilPod('real-2', 'Running');
    const second = await deploy('real-2');
    expect(second).toMatchObject({
      code: 0,
      output: expect.stringContaining('Scaling real-1 down'),
    });
    // It is done before its pod's end is known: none of it was done by anyone else.
    await trial.untilServing('real-2', 4);
    await trial.untilServing('real-1', 0);
    await end('real-2', second.code, second.output);
    await trial.untilPhase('real-2', 'Complete');
  });

  test('fails when the new pods never come, and the old version comes back', async () => {
    await trial.setImage('real', 'example.com/web:404');
    await untilPod('real-3', 'Running');
    const { code, output } = await deploy('real-3', '2s');
    expect({ code, output }).toMatchObject({
      code: 1,
      output: expect.stringContaining('real-3 has not 4 available pods after 2s'),
    });
    await end('real-3', code, output);
    const version = await trial.untilPhase('real-3', 'Failed');
    expect(reasonOf(version)).toContain('has not 4 available pods');
    await trial.untilServing('real-2', 4);
  });

  test('says what it was not told', async () => {
    const { code, output } = await run('examples/deployer/deploy.sh', []);
    expect(code).not.toBe(0);
    expect(output).toContain('OPENSHIFT_DEPLOYMENT_NAME');
  });

  test.each([
    ['get', 'secrets', 'no'],
    ['update', 'deploymentconfigs.apps.openshift.io', 'no'],
    ['delete', 'pods', 'no'],
    ['create', 'rolebindings.rbac.authorization.k8s.io', 'no'],
    ['update', 'replicationcontrollers', 'yes'],
    ['list', 'pods', 'yes'],
  ])('may it %s %s? %s', async (verb, resource, answer) => {
    const { output } = await run('kubectl', [
      'auth',
      'can-i',
      verb,
      resource,
      '-n',
      trial.namespace,
    ]);
    expect(output.trim().split('\n').at(-1)).toBe(answer);
    const elsewhere = await run('kubectl', ['auth', 'can-i', verb, resource, '-n', 'default']);
    expect(elsewhere.output.trim().split('\n').at(-1)).toBe('no');
  });
});
