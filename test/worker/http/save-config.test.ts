import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { describe, expect, test } from '@jest/globals';

import type { KubernetesClient } from '../../../src/kubernetes/client.js';
import { configAnnotations } from '../../../src/kubernetes/deployment-configs/annotations.js';
import type { DeploymentConfig } from '../../../src/kubernetes/deployment-configs/objects.js';
import { saveConfig, waitAtMost } from '../../../src/worker/http/deployment-configs/save-config.js';

test('a wait ends in time, though memory is tidied up meanwhile', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const asked = new AbortController();
  const end = await waitAtMost(300, asked.signal, async (within) => {
    const isLate = once(within, 'abort').then(() => 'in time');
    for (let count = 0; count < 5; count += 1) {
      await delay(20);
      collect();
    }
    return Promise.race([isLate, delay(3_000, 'never', { ref: false })]);
  });
  expect(end).toBe('in time');
});

describe('a config whose rollback has still to become a version', () => {
  const key = { namespace: 'shop', name: 'web' };
  const rollback = { from: 2, to: 1, config: true, application: true, run: 'r' };
  const request = JSON.stringify({ version: 3, rollback });
  const current: DeploymentConfig = {
    metadata: {
      ...key,
      resourceVersion: '7',
      annotations: { [configAnnotations.request]: request },
    },
    spec: { template: { spec: { containers: [{ name: 'web', image: 'web:1' }] } } },
    status: { latestVersion: 2 },
  };
  const put = async (latestVersion: number) => {
    const saved: DeploymentConfig[] = [];
    const client = {
      get: () => Promise.resolve(current),
      replace: (_type: unknown, config: DeploymentConfig) => {
        saved.push(config);
        return Promise.resolve(config);
      },
    } as unknown as KubernetesClient;
    const details = { causes: [{ type: 'Manual' }] };
    const body = { ...current, status: { latestVersion, details } };
    const { signal } = new AbortController();
    const answer = await saveConfig(client, key, body, 'ann', signal).catch(
      (error: unknown) => error,
    );
    return { answer, saved };
  };

  test('takes no other wish for a version in its place', async () => {
    const { answer, saved } = await put(3);
    expect(answer).toMatchObject({
      code: 409,
      message:
        'DeploymentConfig "web" is on its way back to version 1: generate it anew once that version is made',
    });
    expect(saved).toEqual([]);
  });

  test('keeps its wish when something else is saved', async () => {
    const { saved } = await put(2);
    expect(saved.map(({ metadata }) => metadata.annotations?.[configAnnotations.request])).toEqual([
      request,
    ]);
  });
});
