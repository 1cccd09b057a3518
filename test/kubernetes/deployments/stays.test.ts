import { describe, expect, test } from '@jest/globals';

import { annotations } from '../../../src/kubernetes/deployments/annotations.js';
import { readReplicaSet } from '../../../src/kubernetes/deployments/read-replica-set.js';
import {
  beginAnnotation,
  readStays,
  tellAnnotation,
} from '../../../src/kubernetes/deployments/stays.js';
import type { ReplicaSet } from '../../../src/kubernetes/objects.js';
import { deployment, replicaSet } from '../../client/support/objects.js';

const startedAt = '2026-01-01T12:00:00.000Z';
const begin = (
  set: ReplicaSet,
  before?: ReplicaSet,
  over: object = { from: { name: 'web-1', revision: 1 } },
) =>
  beginAnnotation(set, before, {
    revision: 2,
    triggers: ['NewImage'],
    beginning: { startedAt, by: 'ann', ...over },
  });
const withStays = (text: string): ReplicaSet =>
  replicaSet(2, { annotations: { [annotations.stays]: text } });
const readBack = (written: Record<string, string>) =>
  readStays(replicaSet(2, { annotations: written }));

describe('a stay that begins', () => {
  test('says from what, with the images before', () => {
    expect(readBack(begin(replicaSet(2), replicaSet(1)))).toEqual([
      { revision: 2, triggers: ['NewImage'], startedAt, by: 'ann', from: 1, was: ['nginx:1'] },
    ]);
  });

  test('leaves out images that stay', () => {
    const same = replicaSet(1, { image: 'nginx:2' });
    expect(readBack(begin(replicaSet(2), same))[0]).not.toHaveProperty('was');
  });

  test('leaves out what is gone already, and what never was', () => {
    expect(readBack(begin(replicaSet(2)))[0]).not.toHaveProperty('was');
    expect(readBack(begin(replicaSet(2), undefined, {}))).toEqual([
      { revision: 2, triggers: ['NewImage'], startedAt, by: 'ann' },
    ]);
  });

  test('comes after those that the set has', () => {
    const first = { revision: 1, startedAt, triggers: [], end: 'Complete' };
    const set = withStays(JSON.stringify([first]));
    expect(readBack(begin(set)).map(({ revision }) => revision)).toEqual([1, 2]);
  });

  test('and that one keeps its change-cause', () => {
    const set = withStays(JSON.stringify([{ revision: 1, startedAt, triggers: [] }]));
    set.metadata.annotations = { ...set.metadata.annotations, [annotations.changeCause]: 'keys' };
    expect(readBack(begin(set))[0]?.cause).toBe('keys');
  });
});

test('a stay that ends is written among the others', () => {
  const set = withStays(
    JSON.stringify([
      { revision: 1, startedAt, triggers: [] },
      { revision: 2, startedAt, triggers: [] },
    ]),
  );
  const news = { kind: 'ended', end: 'Complete', at: 'later' } as const;
  expect(readBack(tellAnnotation(set, 2, news))).toEqual([
    { revision: 1, startedAt, triggers: [] },
    { revision: 2, startedAt, triggers: [], end: 'Complete', endedAt: 'later' },
  ]);
});

test.each([
  'spoilt',
  '{}',
  'null',
  '[null, 7, {}]',
  '[{"revision": 1}]',
  '[{"revision": true, "startedAt": "x", "triggers": []}]',
  '[{"revision": 1, "startedAt": "x", "triggers": [], "end": "Odd"}]',
])('what Slipway has not written is not read: %s', (text) => {
  expect(readStays(withStays(text))).toEqual([]);
});

test('decisions see the latest stay', () => {
  const stays = [
    { revision: 1, startedAt, triggers: [], end: 'Complete' },
    { revision: 3, startedAt, triggers: [], backTo: 1, by: 'ann', reason: 'long' },
  ];
  const read = (set: ReplicaSet) => readReplicaSet(set, deployment(), true).lastStay;
  expect(read(withStays(JSON.stringify(stays)))).toEqual({ revision: 3, backTo: 1, by: 'ann' });
  expect(read(replicaSet(2))).toBeUndefined();
});
