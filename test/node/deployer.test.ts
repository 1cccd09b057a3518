import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { busyboxImage } from '../../src/dev/node/standard-images.js';
import { reasonOf, type ConfigTrial } from '../support/config-trial.js';
import { deployerImage } from '../support/real-node-images.js';
import {
  endOf,
  findKubectl,
  getPod,
  makeSharedImage,
  openRealTrial,
  runKubectl,
} from '../support/real-node.js';
import { waitFor } from '../support/wait-for.js';

let trial: ConfigTrial;
let kubectl = '';
let image = '';

beforeAll(async () => {
  kubectl = await findKubectl();
  image = await makeSharedImage(await deployerImage(kubectl));
  trial = await openRealTrial();
}, 900_000);
afterAll(async () => {
  await trial.close();
});

/** What the version's pods run: something that goes on, and ends when it is asked to. */
const template = (name: string, words: string) => ({
  metadata: { labels: { app: name } },
  spec: {
    containers: [
      {
        name: 'web',
        image: busyboxImage,
        command: ['/bin/sh', '-c', `echo ${words}; trap "exit 0" TERM; sleep 3600 & wait`],
      },
    ],
  },
});

const logsOf = async (pod: string): Promise<string> =>
  (await runKubectl(kubectl, ['logs', `--namespace=${trial.namespace}`, pod])).stdout;

describe('a deployer of the user, on a real node', () => {
  test('carries out versions by the commands of its script', async () => {
    const customParams = { image, environment: [{ name: 'TIMEOUT', value: '60s' }] };
    await trial.create('web', {
      replicas: 2,
      strategy: { type: 'Custom', customParams },
      template: template('web', 'first'),
    });
    await trial.untilPhase('web-1', 'Complete');
    await trial.untilServing('web-1', 2);
    await trial.patch('web', { spec: { template: template('web', 'second') } });
    const pod = await waitFor('the second deployer has ended', async () => {
      const seen = await getPod(trial.cluster, trial.namespace, 'web-2-deploy');
      return seen.status?.containerStatuses?.[0]?.state?.terminated === undefined
        ? undefined
        : seen;
    });
    const lines = (await logsOf('web-2-deploy')).trim().split('\n');
    expect(endOf(pod).exitCode).toBe(0);
    expect([lines[0], lines.at(-1)]).toEqual(['Deploying web-2 with 2 pods', 'Deployed web-2']);
    expect(lines).toContain('Scaling web-1 down');
    await trial.untilPhase('web-2', 'Complete');
    await trial.untilServing('web-2', 2);
    expect((await trial.version('web-1'))?.spec?.replicas).toBe(0);
  });

  test('that fails tells why by its exit code and its last words', async () => {
    const command = ['/bin/sh', '-c', 'echo "the licence has run out" >&2; exit 9'];
    await trial.create('shop', {
      replicas: 1,
      strategy: { type: 'Custom', customParams: { image, command } },
      template: template('shop', 'first'),
    });
    const version = await trial.untilPhase('shop-1', 'Failed');
    expect(reasonOf(version)).toContain('9');
    expect(reasonOf(version)).toContain('the licence has run out');
  });
});
