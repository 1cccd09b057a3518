import { describe, expect, test } from '@jest/globals';

import { buildController } from '../../../src/kubernetes/deployment-configs/build-controller.js';
import type { DeploymentConfig } from '../../../src/kubernetes/deployment-configs/objects.js';
import {
  readController,
  readStrategy,
} from '../../../src/kubernetes/deployment-configs/read-controller.js';

const config: DeploymentConfig = {
  metadata: { name: 'web', namespace: 'shop', uid: 'web-uid', annotations: { team: 'shop' } },
  spec: {
    replicas: 3,
    selector: { app: 'web' },
    strategy: { type: 'Recreate', recreateParams: { timeoutSeconds: 30 } },
    template: {
      metadata: { labels: { app: 'web', deployment: 'mine' } },
      spec: { containers: [{ name: 'web', image: 'example.com/web:1' }] },
    },
  },
  status: { latestVersion: 2 },
};

describe('a version', () => {
  const controller = buildController(config, 2);

  test('is a ReplicationController without pods, whose labels keep its pods apart', () => {
    expect(controller).toMatchObject({
      metadata: { name: 'web-2', namespace: 'shop', annotations: { team: 'shop' } },
      spec: {
        replicas: 0,
        selector: { app: 'web', deployment: 'web-2', deploymentconfig: 'web' },
        template: { metadata: { labels: { deployment: 'web-2', deploymentconfig: 'web' } } },
      },
    });
  });

  test('is read as what it was built from', () => {
    expect(readController(controller)).toMatchObject({
      name: 'web-2',
      version: 2,
      phase: 'New',
      desired: 0,
      isCancelled: false,
      strategy: { type: 'Recreate', timeoutSeconds: 30 },
    });
  });

  test('of nobody is none', () => {
    expect(readController({ metadata: { name: 'other' } })).toBeUndefined();
  });
});

describe('a strategy', () => {
  test.each([
    [undefined, undefined, '25%', '25%'],
    [0, undefined, 0, '25%'],
    [undefined, '0%', '25%', '0%'],
    [3, undefined, 3, 0],
    [undefined, '10%', 0, '10%'],
    [1, 2, 1, 2],
  ])(
    'surge %p and outage %p are read as %p and %p',
    (maxSurge, maxUnavailable, surge, unavailable) => {
      const rollingParams = {
        ...(maxSurge === undefined ? {} : { maxSurge }),
        ...(maxUnavailable === undefined ? {} : { maxUnavailable }),
      };
      expect(readStrategy({ type: 'Rolling', rollingParams })).toMatchObject({
        maxSurge: surge,
        maxUnavailable: unavailable,
      });
    },
  );

  test('without a type is Rolling', () => {
    expect(readStrategy(undefined)).toMatchObject({ type: 'Rolling', timeoutSeconds: 600 });
    expect(readStrategy({ type: '' })).toMatchObject({ type: 'Rolling' });
  });

  test('has a limit for the whole only where somebody asks for one', () => {
    expect(readStrategy({ activeDeadlineSeconds: 60 })).toMatchObject({ limitSeconds: 60 });
    expect(readStrategy({ activeDeadlineSeconds: 21_600 })).not.toHaveProperty('limitSeconds');
    const type = 'Recreate';
    expect(readStrategy({ type, activeDeadlineSeconds: 9 })).toMatchObject({ limitSeconds: 9 });
  });

  test('that this worker does not know is said to be so', () => {
    const type = 'Sideways' as 'Rolling';
    expect(readStrategy({ type })).toMatchObject({ type: 'Unknown', name: 'Sideways' });
  });
});
