import { describe, expect, test } from '@jest/globals';

import { describeVersions } from '../../../src/client/configs/config-entries.js';
import { configAnnotations } from '../../../src/kubernetes/deployment-configs/annotations.js';
import type { DeploymentCause } from '../../../src/kubernetes/deployment-configs/objects.js';
import { config, version, type ConfigFacts } from '../support/configs.js';

const ran = {
  [configAnnotations.startedAt]: '2026-01-01T00:00:10Z',
  [configAnnotations.endedAt]: '2026-01-01T00:00:40Z',
};
const madeBy = (...causes: object[]) => ({
  details: { causes: causes as DeploymentCause[] },
});
const change = (fields: object) => ({ [configAnnotations.change]: JSON.stringify(fields) });
const historyOf = (versions: ReturnType<typeof version>[], facts: ConfigFacts = {}) => {
  const latestVersion = Math.max(0, ...versions.map((one) => Number(one.metadata.name.slice(4))));
  return describeVersions(config({ ...facts, status: { latestVersion } }), versions);
};

describe('a version', () => {
  test('with all that is known of it', () => {
    const edited = version(2, {
      image: 'web:2',
      status: madeBy({ type: 'ConfigChange' }),
      marks: {
        ...ran,
        ...change({ by: 'ann', manager: 'slipway', wasVersion: 1, was: ['web:1'] }),
      },
    });
    expect(historyOf([edited])[0]).toEqual({
      revision: 2,
      attempt: 1,
      tag: null,
      current: true,
      holder: 'ReplicationController/web-2',
      startedAt: '2026-01-01T00:00:00Z',
      endedAt: '2026-01-01T00:00:40Z',
      seconds: 40,
      who: 'ann',
      manager: 'slipway',
      triggers: ['ConfigChange'],
      why: 'config change',
      changeCause: null,
      backTo: null,
      from: { revision: 1, images: ['web:1'] },
      images: ['web:2'],
      outcome: 'Complete',
      reason: null,
      endedBy: null,
      replicas: { desired: 4, ready: 4 },
      runs: null,
    });
  });

  describe('comes from what was in force', () => {
    const fromOf = (...versions: ReturnType<typeof version>[]) => historyOf(versions)[0]?.from;
    const failed = (number: number) => version(number, { image: 'web:b', phase: 'Failed' });
    const noted = (fields: object) => version(4, { image: 'web:4', marks: change(fields) });

    test('as it has noted, whatever is still there', () => {
      const from = { revision: 1, images: ['web:1'] };
      expect(fromOf(noted({ wasVersion: 1, was: ['web:1'] }))).toEqual(from);
      expect(fromOf(noted({ wasVersion: 1, was: ['web:1'] }), failed(3))).toEqual(from);
      expect(fromOf(noted({ wasVersion: 0 }), failed(3))).toBeNull();
    });

    test('whose images were the same, where it has noted no others', () => {
      expect(fromOf(noted({ wasVersion: 3 }))).toEqual({ revision: 3, images: ['web:4'] });
    });

    test('else the one before, where that was complete', () => {
      const entries = historyOf([version(2, { image: 'web:2' }), version(1)]);
      expect(entries.map(({ from }) => from)).toEqual([{ revision: 1, images: ['web:1'] }, null]);
    });

    test('else the last that was complete, and none that failed', () => {
      const from = { revision: 1, images: ['web:1'] };
      expect(fromOf(version(3), failed(2), version(1))).toEqual(from);
      expect(fromOf(noted({ was: ['web:b'] }), failed(3), failed(2), version(1))).toEqual(from);
      expect(fromOf(version(3), failed(2), failed(1))).toBeNull();
    });

    test('which nobody knows where one is missing in between', () => {
      const unknown = { revision: null, images: null };
      expect(fromOf(version(2))).toEqual(unknown);
      expect(fromOf(version(4), failed(3), version(1))).toEqual(unknown);
      expect(fromOf(noted({ was: ['web:b'] }), version(2))).toEqual(unknown);
      expect(fromOf(version(3), failed(2))).toEqual(unknown);
    });
  });

  test.each([
    ['never ran', 'New', {}],
    [
      'runs since its pre hook is done',
      'Running',
      { [configAnnotations.startedAt]: '2026-01-01T00:20:00Z' },
    ],
  ])('that %s began when it was made', (_title, phase, marks) => {
    expect(historyOf([version(1, { phase, marks })])[0]).toMatchObject({
      startedAt: '2026-01-01T00:00:00Z',
      endedAt: null,
      outcome: 'Progressing',
    });
  });

  describe('that overtakes another', () => {
    const startAfter = (endedAt: string, marks: Record<string, string> = ran) => {
      const overtaken = version(1, {
        phase: 'Failed',
        marks: { [configAnnotations.endedAt]: endedAt },
      });
      return historyOf([version(2, { marks }), overtaken])[0]?.startedAt;
    };

    test('began when that had ended', () => {
      expect(startAfter('2026-01-01T00:00:05.5Z')).toBe('2026-01-01T00:00:05.5Z');
      expect(startAfter('2026-01-01T00:00:05.5Z', {})).toBe('2026-01-01T00:00:05.5Z');
    });

    test.each([
      ['had ended long ago', '2025-12-31T00:00:00Z'],
      ['is said to have ended when it ran already', '2026-01-01T00:00:20Z'],
      ['ended nobody knows when', 'spoilt'],
    ])('that %s: when it was made', (_title, endedAt) => {
      expect(startAfter(endedAt)).toBe('2026-01-01T00:00:00Z');
    });
  });

  const image = {
    type: 'ImageChange',
    imageTrigger: { from: { kind: 'ImageStreamTag', namespace: 'shop', name: 'web:latest' } },
  };

  test.each<[string, object[], object, string | null, string | null, string | null]>([
    [
      'somebody asked for',
      [{ type: 'Manual', by: 'ann', reason: 'keys' }],
      {},
      'ann',
      null,
      'manual change (keys)',
    ],
    [
      'a push made',
      [image],
      { by: 'bob', manager: 'kubectl' },
      null,
      null,
      'image change of shop/web:latest',
    ],
    [
      'an edit and a push made together',
      [image, { type: 'ConfigChange' }],
      { by: 'bob', manager: 'slipway' },
      'bob',
      'slipway',
      'image change of shop/web:latest, config change',
    ],
    [
      'a program edited',
      [{ type: 'ConfigChange' }],
      { manager: 'kubectl-edit' },
      null,
      'kubectl-edit',
      'config change',
    ],
    [
      'somebody edited for a reason',
      [{ type: 'ConfigChange' }],
      { by: 'ann', reason: 'more memory' },
      'ann',
      null,
      'config change, more memory',
    ],
    [
      'somebody asked for after somebody else edited',
      [{ type: 'Manual', by: 'ann' }, { type: 'ConfigChange' }],
      { by: 'bob' },
      'ann',
      null,
      'manual change, config change',
    ],
    [
      'a program asked to go back, and did not say for whom',
      [
        {
          type: 'Rollback',
          rollback: { from: 1, to: 1, config: true, application: true, manager: 'kubectl-patch' },
        },
      ],
      { by: 'bob', manager: 'slipway' },
      null,
      'kubectl-patch',
      'rollback from version 1 to version 1',
    ],
    ['nobody knows why', [], {}, null, null, null],
  ])('that %s', (_title, causes, changed, who, manager, why) => {
    const made = version(2, { status: madeBy(...causes), marks: change(changed) });
    expect(historyOf([made])[0]).toMatchObject({ who, manager, why });
  });

  test('that a run made, and nobody says who started it, names the run', () => {
    const whoOf = (by: string) => {
      const rollback = { from: 3, to: 1, config: true, application: true, run: '0199' };
      return historyOf([version(4, { status: madeBy({ type: 'Rollback', by, rollback }) })])[0]
        ?.who;
    };
    expect(whoOf('a workflow')).toBe('a workflow (run 0199)');
    expect(whoOf('ann')).toBe('ann');
  });

  test('that goes back to another says to which', () => {
    const rollback = { type: 'Rollback', from: 3, to: 1, notes: 'too slow', by: 'ann' };
    expect(historyOf([version(4, { status: madeBy(rollback) })])[0]).toMatchObject({
      who: 'ann',
      backTo: 1,
      triggers: ['Rollback'],
      why: 'rollback to version 1 (too slow)',
    });
  });
});

