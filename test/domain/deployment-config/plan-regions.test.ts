import { describe, expect, test } from '@jest/globals';

import type {
  RegionPod,
  RegionSummary,
} from '../../../src/domain/deployment-config/observation.js';
import { planVersion } from '../../../src/domain/deployment-config/plan-version.js';
import { findCondition } from '../../../src/domain/shared/conditions.js';
import {
  controller,
  noStatus,
  recreate,
  rolling,
  stepsOf,
  versionObservation,
} from '../../support/versions.js';

const pods = (count: number, version: number, over: Partial<RegionPod> = {}): RegionPod[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `${over.name ?? 'eu'}-${version}-${index}`,
    uid: `${version}-${index}`,
    version,
    isReady: over.isReady ?? true,
    isBeingDeleted: over.isBeingDeleted ?? false,
  }));

const region = (over: Partial<RegionSummary> = {}): RegionSummary => ({
  name: 'eu',
  uid: 'eu-uid',
  version: 1,
  desired: 4,
  available: 4,
  statusIsCurrent: true,
  pods: pods(4, 1),
  ...over,
});

const own = controller({ version: 2, desired: 10, phase: 'Running' });
const others = [controller({ version: 1 })];
const look = (regions: readonly RegionSummary[], version = own) =>
  versionObservation([version, ...others], { regions });

describe('regions', () => {
  test('wait until the version has all its pods', () => {
    const growing = { ...own, available: 8 };
    expect(stepsOf(look([region()], growing))).toEqual([]);
  });

  test('that are all moved make the version complete, however long that took', () => {
    const status = {
      ...noStatus,
      replicas: 10,
      updatedReplicas: 10,
      readyReplicas: 10,
      availableReplicas: 10,
    };
    const seen = look([region({ version: 2, pods: pods(4, 2) })], { ...own, createdAtMs: 0 });
    const late = { ...seen, config: { ...seen.config, status } };
    expect(stepsOf(late)).toEqual(['web-2: Running to Complete']);
  });

  test('are moved one after another, by their names', () => {
    expect(stepsOf(look([region({ name: 'us', uid: 'us-uid' }), region()]))).toEqual([
      'eu: move to 2',
    ]);
  });

  test('have their pods replaced as far as the floor allows', () => {
    expect(stepsOf(look([region({ version: 2 })]))).toEqual(['delete eu-1-0']);
    const mixed = [...pods(3, 1), ...pods(1, 2, { isReady: false })];
    expect(stepsOf(look([region({ version: 2, available: 3, pods: mixed })]))).toEqual([]);
  });

  test('lose the same pods again where the watch lags behind, in whichever order it lists them', () => {
    const wide = { ...own, strategy: { ...rolling, maxUnavailable: 2 } };
    const [first, ...rest] = pods(4, 1);
    const going = { ...first!, isBeingDeleted: true };
    const seen = region({ version: 2, pods: [...rest.toReversed(), going] });
    expect(stepsOf(look([seen], wide))).toEqual(['delete eu-1-1']);
  });

  test('old pods that serve nobody go at once', () => {
    const sick = [...pods(3, 1), { ...pods(1, 1, { isReady: false })[0]!, name: 'sick' }];
    expect(stepsOf(look([region({ version: 2, available: 3, pods: sick })]))).toEqual([
      'delete sick',
    ]);
  });

  test('counts that lag behind free no pod', () => {
    const going = [...pods(3, 1), ...pods(1, 1, { name: 'gone', isBeingDeleted: true })];
    expect(stepsOf(look([region({ version: 2, available: 4, pods: going })]))).toEqual([]);
  });

  test('all moved, the version is complete', () => {
    const moved = region({ version: 2, pods: pods(4, 2) });
    expect(stepsOf(look([moved]))).toEqual(['web-2: Running to Complete']);
    expect(stepsOf(look([{ ...moved, statusIsCurrent: false }]))).toEqual([]);
  });

  test('their progress is told, so that it counts against the deadline', () => {
    const mixed = [...pods(2, 1), ...pods(2, 2)];
    const { status } = planVersion(look([region({ version: 2, pods: mixed })]));
    expect(findCondition(status?.conditions ?? [], 'Progressing')?.message).toBe(
      'replication controller "eu" has 2 of 4 pods of "web-2"',
    );
  });

  test('stand still while the config is paused', () => {
    const seen = versionObservation([own, ...others], {
      regions: [region()],
      config: { paused: true },
    });
    expect(stepsOf(seen)).toEqual([]);
  });

  test('of strategy Recreate are emptied first and get their size back', () => {
    const alone = { ...own, strategy: recreate };
    expect(stepsOf(look([region()], alone))).toEqual(['eu: empty and move to 2']);
    const emptied = region({ version: 2, desired: 0, available: 0, heldSize: 4 });
    expect(stepsOf(look([emptied], alone))).toEqual([]);
    expect(stepsOf(look([{ ...emptied, pods: [] }], alone))).toEqual(['eu: back to 4']);
  });

  describe('after a failure', () => {
    const failed = controller({ version: 2, phase: 'Failed' });
    const serving = controller({ version: 1, desired: 10 });
    const after = (regions: readonly RegionSummary[]) =>
      versionObservation([failed, serving], { regions });

    test('go back, if the failed version had reached them', () => {
      expect(stepsOf(after([region({ version: 2, pods: pods(4, 2) })]))).toEqual(['eu: move to 1']);
      const halfBack = [...pods(2, 1), ...pods(2, 2)];
      expect(stepsOf(after([region({ version: 1, pods: halfBack })]))).toEqual(['delete eu-2-0']);
    });

    test('stay as they are, if it had not', () => {
      const { version: _none, ...foreign } = region({ pods: [] });
      const seen = after([region(), { ...foreign, name: 'new', available: 0 }]);
      expect(stepsOf(seen)).toEqual([]);
      expect(planVersion(seen).next.kind).toBe('end');
    });
  });

  test('labelled later wait for the next version', () => {
    const complete = { ...own, phase: 'Complete' as const };
    const { version: _none, ...foreign } = region();
    expect(stepsOf(look([foreign], complete))).toEqual([]);
  });
});
