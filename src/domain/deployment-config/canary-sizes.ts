import { resolveMargins, steadilyAvailable, sum, type PodSet } from '../shared/sizes.js';

/** A set of pods and how many it is to have in the end. */
export interface SizeGoal<Set extends PodSet> {
  readonly set: Set;
  readonly goal: number;
}

export interface NextSize<Set extends PodSet> {
  readonly set: Set;
  readonly to: number;
}

type CountedSet = PodSet & { readonly replicas: number };

const margins = { type: 'RollingUpdate', maxSurge: '25%', maxUnavailable: '25%' } as const;

/**
 * The next safe sizes on the way to given shares of the pods, which add up to `replicas`: sets that have
 * too many shrink as far as the floor allows, in the order in which they are given, and the others grow
 * into the room under the ceiling that is left. The margins are those of a rolling update that names none.
 * Example: 10 pods, old 10 to 6 and new 0 to 4 -> old 8, new 4; then old 6.
 */
export function planSharedSizes<Set extends CountedSet>(
  replicas: number,
  goals: readonly SizeGoal<Set>[],
): readonly NextSize<Set>[] {
  const { surge, unavailable } = resolveMargins({ replicas, strategy: margins });
  const shrinks = planShrinks(replicas - unavailable, goals);
  const given = sum(shrinks, ({ set, to }) => set.desired - to);
  let room = replicas + surge - sum(goals, ({ set }) => set.desired) + given;
  const grows = goals.flatMap(({ set, goal }): readonly NextSize<Set>[] => {
    // What was shrunk grows again only when its counts have caught up, or they would vouch for pods to come.
    const most = set.replicas > set.desired ? 0 : Math.max(0, room);
    const more = Math.min(Math.max(0, goal - set.desired), most);
    room -= more;
    return more === 0 ? [] : [{ set, to: set.desired + more }];
  });
  return [...shrinks, ...grows];
}

/** Sick pods go first; healthy ones go while what is available stays at or above the floor. */
function planShrinks<Set extends CountedSet>(
  floor: number,
  goals: readonly SizeGoal<Set>[],
): readonly NextSize<Set>[] {
  const [large, others] = [
    goals.filter(({ set, goal }) => set.desired > goal),
    goals.filter(({ set, goal }) => set.desired <= goal),
  ];
  // Were every pod of the large sets healthy, this many could go.
  let removable =
    sum(large, ({ set }) => set.desired) + sum(others, ({ set }) => steadilyAvailable(set)) - floor;
  const sizes = new Map(large.map(({ set }) => [set, set.desired]));
  const take = (set: Set, wanted: number): void => {
    const count = Math.min(Math.max(0, wanted), Math.max(0, removable));
    sizes.set(set, (sizes.get(set) ?? 0) - count);
    removable -= count;
  };
  for (const { set, goal } of large) {
    take(set, Math.min(set.desired - steadilyAvailable(set), set.desired - goal));
  }
  for (const { set, goal } of large) take(set, (sizes.get(set) ?? goal) - goal);
  return large.flatMap(({ set }) => {
    const to = sizes.get(set) ?? set.desired;
    return to === set.desired ? [] : [{ set, to }];
  });
}