describe('how it ended', () => {
  const failed = (marks: Record<string, string>) =>
    historyOf([
      version(3),
      version(2, { phase: 'Failed', ready: 0, marks: { ...ran, ...marks } }),
    ])[1];
  const reason = configAnnotations.statusReason;
  const cancelled = { [configAnnotations.cancelled]: 'true' };

  test('failed', () => {
    expect(failed({ [reason]: 'it made no progress' })).toMatchObject({
      revision: 2,
      current: false,
      seconds: 40,
      outcome: 'Failed',
      reason: 'it made no progress',
      endedBy: null,
    });
  });

  test('cancelled by somebody', () => {
    const by = { [configAnnotations.cancelledBy]: 'ann', [reason]: 'cancelled by ann: why' };
    expect(failed({ ...cancelled, ...by })).toMatchObject({
      outcome: 'Cancelled',
      reason: 'cancelled by ann: why',
      endedBy: 'ann',
    });
  });

  test.each([{}, cancelled])('overtaken, and by which', (mark) => {
    expect(failed({ ...mark, [reason]: 'newer deployment was found running' })).toMatchObject({
      outcome: 'Overtaken',
      reason: 'version 3 came',
    });
  });

  test('called off, where the old side of a comparison has won', () => {
    const text = 'the old side has won the comparison';
    expect(failed({ [reason]: text })).toMatchObject({ outcome: 'Cancelled', reason: text });
  });

  test('complete, though somebody wanted it stopped too late', () => {
    const late = version(2, { marks: { ...ran, ...cancelled, [reason]: 'cancelled by ann' } });
    expect(historyOf([late])[0]).toMatchObject({ outcome: 'Complete', reason: null });
  });

  test.each(['New', 'Pending', 'Running'])('not yet, while it is %s', (phase) => {
    expect(historyOf([version(1, { phase })])[0]?.outcome).toBe('Progressing');
    const annotations = { 'slipway.dev/pause-reason': 'lunch' };
    const paused = historyOf([version(1, { phase })], { spec: { paused: true }, annotations });
    expect(paused[0]).toMatchObject({ outcome: 'Paused', reason: 'lunch' });
  });
});

