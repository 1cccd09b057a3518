import { describe, expect, test } from '@jest/globals';

import { findHookRisks } from '../../../src/domain/rollback/find-hook-risks.js';
import type { HookBegun, VersionData } from '../../../src/domain/rollback/scene.js';
import { goBack } from './support/configs.js';

const hook = (
  moment: HookBegun['moment'],
  endedAtMs?: number,
  rest: Partial<HookBegun> = {},
): HookBegun => ({
  moment,
  command: ['rake', 'db:migrate'],
  phase: 'Succeeded',
  ended: 1,
  ...(endedAtMs === undefined ? {} : { endedAtMs }),
  ...rest,
});

const version = (number: number, ...hooks: HookBegun[]): VersionData => ({
  name: `web-${number}`,
  version: number,
  hooks,
});

const risksOf = (from: number, to: number, ...versions: VersionData[]) =>
  findHookRisks(goBack({}, {}, { from, to, versions }));

test('a migration since then: its version, its moment, its time and its command', () => {
  const endedAtMs = Date.UTC(2026, 0, 2, 3, 4, 5);
  expect(risksOf(2, 1, version(1), version(2, hook('pre', endedAtMs)))).toEqual([
    {
      kind: 'HookSince',
      object: 'ReplicationController/web-2',
      message:
        'the pre hook of version 2 (rake db:migrate) has run since, at 2026-01-02T03:04:05.000Z, ' +
        'and is not undone by going back',
    },
  ]);
});

test('of all versions after that one, up to the current one, oldest first', () => {
  const all = [5, 4, 3, 2, 1].map((number) => version(number, hook('pre')));
  expect(risksOf(4, 2, ...all).map(({ object }) => object)).toEqual([
    'ReplicationController/web-3',
    'ReplicationController/web-4',
  ]);
});

test('each hook of a version', () => {
  const hooks = [hook('pre'), hook('mid'), hook('post')];
  expect(risksOf(2, 1, version(2, ...hooks))).toHaveLength(3);
});

describe('an abort hook', () => {
  test('that has succeeded since undoes what was done', () => {
    expect(risksOf(2, 1, version(2, hook('pre', 1_000), hook('abort', 2_000)))).toEqual([]);
  });

  test('from before, of an earlier try, undoes nothing', () => {
    expect(risksOf(2, 1, version(2, hook('abort', 1_000), hook('post', 2_000)))).toHaveLength(1);
  });

  test('of another version undoes nothing', () => {
    const risks = risksOf(3, 1, version(2, hook('pre', 1_000)), version(3, hook('abort', 2_000)));
    expect(risks.map(({ object }) => object)).toEqual(['ReplicationController/web-2']);
  });

  test('that has succeeded undoes what a failed one has done in part', () => {
    const failed = hook('pre', 1_000, { phase: 'Failed' });
    expect(risksOf(2, 1, version(2, failed, hook('abort', 2_000)))).toEqual([]);
  });

  test('that has failed undoes nothing, and is told itself', () => {
    const failed = hook('abort', 2_000, { phase: 'Failed' });
    const messages = risksOf(2, 1, version(2, hook('pre', 1_000), failed));
    expect(messages.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^the pre hook .* is not undone by going back$/),
      expect.stringMatching(/^the abort hook .* has failed since, .* may have done a part of it$/),
    ]);
  });

  test('from before does not hide one that runs', () => {
    const running = hook('pre', undefined, { phase: 'Running' });
    expect(risksOf(2, 1, version(2, running, hook('abort', 2_000)))).toHaveLength(1);
  });

  test('is nothing to be undone itself', () => {
    expect(risksOf(2, 1, version(2, hook('abort', 1_000)))).toEqual([]);
  });
});

describe('a hook of the version under way', () => {
  const standOf = (moment: HookBegun['moment'], rest: Partial<HookBegun>): string[] =>
    risksOf(4, 3, version(4, hook(moment, undefined, rest))).map(({ message }) => message);
  const named = 'the pre hook of version 4 (rake db:migrate)';

  test.each<[string, Partial<HookBegun>, string[]]>([
    ['that runs', { phase: 'Running', ended: 0 }, [`${named} is running, and will be ended`]],
    [
      'that runs once more',
      { phase: 'Running', ended: 2 },
      [`${named} is running, as try 3, and will be ended`],
    ],
    [
      'whose pod has not begun',
      { phase: 'Pending', ended: 0 },
      [`${named} is about to run, and will be ended`],
    ],
    [
      'between two tries',
      { phase: 'Pending', ended: 1, endedAtMs: 1_000 },
      [`${named} is about to run, as try 2, and will be ended`],
    ],
    [
      'that has failed',
      { phase: 'Failed', ended: 1, endedAtMs: Date.UTC(2026, 0, 2, 3, 4, 5) },
      [`${named} has failed since, at 2026-01-02T03:04:05.000Z, and may have done a part of it`],
    ],
    ['of which no try was made', { phase: 'Failed', ended: 0, endedAtMs: 1_000 }, []],
  ])('%s', (_title, rest, messages) => {
    expect(standOf('pre', rest)).toEqual(messages);
  });

  test('for its failure goes on beside the way back', () => {
    expect(standOf('abort', { phase: 'Running', ended: 0 })).toEqual([
      'the abort hook of version 4 (rake db:migrate) is running, and is not waited for',
    ]);
  });
});

test('without hooks there is nothing to tell', () => {
  expect(risksOf(3, 1, version(1), version(2), version(3))).toEqual([]);
});
