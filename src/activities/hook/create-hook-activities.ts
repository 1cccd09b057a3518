import type { HookActivities, HookWork } from '../../contracts/hook.js';
import type { HookObservation } from '../../domain/hook/observation.js';
import { planHook } from '../../domain/hook/plan-hook.js';
import { hasWrites, isSettled, type HookPlan } from '../../domain/hook/plan.js';
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
      const view = access.configView(ref.cluster);
      if (client === undefined || view === undefined) return { kind: 'elsewhere' };
      const course = courseOf({ client, view, events, ref }, request.refusal);
      const attempt = `run the ${ref.moment} hook of ${ref.namespace}/${ref.name}-${ref.version}`;
      return withHeartbeat(attempt, () => new Advance(course, request).run());
    },
  };
}

function courseOf(
  scene: HookScene,
  refusal: string | undefined,
): Course<HookObservation, HookPlan, HookWork> {
  const hasWork = (plan: HookPlan): boolean => hasWrites(plan) || isSettled(plan);
  return {
    object: scene.view.watchedHook(scene.ref),
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
