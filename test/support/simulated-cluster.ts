import type {
  DeploymentObservation,
  DeploymentStatus,
  DeploymentSummary,
} from '../../src/domain/deployment/observation.js';
import type { Strategy } from '../../src/domain/shared/strategy.js';
import type { Action, SizeAnnotations } from '../../src/domain/deployment/plan.js';
import type { End } from '../../src/domain/shared/stay.js';
import { deploymentSummary, emptyStatus, nowMs, replicaSet } from './observations.js';

/** A ReplicaSet, its real pods, and what its status last said of them, which may be out of date. */
export interface SimulatedSet {
  /** Which template it is of; sets are told apart by it. */
  readonly template: number;
  /** Counts creations, so that a set made anew is not the one that was deleted. */
  readonly createdAs: number;
  readonly revision: number;
  readonly desired: number;
  readonly sizes: SizeAnnotations;
  readonly available: number;
  /** Available when the status was last published, and sick since. */
  readonly fallenSick: number;
  readonly unready: number;
  /** Told to go and still there; a status counts them apart. */
  readonly terminating: number;
  readonly published: { readonly replicas: number; readonly available: number };
  readonly statusIsCurrent: boolean;
  /** What the history knows of the last time that it was the new one. */
  readonly stay?: { readonly revision: number; readonly end?: End };
}

export interface SimulatedSpec {
  readonly template: number;
  readonly replicas: number;
  readonly paused: boolean;
  readonly strategy: Strategy;
  readonly revisionHistoryLimit: number;
}

/**
 * A Deployment and its ReplicaSets in a cluster: what is asked for, what is real, and what is known.
 * Every function below gives the cluster after one thing happened in it.
 */
export interface SimulatedCluster {
  readonly spec: SimulatedSpec;
  readonly generation: number;
  readonly revision: number;
  readonly status: DeploymentStatus;
  readonly sets: readonly SimulatedSet[];
  readonly creations: number;
  readonly atMs: number;
}

/** A Deployment that was just created. */
export function emptyCluster(spec: SimulatedSpec): SimulatedCluster {
  return {
    spec,
    generation: 1,
    revision: 0,
    status: emptyStatus,
    sets: [],
    creations: 0,
    atMs: nowMs,
  };
}

/** A Deployment of template 0 whose rollout is complete. */
export function settledCluster(spec: SimulatedSpec): SimulatedCluster {
  return { ...emptyCluster(spec), revision: 1, creations: 1, sets: [settledSet(spec)] };
}

/**
 * The rollout of template 1 in its middle when template 2 came: some pods are of 1, all of them well or
 * all of them not, the rest are still of 0.
 */
export function overtakenCluster(
  spec: SimulatedSpec,
  middle: number,
  areWell: boolean,
): SimulatedCluster {
  const oldest = settledSet({ ...spec, replicas: spec.replicas - middle });
  const [available, unready] = areWell ? [middle, 0] : [0, middle];
  const sizes = sizeAnnotations(spec);
  return {
    ...emptyCluster({ ...spec, template: 2 }),
    revision: 2,
    creations: 2,
    sets: [
      { ...oldest, sizes },
      {
        ...oldest,
        template: 1,
        createdAs: 1,
        revision: 2,
        desired: middle,
        sizes,
        available,
        unready,
        published: { replicas: middle, available },
      },
    ],
  };
}

function settledSet(spec: SimulatedSpec): SimulatedSet {
  const { replicas } = spec;
  return {
    template: 0,
    createdAs: 0,
    revision: 1,
    desired: replicas,
    sizes: sizeAnnotations(spec),
    available: replicas,
    fallenSick: 0,
    unready: 0,
    terminating: 0,
    published: { replicas, available: replicas },
    statusIsCurrent: true,
  };
}

const sizeAnnotations = (spec: SimulatedSpec): SizeAnnotations => ({
  desired: spec.replicas,
  max: boundsOf(spec).ceiling,
});

