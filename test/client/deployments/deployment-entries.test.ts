import { describe, expect, test } from '@jest/globals';

import { describeRevisions } from '../../../src/client/deployments/deployment-entries.js';
import { listRevisions } from '../../../src/client/revisions.js';
import type { Stay } from '../../../src/domain/shared/stay.js';
import { writeChangeNote } from '../../../src/kubernetes/change-note.js';
import type { Deployment, ReplicaSet } from '../../../src/kubernetes/objects.js';
import { deployment, replicaSet, type ReplicaSetFacts } from '../support/objects.js';

const stay = (revision: number, over: Partial<Stay> = {}): Stay => ({
  revision,
  startedAt: '2026-01-01T00:00:00.000Z',
  endedAt: '2026-01-01T00:00:20.000Z',
  end: 'Complete',
  triggers: ['NewImage'],
  ...over,
});
const open = (revision: number, over: Partial<Stay> = {}): Stay => {
  const { end: _end, endedAt: _at, ...rest } = stay(revision, over);
  return rest;
};

/** A set with these stays, by the numbers that it had. */
function set(revision: number, stays: readonly Stay[], facts: ReplicaSetFacts = {}): ReplicaSet {
  const earlier = stays.map((one) => one.revision).filter((one) => one !== revision);
  const annotations = {
    ...(stays.length === 0 ? {} : { 'slipway.dev/stays': JSON.stringify(stays) }),
    ...(earlier.length === 0
      ? {}
      : { 'deployment.kubernetes.io/revision-history': earlier.join(',') }),
    ...facts.annotations,
  };
  return replicaSet(revision, { ...facts, annotations });
}

const historyOf = (sets: readonly ReplicaSet[], object: Deployment = deployment()) =>
  describeRevisions(object, listRevisions(object, sets));

describe('a revision', () => {
  test('with all that was noted of it', () => {
    const [entry] = historyOf([
      set(
        2,
        [stay(2, { from: 1, was: ['nginx:1'], by: 'ann', manager: 'slipway', reason: 'new keys' })],
        { desired: 10, ready: 9 },
      ),
      set(1, [stay(1)]),
    ]);
    expect(entry).toEqual({
      revision: 2,
      attempt: 1,
      tag: null,
      current: true,
      holder: 'ReplicaSet/web-2',
      startedAt: '2026-01-01T00:00:00.000Z',
      endedAt: '2026-01-01T00:00:20.000Z',
      seconds: 20,
      who: 'ann',
      manager: 'slipway',
      triggers: ['NewImage'],
      why: 'new keys',
      changeCause: null,
      backTo: null,
      from: { revision: 1, images: ['nginx:1'] },
      images: ['nginx:2'],
      outcome: 'Complete',
      reason: null,
      endedBy: null,
      replicas: { desired: 10, ready: 9 },
      runs: null,
    });
  });

  test('whose images stayed comes from the same ones', () => {
    const [entry] = historyOf([set(2, [stay(2, { from: 1 })])]);
    expect(entry?.from).toEqual({ revision: 1, images: ['nginx:2'] });
  });

  test('knows the images before, though their set is gone', () => {
    const entries = historyOf([set(7, [stay(7, { from: 6, was: ['nginx:6'] })])]);
    expect(entries).toHaveLength(1);
    expect(entries[0]?.from).toEqual({ revision: 6, images: ['nginx:6'] });
  });

  test('that was the first comes from nowhere', () => {
    expect(historyOf([set(1, [stay(1)])])[0]?.from).toBeNull();
  });

  test.each<[string, Partial<Stay>, string]>([
    ['in words, where nobody gave a reason', {}, 'new image'],
    ['by several triggers', { triggers: ['NewImage', 'ConfigChange'] }, 'new image, config change'],
    ['by a trigger of later days', { triggers: ['Moon'] }, 'Moon'],
    ['by hand', { triggers: ['Manual'] }, 'manual change'],
    ['as they said', { reason: 'new keys' }, 'new keys'],
    ['by going back', { triggers: ['Manual'], backTo: 1 }, 'back to revision 1'],
    [
      'by going back for a reason',
      { triggers: ['Manual'], backTo: 1, reason: 'too slow' },
      'back to revision 1: too slow',
    ],
    [
      'by itself',
      { triggers: [], backTo: 1, reason: 'Revision 2 failed; rolled back to revision 1' },
      'Revision 2 failed; rolled back to revision 1',
    ],
  ])('came about %s', (_title, over, why) => {
    expect(historyOf([set(3, [stay(3, over)])])[0]?.why).toBe(why);
  });
});

