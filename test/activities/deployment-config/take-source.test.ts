import { describe, expect, test } from '@jest/globals';

import { takeSource } from '../../../src/activities/deployment-config/take-source.js';
import { buildController } from '../../../src/kubernetes/deployment-configs/build-controller.js';
import type { DeploymentConfig } from '../../../src/kubernetes/deployment-configs/objects.js';

const notes = { from: 2, to: 1, config: false, application: true, run: 'r' };

/** A config whose third version is a rollback, as far as it says. */
const configOf = (image: string, rollback?: object, type = 'Rolling'): DeploymentConfig =>
  ({
    metadata: { name: 'web', namespace: 'shop', uid: 'u' },
    spec: {
      replicas: 1,
      strategy: { type },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'web', image }] },
      },
    },
    status: { latestVersion: 3, details: { causes: [{ type: 'Rollback', rollback }] } },
  }) as unknown as DeploymentConfig;

const first = buildController(configOf('a', undefined, 'Recreate'), 1);
const seen = (name: string) => (name === 'web-1' ? first : undefined);
const imageOf = ({ spec }: DeploymentConfig) => spec.template.spec?.containers[0]?.image;

describe('what a version is made from', () => {
  test('is, of what a rollback takes back, where it goes back to, whatever was applied since', () => {
    const source = takeSource(configOf('b', notes), 3, seen);
    expect(imageOf(source)).toBe('a');
    expect(source.spec.strategy?.type).toBe('Rolling');
    expect(source.status).toEqual(configOf('b', notes).status);
  });

  test('leaves the number of replicas to a rollback that keeps it', () => {
    const scaled = (rollback: object): DeploymentConfig => {
      const config = configOf('b', rollback);
      return { ...config, spec: { ...config.spec, replicas: 20 } };
    };
    expect(takeSource(scaled(notes), 3, seen).spec.replicas).toBe(1);
    const kept = takeSource(scaled({ ...notes, keepsReplicas: true }), 3, seen);
    expect([kept.spec.replicas, imageOf(kept)]).toEqual([20, 'a']);
  });

  test.each<[string, object | undefined, number]>([
    ['that is no rollback', undefined, 3],
    ['after the rollback', notes, 4],
    ['that a client has put together by itself', { ...notes, run: undefined }, 3],
    ['of a rollback to what is gone', { ...notes, to: 2 }, 3],
  ])('is the config as it stands, for one %s', (_which, rollback, version) => {
    const config = configOf('b', rollback);
    expect(takeSource(config, version, seen)).toBe(config);
  });
});