/** The most pods that may be asked for, and the fewest that may be available. */
export function boundsOf({ strategy, replicas }: SimulatedSpec): {
  readonly ceiling: number;
  readonly floor: number;
} {
  if (strategy.type === 'Recreate') return { ceiling: replicas, floor: 0 };
  const { maxSurge, maxUnavailable } = strategy;
  const share = (value: number | string, round: (exact: number) => number): number =>
    typeof value === 'number' ? value : round((Number.parseInt(value) * replicas) / 100);
  const surge = share(maxSurge, Math.ceil);
  const outage = share(maxUnavailable, Math.floor);
  return {
    ceiling: replicas + surge,
    floor: Math.max(0, replicas - (surge === 0 && outage === 0 ? 1 : outage)),
  };
}

export const nameOf = (template: number): string => `web-${template}`;
const uidOf = ({ template, createdAs }: SimulatedSet): string =>
  `${nameOf(template)}-uid-${createdAs}`;

/** Pods that a status counts: those that were told to go are none of them. */
export const podsOf = ({ available, fallenSick, unready }: SimulatedSet): number =>
  available + fallenSick + unready;

export const isNewSet = ({ spec }: SimulatedCluster, set: SimulatedSet): boolean =>
  set.template === spec.template;

export const findNewSet = (cluster: SimulatedCluster): SimulatedSet | undefined =>
  cluster.sets.find((set) => isNewSet(cluster, set));

// What a worker sees

export function summarise(cluster: SimulatedCluster): DeploymentSummary {
  const { template, ...spec } = cluster.spec;
  return deploymentSummary({
    ...spec,
    generation: cluster.generation,
    revision: cluster.revision,
    status: cluster.status,
    newReplicaSetName: nameOf(template),
  });
}

export function observe(cluster: SimulatedCluster): DeploymentObservation {
  const old = cluster.sets.filter((set) => !isNewSet(cluster, set));
  return {
    observedAtMs: cluster.atMs,
    deployment: summarise(cluster),
    replicaSets: cluster.sets.map((set) =>
      replicaSet({
        name: nameOf(set.template),
        uid: uidOf(set),
        isNew: isNewSet(cluster, set),
        revision: set.revision,
        createdAtMs: nowMs + set.createdAs,
        desired: set.desired,
        replicas: set.published.replicas,
        ready: set.published.available,
        available: set.published.available,
        statusIsCurrent: set.statusIsCurrent,
        annotatedDesired: set.sizes.desired,
        annotatedMax: set.sizes.max,
        ...(set.stay === undefined ? {} : { lastStay: set.stay }),
      }),
    ),
    ...(cluster.spec.strategy.type === 'Recreate'
      ? { oldPods: old.reduce((total, set) => total + podsOf(set) + set.terminating, 0) }
      : {}),
  };
}

// What a worker writes

/** One write of a plan; undefined when it finds something else than it expects, and so changes nothing. */
export function write(cluster: SimulatedCluster, action: Action): SimulatedCluster | undefined {
  switch (action.kind) {
    case 'createReplicaSet':
      return create(cluster, action);
    case 'scaleReplicaSet': {
      const { name, uid, from, to, sizes } = action;
      const found = find(cluster, name, uid);
      if (found?.desired !== from) return undefined;
      const statusIsCurrent = from === to && found.statusIsCurrent;
      return replaceSet(cluster, found, { ...found, desired: to, sizes, statusIsCurrent });
    }
    case 'syncReplicaSet': {
      const found = find(cluster, action.name, action.uid);
      const revision = Number(action.revision);
      const begun = action.memory?.beginning === undefined ? {} : { stay: { revision } };
      return found && replaceSet(cluster, found, { ...found, revision, ...begun });
    }
    case 'tellStay': {
      const { revision, news } = action.told;
      const found = find(cluster, action.name, action.uid);
      if (found === undefined) return undefined;
      if (found.stay?.revision !== revision) return cluster;
      const stay = { revision: found.stay.revision };
      const told = news.kind === 'ended' ? { ...stay, end: news.end } : stay;
      return replaceSet(cluster, found, { ...found, stay: told });
    }
    case 'deleteReplicaSet': {
      const found = find(cluster, action.name, action.uid);
      return found && { ...cluster, sets: cluster.sets.filter((set) => set !== found) };
    }
    case 'recordRevision':
      return { ...cluster, revision: Number(action.revision) };
    default:
      throw new Error(`no ${action.kind} was expected here`);
  }
}