describe('the change-cause', () => {
  const cause = (text: string) => ({ annotations: { 'kubernetes.io/change-cause': text } });

  test('is why, where nobody gave a reason', () => {
    const [entry] = historyOf([set(1, [stay(1)], cause('new keys'))]);
    expect(entry).toMatchObject({ why: 'new keys', changeCause: 'new keys' });
    const [reasoned] = historyOf([set(1, [stay(1, { reason: 'a' })], cause('new keys'))]);
    expect(reasoned).toMatchObject({ why: 'a', changeCause: 'new keys' });
  });

  test('that was left from the revision before is no reason', () => {
    const entries = historyOf([
      set(2, [stay(2)], cause('new keys')),
      set(1, [stay(1)], cause('new keys')),
    ]);
    expect(entries.map(({ why, changeCause }) => [why, changeCause])).toEqual([
      ['new image', 'new keys'],
      ['new keys', 'new keys'],
    ]);
  });

  test('of each time is its own', () => {
    const back = [stay(1, { cause: 'first' }), stay(3, { backTo: 1, triggers: ['Manual'] })];
    const entries = historyOf([set(3, back, cause('later')), set(2, [stay(2)], cause('second'))]);
    expect(entries.map(({ why, changeCause }) => [why, changeCause])).toEqual([
      ['back to revision 1', 'later'],
      ['second', 'second'],
      ['first', 'first'],
    ]);
  });
});

describe('how it ended', () => {
  test.each<[string, Partial<Stay>]>([
    ['Failed', { end: 'Failed', endReason: 'it made no progress for 600 s' }],
    ['RolledBack', { end: 'RolledBack', endReason: 'Revision 2 failed' }],
    ['Overtaken', { end: 'Overtaken', endReason: 'revision 3 came' }],
    ['Cancelled', { end: 'Cancelled', endReason: 'wrong one', endedBy: 'ann' }],
  ])('%s, and why', (outcome, over) => {
    const entries = historyOf([set(3, [stay(3)]), set(2, [stay(2, over)])]);
    expect(entries[1]).toMatchObject({
      revision: 2,
      current: false,
      outcome,
      reason: over.endReason,
      endedBy: over.endedBy ?? null,
    });
  });

  test('is open while it goes on', () => {
    expect(historyOf([set(2, [open(2)])])[0]).toMatchObject({
      outcome: 'Progressing',
      endedAt: null,
      seconds: null,
    });
  });

  test('is open while it is paused, and why', () => {
    const paused = deployment({
      paused: true,
      annotations: { 'slipway.dev/pause-reason': 'lunch' },
    });
    expect(historyOf([set(2, [open(2)])], paused)[0]).toMatchObject({
      outcome: 'Paused',
      reason: 'lunch',
    });
  });

  test('is not known of one that is in force no longer, and that nobody told of', () => {
    const entries = historyOf([set(3, [stay(3)]), set(2, [open(2)])]);
    expect(entries[1]?.outcome).toBeNull();
  });
});

