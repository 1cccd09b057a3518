import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import type { Pod } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { ConfigTrial } from '../support/config-trial.js';
import { sharedServers } from '../support/deployment-trial.js';
import { readExample } from '../support/example-manifest.js';
import { HookTrial } from '../support/hook-trial.js';
import { runSlipway, type CommandResult } from '../support/slipway-command.js';

// What docs/hooks.md leads its readers through, where no command really runs.

const servers = sharedServers();
const env = { KUBECONFIG: servers.kubeconfig, TEMPORAL_ADDRESS: servers.temporalAddress };

let trial: ConfigTrial;
let hooks: HookTrial;

beforeAll(async () => {
  trial = await ConfigTrial.open(servers);
  hooks = new HookTrial(trial);
});
afterAll(async () => {
  await trial.close();
});

const deploy = (input: string): Promise<CommandResult> =>
  runSlipway(['deploy', '-n', trial.namespace, '-f', '-'], { env, input });

/** The hooks' pods of a version, by their names. */
async function hookPods(version: string): Promise<readonly string[]> {
  const { items } = await trial.cluster.client.list<Pod>(resources.pods, trial.namespace, {
    labelSelector: `openshift.io/deployer-pod-for.name=${version}`,
  });
  return items.map(({ metadata }) => metadata.name).sort();
}

describe('the Rails application of the examples', () => {
  test('goes from rails-1 to rails-2, each after its migration', async () => {
    expect(await deploy(readExample('rails/database.yaml'))).toMatchObject({ code: 0 });
    expect(await deploy(readExample('rails/rails.yaml'))).toMatchObject({ code: 0 });
    const second = readExample('rails/rails.yaml', { 'rails:1': 'rails:2' });
    expect(await deploy(second)).toMatchObject({ code: 0 });
    await trial.untilServing('rails-2', 1);
    expect((await trial.version('rails-1'))?.spec?.replicas).toBe(0);
    for (const version of ['rails-1', 'rails-2']) {
      expect(await hookPods(version)).toEqual([`${version}-hook-pre`]);
      expect(hooks.phaseOf((await trial.version(version))!, 'pre')).toBe('Succeeded');
    }
  });

  test('fails as rails-3, which is reverted, and serves as rails-2', async () => {
    const third = readExample('rails/rails.yaml', {
      'rails:1': 'rails:3',
      'ready-after: 0s': 'ready-after: 1h',
      // Sooner than the document has it.
      'timeoutSeconds: 60': 'timeoutSeconds: 5',
    });
    expect(await deploy(third)).toMatchObject({ code: 1 });
    await hooks.untilPhase('rails-3', 'abort', 'Succeeded');
    expect(await hookPods('rails-3')).toEqual(['rails-3-hook-abort', 'rails-3-hook-pre']);
    await trial.untilServing('rails-2', 1);
  });
});

test('the notification of the examples runs once for each version, and not when it is scaled', async () => {
  expect(await deploy(readExample('notify.yaml'))).toMatchObject({ code: 0 });
  await trial.patch('notify', { spec: { replicas: 5 } });
  await trial.untilServing('notify-1', 5);
  expect(await hookPods('notify-1')).toEqual(['notify-1-hook-post']);
});
