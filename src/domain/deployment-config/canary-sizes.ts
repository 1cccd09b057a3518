import { resolveMargins, steadilyAvailable, sum, type PodSet } from '../shared/sizes.js';

/** A set of pods and how many it is to have in the end. */
export interface SizeGoal<Set extends PodSet> {
  readonly set: Set;
  readonly goal: number;
  /** Its pods are on trial: nobody counts on those that are not available. */
  readonly isNew?: boolean;
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

/**
 * Sick pods go first: they serve nobody and may be what is waited for. Healthy ones go while what is
 * available stays at or above the floor. Old pods that are sick may recover, so they don't go for
 * nothing either: were they all healthy, the floor would have to hold without the new ones to come.
 */
function planShrinks<Set extends CountedSet>(
  floor: number,
  goals: readonly SizeGoal<Set>[],
): readonly NextSize<Set>[] {
  const isHopedFor = ({ set, goal, isNew }: SizeGoal<Set>): boolean =>
    set.desired > goal && isNew !== true;
  let healthy = sum(goals, ({ set }) => steadilyAvailable(set)) - floor;
  let hoped =
    sum(goals, (each) => (isHopedFor(each) ? each.set.desired : steadilyAvailable(each.set))) -
    floor;
  const sizes = goals.map((each) => {
    const { set, goal } = each;
    const sick = Math.max(0, Math.min(set.desired - steadilyAvailable(set), set.desired - goal));
    const going = isHopedFor(each) ? Math.min(sick, Math.max(0, hoped)) : sick;
    if (isHopedFor(each)) hoped -= going;
    return { set, goal, to: set.desired - going };
  });
  return sizes.flatMap(({ set, goal, to }) => {
    const going = Math.max(0, Math.min(to - goal, healthy, hoped));
    healthy -= going;
    hoped -= going;
    return to - going === set.desired ? [] : [{ set, to: to - going }];
  });
}
