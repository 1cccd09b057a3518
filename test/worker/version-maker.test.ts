import { expect, test } from '@jest/globals';

import { ApiError } from '../../src/kubernetes/api-error.js';
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
function setUp(onPatch: () => Promise<void> = () => Promise.resolve()) {
  const stop = new AbortController();
  const deployed = configWith('one', '1');
  const latest = buildController(deployed, 1);
  let [config, image] = [deployed, 'example.com/web@sha256:1'];
  let change: (key: ConfigKey) => void = () => undefined;
  const statuses: { latestVersion: number; details: { causes: { type: string }[] } }[] = [];
  const client = {
    patch: async (...[, , , , body]: unknown[]) => {
      await onPatch();
      const { status } = body as { status?: (typeof statuses)[number] };
      if (status !== undefined) statuses.push(status);
      return { metadata: { resourceVersion: '9' } };
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
    firstRetryMs: 1,
  } as unknown as VersionMakerOptions);
  maker.start();
  return {
    statuses,
    stop,
    touch: () => {
      change(key);
    },
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

test('what the cluster could not take is tried again, though nothing changes', async () => {
  let failures = 3;
  const { statuses, stop, editTemplate, moveTag } = setUp(() => {
    failures -= 1;
    return failures < 0
      ? Promise.resolve()
      : Promise.reject(new ApiError(503, 'ServiceUnavailable', 'etcd has no leader'));
  });
  moveTag();
  editTemplate();
  await waitFor('a version is made', () => (statuses.length > 0 ? statuses : undefined));
  stop.abort();
  expect(statuses).toHaveLength(1);
});

test.each(Array.from({ length: 16 }, (_, ticks) => ticks))(
  'a change that comes %i ticks after a version was made is not missed',
  async (ticks) => {
    let patches = 0;
    const { statuses, stop, editTemplate, moveTag, touch } = setUp(() => {
      patches += 1;
      // The second write is the last; the change comes while what follows it runs.
      if (patches === 2) void afterTicks(ticks).then(touch);
      return Promise.resolve();
    });
    moveTag();
    editTemplate();
    await waitFor('it is looked at again', () => (statuses.length > 1 ? true : undefined), 2_000);
    stop.abort();
  },
);

async function afterTicks(count: number): Promise<void> {
  for (let ticks = 0; ticks < count; ticks += 1) await Promise.resolve();
}
