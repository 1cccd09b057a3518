import { expect, test } from '@jest/globals';

import { buildController } from '../../src/kubernetes/deployment-configs/build-controller.js';
import type { ConfigKey } from '../../src/kubernetes/deployment-configs/config-view.js';
import type { DeploymentConfig } from '../../src/kubernetes/deployment-configs/objects.js';
import { VersionMaker, type VersionMakerOptions } from '../../src/worker/watch/version-maker.js';
import { waitFor } from '../support/wait-for.js';

const key: ConfigKey = { namespace: 'shop', name: 'web' };
const imageTrigger = {
  type: 'ImageChange' as const,
  imageChangeParams: {
    automatic: true,
    containerNames: ['web'],
    from: { kind: 'ImageStreamTag', name: 'web:latest' },
    lastTriggeredImage: 'example.com/web@sha256:1',
  },
};

function configWith(revision: string, resourceVersion: string): DeploymentConfig {
  return {
    metadata: { ...key, uid: 'web-uid', resourceVersion, generation: 1 },
    spec: {
      triggers: [{ type: 'ConfigChange' }, imageTrigger],
      template: {
        metadata: { labels: { app: 'web' }, annotations: { revision } },
        spec: { containers: [{ name: 'web', image: 'example.com/web@sha256:1' }] },
      },
    },
    status: { latestVersion: 1 },
  };
}

/** A config with one version, whose template and image change when the test says so. */
function setUp() {
  const stop = new AbortController();
  const deployed = configWith('one', '1');
  const latest = buildController(deployed, 1);
  let [config, image] = [deployed, 'example.com/web@sha256:1'];
  let change: (key: ConfigKey) => void = () => undefined;
  const statuses: { latestVersion: number; details: { causes: { type: string }[] } }[] = [];
  const client = {
    patch: (...[, , , , body]: unknown[]) => {
      const { status } = body as { status?: (typeof statuses)[number] };
      if (status !== undefined) statuses.push(status);
      return Promise.resolve({ metadata: { resourceVersion: '9' } });
    },
  };
  const view = {
    keys: () => [].values(),
    get: () => config,
    getController: () => latest,
    images: () => new Map([['shop/web:latest', image]]),
    repositories: { get: () => undefined },
    onChange: (listener: (key: ConfigKey) => void) => {
      change = listener;
      return () => undefined;
    },
  };
  const maker = new VersionMaker({
    cluster: 'local',
    client,
    view,
    events: { record: () => undefined },
    logger: { warn: () => undefined },
    signal: stop.signal,
  } as unknown as VersionMakerOptions);
  maker.start();
  return {
    statuses,
    stop,
    editTemplate: () => {
      config = configWith('two', '2');
      change(key);
    },
    moveTag: () => {
      image = 'example.com/web@sha256:2';
      change(key);
    },
  };
}

test('a template and an image that change together make one version with two causes', async () => {
  const { statuses, stop, editTemplate, moveTag } = setUp();
  editTemplate();
  // Everything that is ready to run does so before the second change comes.
  await new Promise(setImmediate);
  expect(statuses).toEqual([]);
  moveTag();
  const [status] = await waitFor('a version is made', () =>
    statuses.length > 0 ? statuses : undefined,
  );
  stop.abort();
  expect(status).toMatchObject({
    latestVersion: 2,
    details: { causes: [{ type: 'ImageChange' }, { type: 'ConfigChange' }] },
  });
  expect(statuses).toHaveLength(1);
});

test('one that is stopped makes none', async () => {
  const { statuses, stop, editTemplate } = setUp();
  editTemplate();
  stop.abort();
  await new Promise(setImmediate);
  expect(statuses).toEqual([]);
});