test('a template that was gone back to has a line for each time', () => {
  const first = set(
    5,
    [
      stay(1, { triggers: ['Manual'] }),
      stay(3, { triggers: ['Manual'], backTo: 1, by: 'ann', from: 2, was: ['nginx:4'] }),
      stay(5, { triggers: ['Manual'], backTo: 3, by: 'bob', from: 4, was: ['nginx:4'] }),
    ],
    { image: 'nginx:1' },
  );
  const second = set(4, [stay(2, { from: 1 }), stay(4, { from: 3, backTo: 2 })]);
  const entries = historyOf([first, second]);
  expect(
    entries.map(({ revision, who, backTo, holder }) => [revision, who, backTo, holder]),
  ).toEqual([
    [5, 'bob', 3, 'ReplicaSet/web-5'],
    [4, null, 2, 'ReplicaSet/web-4'],
    [3, 'ann', 1, 'ReplicaSet/web-5'],
    [2, null, null, 'ReplicaSet/web-4'],
    [1, null, null, 'ReplicaSet/web-5'],
  ]);
  expect(entries.map(({ current }) => current)).toEqual([true, false, false, false, false]);
  expect(entries.map(({ replicas }) => replicas !== null)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

describe('where another controller was at work, or an older worker', () => {
  test('a first number is as old as its set, and later ones are not known', () => {
    const annotations = { 'deployment.kubernetes.io/revision-history': '1' };
    const entries = historyOf([replicaSet(3, { annotations }), replicaSet(2)]);
    expect(
      entries.map(({ revision, startedAt, from }) => [revision, startedAt, from?.revision]),
    ).toEqual([
      [3, null, 2],
      [2, '2026-01-01T00:00:00Z', 1],
      [1, '2026-01-01T00:00:00Z', undefined],
    ]);
  });

  test('only the latest of very many numbers are shown', () => {
    const history = Array.from({ length: 40 }, (_, index) => index + 1).join(',');
    const annotations = { 'deployment.kubernetes.io/revision-history': history };
    const entries = historyOf([replicaSet(50, { annotations })]);
    expect(entries.map(({ revision }) => revision)).toEqual([
      50, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31,
    ]);
  });

  test('why is what the annotations say', () => {
    const whyOf = (annotations: Record<string, string>) =>
      historyOf([replicaSet(1, { annotations })])[0];
    expect(whyOf({ 'kubernetes.io/change-cause': 'new image' })?.why).toBe('new image');
    expect(whyOf({ 'slipway.dev/started-by': 'NewImage' })).toMatchObject({
      why: 'new image',
      triggers: ['NewImage'],
    });
    expect(whyOf({})?.why).toBeNull();
  });

  test('who is what was handed down, where it is about that number', () => {
    const { template } = deployment().spec!;
    const note = (next: number) =>
      writeChangeNote({ by: 'ann', manager: 'slipway' }, { template, next });
    const whoOf = (next: number) => historyOf([replicaSet(2, { annotations: note(next) })])[0]?.who;
    expect(whoOf(2)).toBe('ann');
    expect(whoOf(3)).toBeNull();
  });

  const available = {
    type: 'Progressing',
    status: 'True',
    reason: 'NewReplicaSetAvailable',
    message: 'ReplicaSet "web-2" has successfully progressed.',
    lastUpdateTime: '2026-01-01T00:00:30Z',
  };

  test('the condition tells when the one in force was complete', () => {
    const [entry] = historyOf([replicaSet(2)], deployment({ conditions: [available] }));
    expect(entry).toMatchObject({ outcome: 'Complete', seconds: 30 });
    const other = { ...available, message: 'ReplicaSet "web-1" has successfully progressed.' };
    const [unknown] = historyOf([replicaSet(2)], deployment({ conditions: [other] }));
    expect(unknown).toMatchObject({ outcome: 'Complete', endedAt: null });
  });

  test.each<[string, Parameters<typeof deployment>[0], string | null]>([
    ['it goes on', { updated: 3 }, 'Progressing'],
    ['it is paused', { updated: 3, paused: true }, 'Paused'],
    [
      'it was cancelled',
      { updated: 3, paused: true, annotations: { 'slipway.dev/cancelled': 'x' } },
      'Cancelled',
    ],
    [
      'it has failed',
      { updated: 3, conditions: [{ type: 'Progressing', status: 'False' }] },
      'Failed',
    ],
    ['nobody has looked yet', { observed: 1 }, null],
  ])('the one in force says by its status that %s', (_title, facts, outcome) => {
    expect(historyOf([replicaSet(2)], deployment(facts))[0]?.outcome).toBe(outcome);
  });

  test.each<[string, Record<string, string>, string | null, string | null]>([
    ['was rolled back', { 'slipway.dev/failed': 'why' }, 'RolledBack', 'why'],
    ['was complete', { 'slipway.dev/last-complete': 'web-1' }, 'Complete', null],
    ['says nothing', { 'slipway.dev/last-complete': 'web-0' }, null, null],
  ])('an old one %s', (_title, annotations, outcome, reason) => {
    const entries = historyOf([replicaSet(2), replicaSet(1, { annotations })]);
    expect(entries[1]).toMatchObject({ outcome, reason });
  });
});

test('a Deployment without sets has no history', () => {
  expect(historyOf([])).toEqual([]);
});

test('numbers that are too large stay whole', () => {
  const annotations = { 'deployment.kubernetes.io/revision': '9007199254740995' };
  expect(historyOf([replicaSet(1, { annotations })])[0]?.revision).toBe('9007199254740995');
});
