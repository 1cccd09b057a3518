import { expect, test } from '@jest/globals';

import type { ReplicaSetSummary } from '../../../src/domain/deployment/observation.js';
import { planRollingStep } from '../../../src/domain/deployment/plan-rolling-step.js';
import { resolveMargins } from '../../../src/domain/deployment/sizes.js';
import { deploymentSummary, newSet, replicaSet } from '../../support/observations.js';

/**
 * A rollout as the cluster plays it: each set is asked for a size (`desired`), has pods, of which
 * some are available. The world moves in any order: a set creates or deletes one pod towards its size
 * (sick ones are deleted first, as the ReplicaSet controller does), a pod becomes available, and the
 * planner may look at any moment, at counts that are true.
 */
interface SetState {
  readonly desired: number;
  readonly pods: number;
  readonly available: number;
}
type State = readonly [fresh: SetState, old: SetState, older: SetState];

const key = (state: State): string =>
  state.map((set) => `${set.desired},${set.pods},${set.available}`).join(';');

function toSets(state: State): [ReplicaSetSummary, ReplicaSetSummary[]] {
  const toCounts = ({ desired, pods, available }: SetState) => ({
    desired,
    replicas: pods,
    ready: available,
    available,
  });
  const [fresh, old, older] = state;
  return [
    newSet(toCounts(fresh)),
    [
      replicaSet({ name: 'old', createdAtMs: 2, ...toCounts(old) }),
      replicaSet({ name: 'older', createdAtMs: 1, ...toCounts(older) }),
    ],
  ];
}

function plan(state: State, deployment: ReturnType<typeof deploymentSummary>): State {
  const [fresh, oldSets] = toSets(state);
  const { newSize, shrinks } = planRollingStep(deployment, fresh, oldSets);
  const sizeOf = (name: string, now: number): number =>
    shrinks.find(({ set }) => set.name === name)?.to ?? now;
  return [
    { ...state[0], desired: newSize },
    { ...state[1], desired: sizeOf('old', state[1].desired) },
    { ...state[2], desired: sizeOf('older', state[2].desired) },
  ];
}

/** What the cluster may do next; old pods that are sick stay sick, new ones may become available. */
function* moves(state: State): Generator<State> {
  for (const at of [0, 1, 2] as const) {
    const set = state[at];
    const change = (next: Partial<SetState>): State =>
      state.map((other, index) =>
        index === at ? { ...other, ...next } : other,
      ) as unknown as State;
    if (set.pods < set.desired) yield change({ pods: set.pods + 1 });
    if (set.pods > set.desired) {
      const sick = set.pods - set.available;
      yield change({ pods: set.pods - 1, available: sick > 0 ? set.available : set.available - 1 });
    }
    if (at === 0 && set.available < set.pods) yield change({ available: set.available + 1 });
  }
}

function explore(replicas: number, surge: number, unavailable: number, start: State): number {
  const deployment = deploymentSummary({
    replicas,
    strategy: { type: 'RollingUpdate', maxSurge: surge, maxUnavailable: unavailable },
  });
  const margins = resolveMargins(deployment);
  const startAvailable = start.reduce((sum, set) => sum + set.available, 0);
  const floor = Math.min(startAvailable, replicas - margins.unavailable);
  const ceiling = Math.max(
    start.reduce((sum, set) => sum + set.desired, 0),
    replicas + margins.surge,
  );
  const seen = new Set<string>();
  const open: State[] = [start];
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    if (seen.has(key(state))) continue;
    seen.add(key(state));
    const where = `${replicas}/${surge}/${unavailable}: ${key(state)}`;
    const available = state.reduce((sum, set) => sum + Math.min(set.available, set.pods), 0);
    const asked = state.reduce((sum, set) => sum + set.desired, 0);
    if (available < floor) throw new Error(`below the floor of ${floor} at ${where}`);
    if (asked > ceiling) throw new Error(`above the ceiling of ${ceiling} at ${where}`);
    const planned = plan(state, deployment);
    const next = [...moves(state)];
    if (key(planned) !== key(state)) next.push(planned);
    if (next.length === 0) {
      const [fresh, old, older] = state;
      if (fresh.available !== replicas || old.pods + older.pods !== 0) {
        throw new Error(`stuck at ${where}`);
      }
    }
    open.push(...next);
  }
  return seen.size;
}

const sizes = [0, 1, 2, 3, 4];

test('the floor and the ceiling hold in every reachable state, and every rollout ends', () => {
  let states = 0;
  for (const replicas of sizes) {
    for (let surge = 0; surge <= 2; surge += 1) {
      for (let unavailable = 0; unavailable <= Math.min(2, replicas); unavailable += 1) {
        // From a rollout that another one overtook: the middle set's pods may be sick.
        for (let middle = 0; middle <= replicas; middle += 1) {
          for (const healthy of new Set([0, middle])) {
            states += explore(replicas, surge, unavailable, [
              { desired: 0, pods: 0, available: 0 },
              { desired: middle, pods: middle, available: healthy },
              { desired: replicas - middle, pods: replicas - middle, available: replicas - middle },
            ]);
          }
        }
      }
    }
  }
  expect(states).toBeGreaterThan(5_000);
});