describe('a version that was tried again', () => {
  const tries = [
    {
      startedAt: '2026-01-01T00:00:10Z',
      endedAt: '2026-01-01T00:00:40Z',
      endReason: 'it made no progress',
    },
    {
      startedAt: '2026-01-01T00:01:00Z',
      endedAt: '2026-01-01T00:01:10Z',
      isCancelled: true,
      cancelledBy: 'ann',
      endReason: 'cancelled by ann',
      retry: { by: 'bob' },
    },
  ];
  const marks = {
    [configAnnotations.tries]: JSON.stringify(tries),
    [configAnnotations.retried]: '{"by":"carl","reason":"network is back"}',
    [configAnnotations.startedAt]: '2026-01-01T00:02:00Z',
  };
  const status = madeBy({ type: 'Manual', by: 'dave' });

  test('has a line for each try, the latest first', () => {
    const entries = historyOf([version(2, { phase: 'Running', status, marks })]);
    expect(
      entries.map((one) => [one.attempt, one.who, one.why, one.outcome, one.seconds, one.endedBy]),
    ).toEqual([
      [3, 'carl', 'tried again: network is back', 'Progressing', null, null],
      [2, 'bob', 'tried again', 'Cancelled', 10, 'ann'],
      [1, 'dave', 'manual change', 'Failed', 40, null],
    ]);
    expect(entries.map(({ current }) => current)).toEqual([true, false, false]);
    expect(entries[0]?.triggers).toEqual(['Retry']);
    expect(entries[1]?.replicas).toBeNull();
  });

  describe('more often than is kept', () => {
    const oldest = (kept: object) => {
      const list = { [configAnnotations.tries]: JSON.stringify([kept]) };
      return historyOf([version(2, { phase: 'Running', status, marks: { ...marks, ...list } })]);
    };

    test('still knows which try each was, and why', () => {
      const entries = oldest({ ...tries[1], number: 4 });
      expect(entries.map((one) => [one.attempt, one.who, one.why, one.seconds])).toEqual([
        [5, 'carl', 'tried again: network is back', null],
        [4, 'bob', 'tried again', 10],
      ]);
      expect(entries[1]?.startedAt).toBe('2026-01-01T00:01:00Z');
    });

    test('by an older worker, which wrote no numbers: only one that nobody asked for is the first', () => {
      expect(oldest(tries[1] ?? {})[1]).toMatchObject({
        who: 'bob',
        why: 'tried again',
        startedAt: '2026-01-01T00:01:00Z',
      });
    });
  });

  test('has not begun before it runs again', () => {
    const waiting = { ...marks, [configAnnotations.startedAt]: '2026-01-01T00:01:00Z' };
    const [latest] = historyOf([version(2, { phase: 'New', status, marks: waiting })]);
    expect(latest?.startedAt).toBeNull();
  });
});

test('a config without versions has no history', () => {
  expect(historyOf([])).toEqual([]);
});