function create(
  cluster: SimulatedCluster,
  { name, replicas, revision, sizes, memory }: Extract<Action, { kind: 'createReplicaSet' }>,
): SimulatedCluster | undefined {
  if (cluster.sets.some((set) => nameOf(set.template) === name)) return undefined;
  const set: SimulatedSet = {
    template: Number(name.slice(nameOf(0).length - 1)),
    createdAs: cluster.creations,
    revision: Number(revision),
    desired: replicas,
    sizes,
    available: 0,
    fallenSick: 0,
    unready: 0,
    terminating: 0,
    published: { replicas: 0, available: 0 },
    statusIsCurrent: false,
    ...(memory.beginning === undefined ? {} : { stay: { revision: Number(revision) } }),
  };
  return { ...cluster, sets: [...cluster.sets, set], creations: cluster.creations + 1 };
}

export const writeStatus = (
  cluster: SimulatedCluster,
  status: DeploymentStatus,
): SimulatedCluster => ({ ...cluster, status });

// What the ReplicaSet controller, the nodes and the pods do; undefined where there is nothing to do

/** Creates or deletes pods, as many at once as it is allowed; those that are not ready go first. */
export function managePods(
  cluster: SimulatedCluster,
  set: SimulatedSet,
  most = Number.POSITIVE_INFINITY,
): SimulatedCluster | undefined {
  const pods = podsOf(set);
  const { desired, terminating } = set;
  if (pods === desired) return undefined;
  if (pods < desired) {
    const unready = set.unready + Math.min(desired - pods, most);
    return replaceSet(cluster, set, { ...set, unready });
  }
  const left = Math.max(desired, pods - most);
  const available = Math.min(set.available, left);
  const fallenSick = Math.min(set.fallenSick, left - available);
  const unready = left - available - fallenSick;
  return replaceSet(cluster, set, {
    ...set,
    available,
    fallenSick,
    unready,
    terminating: terminating + pods - left,
  });
}

/** The status tells how things stand now, be the pods as many as they should or not. */
export function publishStatus(
  cluster: SimulatedCluster,
  set: SimulatedSet,
): SimulatedCluster | undefined {
  const replicas = podsOf(set);
  const { available, fallenSick } = set;
  const { published } = set;
  const isNews = published.replicas !== replicas || published.available !== available;
  if (!isNews && set.statusIsCurrent && fallenSick === 0) return undefined;
  return replaceSet(cluster, set, {
    ...set,
    published: { replicas, available },
    statusIsCurrent: true,
    fallenSick: 0,
    unready: set.unready + fallenSick,
  });
}

/** A pod becomes available, or several. */
export function readyPods(
  cluster: SimulatedCluster,
  set: SimulatedSet,
  most = 1,
): SimulatedCluster | undefined {
  const count = Math.min(set.unready, most);
  if (count === 0) return undefined;
  return replaceSet(cluster, set, {
    ...set,
    unready: set.unready - count,
    available: set.available + count,
  });
}

/** An available pod gets sick, or several, for reasons of their own. */
export function sickenPods(
  cluster: SimulatedCluster,
  set: SimulatedSet,
  most = 1,
): SimulatedCluster | undefined {
  const count = Math.min(set.available, most);
  if (count === 0) return undefined;
  return replaceSet(cluster, set, {
    ...set,
    available: set.available - count,
    fallenSick: set.fallenSick + count,
  });
}

/** All pods that were told to go are gone. */
export function endTermination(
  cluster: SimulatedCluster,
  set: SimulatedSet,
): SimulatedCluster | undefined {
  return set.terminating === 0 ? undefined : replaceSet(cluster, set, { ...set, terminating: 0 });
}

// What users do

export function changeSpec(
  cluster: SimulatedCluster,
  change: Partial<SimulatedSpec>,
): SimulatedCluster {
  return {
    ...cluster,
    spec: { ...cluster.spec, ...change },
    generation: cluster.generation + 1,
  };
}

function find(cluster: SimulatedCluster, name: string, uid: string): SimulatedSet | undefined {
  return cluster.sets.find((set) => nameOf(set.template) === name && uidOf(set) === uid);
}

function replaceSet(
  cluster: SimulatedCluster,
  old: SimulatedSet,
  next: SimulatedSet,
): SimulatedCluster {
  return { ...cluster, sets: cluster.sets.map((set) => (set === old ? next : set)) };
}
