import type { Action, DeploymentPlan } from '../../src/domain/deployment/plan.js';
import {
  boundsOf,
  findNewSet,
  isNewSet,
  nameOf,
  podsOf,
  type SimulatedCluster,
  type SimulatedSet,
  type SimulatedSpec,
} from './simulated-cluster.js';

const total = (sets: readonly SimulatedSet[], count: (set: SimulatedSet) => number): number =>
  sets.reduce((sum, set) => sum + count(set), 0);

/** How many pods all sets together are asked for. */
export const asked = ({ sets }: SimulatedCluster): number => total(sets, ({ desired }) => desired);

/**
 * Pods that stay available as far as it can be known: a set that has too many loses those that are not
 * ready first. What fell sick since a status told of it counts, because nobody could know better.
 */
const staying = ({ available, fallenSick, desired }: SimulatedSet): number =>
  Math.min(available + fallenSick, desired);

/** Those of them that a status has told of: a pod that got ready since is nobody's to count on yet. */
const told = (set: SimulatedSet): number => Math.min(staying(set), set.published.available);

/** What would be available if all old pods were well: sick ones that may recover don't go for nothing. */
const hopedFor = ({ sets }: SimulatedCluster, { template }: SimulatedSpec): number =>
  total(sets, (set) => (set.template === template ? told(set) : set.desired));

/** Sets at work have not all learnt the Deployment's size yet. */
export const isResizing = ({ sets }: SimulatedCluster, { replicas }: SimulatedSpec): boolean =>
  sets.some(({ desired, sizes }) => desired > 0 && sizes.desired !== replicas);

/**
 * What is wrong with going from one state to the other by writes of one plan, if anything is. The plan
 * was made for a spec, which may have been changed since.
 */
export function judgeWrites(
  before: SimulatedCluster,
  after: SimulatedCluster,
  spec: SimulatedSpec,
): string | undefined {
  const bounds = boundsOf(spec);
  const ceiling = Math.max(bounds.ceiling, asked(before));
  if (asked(after) > ceiling) return `asks for ${asked(after)} pods, above the ceiling ${ceiling}`;
  if (spec.strategy.type === 'Recreate') return judgeRecreate(before, after, spec);
  // A size too small for what is asked for takes from every set its share, whatever their health.
  if (isResizing(before, spec) && asked(before) > bounds.ceiling) return undefined;
  const floor = Math.min(bounds.floor, total(before.sets, told));
  const left = total(after.sets, staying);
  if (left < floor) return `leaves ${left} pods available, below the floor ${floor}`;
  const hope = Math.min(bounds.floor, hopedFor(before, spec));
  const hoped = hopedFor(after, spec);
  return hoped < hope ? `leaves ${hoped} pods that may serve, below the floor ${hope}` : undefined;
}

/** No new pod while an old one exists, be it on its way out. */
function judgeRecreate(
  before: SimulatedCluster,
  after: SimulatedCluster,
  { template }: SimulatedSpec,
): string | undefined {
  const newSize = ({ sets }: SimulatedCluster): number =>
    sets.find((set) => set.template === template)?.desired ?? 0;
  const old = before.sets.filter((set) => set.template !== template);
  const left = total(old, (set) => podsOf(set) + set.terminating);
  const grows = newSize(after) > newSize(before);
  return grows && left > 0 ? `asks for new pods while ${left} old ones exist` : undefined;
}

