import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { ConfigTrial } from '../support/config-trial.js';
import { conditionOf, imageOf, ImageTrial } from '../support/image-trial.js';
import { startLocalStack, type LocalStack } from '../support/local-stack.js';
import { startRegistry, type RegistryServer } from '../support/registry.js';
import { WorkerProcess } from '../support/worker-process.js';

let stack: LocalStack;
let registry: RegistryServer;
let trial: ConfigTrial;
let images: ImageTrial;

beforeAll(async () => {
  [stack, registry] = await Promise.all([startLocalStack(), startRegistry()]);
  trial = await ConfigTrial.open(stack);
  images = new ImageTrial(trial);
});
afterAll(async () => {
  await trial.close();
  await registry.remove();
  await stack.stop();
});

test('another worker looks at what was pushed meanwhile, and at nothing else before its time', async () => {
  const [pushed, quiet] = [
    await images.push(registry, 'pushed/web', 'latest', 'old'),
    await images.push(registry, 'quiet/web', 'latest', 'old'),
  ];
  const first = await WorkerProcess.start(stack);
  await images.create('pushed', `${registry.host}/pushed/web`, { tags: ['latest'] });
  await images.create('quiet', `${registry.host}/quiet/web`, { tags: ['latest'] });
  await images.untilImage('pushed', 'latest', pushed);
  await images.untilImage('quiet', 'latest', quiet);
  await first.end('SIGKILL');

  const young = await images.push(registry, 'pushed/web', 'latest', 'young');
  await images.push(registry, 'quiet/web', 'latest', 'young');
  await images.tellPushed('pushed', 'latest');
  const second = await WorkerProcess.start(stack);
  try {
    await images.untilImage('pushed', 'latest', young);
    // A repository that is new is asked for at once; by then the quiet one would have been, too.
    await images.create('new', `${registry.host}/quiet/web`, { tags: ['latest'] });
    await images.untilReady('new', 'Resolved');
    const found = await images.get('quiet');
    expect(imageOf(found, 'latest')).toBe(quiet);
    expect(conditionOf(found, 'Ready')?.status).toBe('True');
  } finally {
    expect(await second.end('SIGTERM')).toBe(0);
  }
});
