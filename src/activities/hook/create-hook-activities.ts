import {
  hookOwnerName,
  type HookActivities,
  type HookRef,
  type HookRequest,
  type HookWork,
} from '../../contracts/hook.js';
import type { HookObservation, HookRefusal } from '../../domain/hook/observation.js';
import { planHook } from '../../domain/hook/plan-hook.js';
import { hasWrites, isSettled, type HookPlan } from '../../domain/hook/plan.js';
import type { WatchedObject } from '../../kubernetes/wait-for-change.js';
import { Advance, type Course } from '../advance.js';
import type { ClusterAccess } from '../cluster-access.js';
import type { EventRecorder } from '../events.js';
import { withHeartbeat } from '../run-course.js';
import { carryOutHook, type HookScene } from './carry-out-hook.js';

export function createHookActivities(access: ClusterAccess, events: EventRecorder): HookActivities {
  return {
    advanceHook: async (request) => {
      const { ref } = request;
      const client = access.cluster(ref.cluster)?.client;
      const seat = findSeat(access, ref);
      if (client === undefined || seat === undefined) return { kind: 'elsewhere' };
      const { findOwner, object } = seat;
      const course = courseOf({ client, events, ref, findOwner }, object, refusalOf(request));
      const attempt = `run the ${ref.moment} hook of ${ref.namespace}/${hookOwnerName(ref)}`;
      return withHeartbeat(attempt, () => new Advance(course, request).run());
    },
  };
}

const refusalOf = ({ refusal, mayPass = false }: HookRequest): HookRefusal | undefined =>
  refusal === undefined ? undefined : { problem: refusal, mayPass };

/** Where a hook is seen with what it belongs to: among Deployments, or among DeploymentConfigs. */
function findSeat(access: ClusterAccess, ref: HookRef) {
  const { cluster, replicaSet } = ref;
  if (replicaSet === undefined) {
    const view = access.configView(cluster);
    return view && { object: view.watchedHook(ref), findOwner: () => view.findHookOwner(ref) };
  }
  const view = access.view(cluster);
  // Only our own kind has hooks.
  const key = { ...ref, api: 'slipway.dev/v1alpha1', replicaSet } as const;
  return view && { object: view.watchedHook(key), findOwner: () => view.findHookOwner(key) };
}

function courseOf(
  scene: HookScene,
  object: WatchedObject<HookObservation>,
  refusal: HookRefusal | undefined,
): Course<HookObservation, HookPlan, HookWork> {
  const hasWork = (plan: HookPlan): boolean => hasWrites(plan) || isSettled(plan);
  return {
    object,
    plan: (seen) => planHook(seen, refusal),
    uidOf: ({ deployment }) => deployment,
    recall: (plan) => plan,
    hasWork,
    isUrgent: hasWork,
    isNews: () => true,
    // A failure is told to the run before anything else is done about it.
    isOrdinary: (plan) => hasWrites(plan) && plan.phase !== 'Failed',
    toWork: ({ actions }) => ({ actions }),
    carryOut: (work, since) => carryOutHook(scene, work, since),
  };
}