/** What a plan may never say, wherever it comes from. */
export function judgePlan(cluster: SimulatedCluster, plan: DeploymentPlan): string | undefined {
  const { generation } = cluster;
  if (plan.status !== undefined && plan.status.observedGeneration !== generation) {
    return `the status is of generation ${plan.status.observedGeneration}, not ${generation}`;
  }
  const oldPods = total(cluster.sets, (set) =>
    isNewSet(cluster, set) ? 0 : set.published.replicas,
  );
  if (plan.phase === 'Complete' && oldPods > 0) return `complete, with ${oldPods} old pods left`;
  for (const action of plan.actions) {
    const wrong = judgeAction(cluster, action);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function judgeAction(cluster: SimulatedCluster, action: Action): string | undefined {
  switch (action.kind) {
    case 'createReplicaSet':
      return cluster.spec.paused ? 'a paused rollout creates a set' : undefined;
    case 'scaleReplicaSet':
      // A change of size moves every set, in either direction.
      return isResizing(cluster, cluster.spec) ? undefined : judgeScaling(cluster, action);
    case 'deleteReplicaSet': {
      const set = cluster.sets.find(({ template }) => nameOf(template) === action.name);
      const isIdle = set !== undefined && set.desired === 0 && podsOf(set) === 0;
      const isOld = set?.template !== cluster.spec.template;
      return isIdle && isOld ? undefined : `deletes ${action.name}, which is in use`;
    }
    default:
      return undefined;
  }
}

/** New pods come and old ones go, never the other way round: so no plan undoes what another one did. */
function judgeScaling(
  { spec, sets }: SimulatedCluster,
  { name, from, to }: Extract<Action, { kind: 'scaleReplicaSet' }>,
): string | undefined {
  if (spec.paused) {
    const isOnly = sets.every((set) => set.desired === 0 || nameOf(set.template) === name);
    return isOnly && to === spec.replicas ? undefined : `a paused rollout scales ${name}`;
  }
  const change = `${name} goes from ${from} to ${to}`;
  if (from === to) return `${change}, which changes nothing`;
  if (name !== nameOf(spec.template)) return to > from ? `${change}, but is old` : undefined;
  if (to > spec.replicas) return `${change}, but the size is ${spec.replicas}`;
  return to < from && from <= spec.replicas ? `${change}, but is new` : undefined;
}

/** What is missing to a rollout that has ended, if anything is. */
export function judgeEnd(cluster: SimulatedCluster, plan: DeploymentPlan): string | undefined {
  const { spec, sets } = cluster;
  const fresh = findNewSet(cluster);
  const old = sets.filter((set) => !isNewSet(cluster, set));
  if (fresh?.desired !== spec.replicas || fresh.available !== spec.replicas) {
    return `the new set has ${fresh?.available ?? 0} of ${spec.replicas} pods available`;
  }
  if (total(old, (set) => set.desired + podsOf(set)) > 0) return 'old pods are left';
  if (old.length > spec.revisionHistoryLimit) return `${old.length} old sets are kept`;
  if (plan.phase !== 'Complete') return `its phase is ${plan.phase}`;
  if (plan.next.kind !== 'end') return 'it goes on waiting';
  const highestOld = Math.max(0, ...old.map((set) => set.revision));
  if (fresh.revision <= highestOld) return 'an old set has the highest revision';
  return judgeHistory(fresh, old) ?? judgeEndStatus(cluster, plan);
}

/** Of all rollouts of which the history knows the beginning, it knows the end. */
function judgeHistory(fresh: SimulatedSet, old: readonly SimulatedSet[]): string | undefined {
  if (fresh.stay !== undefined && fresh.stay.revision !== fresh.revision) {
    return `the history knows of revision ${fresh.stay.revision}, not of ${fresh.revision}`;
  }
  if (fresh.stay !== undefined && fresh.stay.end !== 'Complete') {
    return `the history says ${fresh.stay.end ?? 'nothing'} of its end`;
  }
  const open = old.find(({ stay }) => stay !== undefined && stay.end === undefined);
  return open === undefined
    ? undefined
    : `the history says nothing of the end of ${nameOf(open.template)}`;
}

function judgeEndStatus(cluster: SimulatedCluster, plan: DeploymentPlan): string | undefined {
  const { replicas } = cluster.spec;
  const { conditions, ...counts } = plan.status ?? cluster.status;
  const wanted = {
    observedGeneration: cluster.generation,
    replicas,
    updatedReplicas: replicas,
    readyReplicas: replicas,
    availableReplicas: replicas,
    unavailableReplicas: 0,
  };
  for (const [name, value] of Object.entries(wanted)) {
    const found = counts[name as keyof typeof wanted];
    if (found !== value) return `its status says ${name} ${found}, not ${value}`;
  }
  const said = conditions.map(({ type, status, reason }) => `${type} ${status} ${reason ?? ''}`);
  const missing = [
    'Available True MinimumReplicasAvailable',
    'Progressing True NewReplicaSetAvailable',
  ].find((condition) => !said.includes(condition));
  return missing === undefined ? undefined : `its status says ${said.join(', ')}, not ${missing}`;
}
