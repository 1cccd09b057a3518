import type { DeploymentActivities, DeploymentRequest, Work } from '../../contracts/deployment.js';
import type { DeploymentObservation } from '../../domain/deployment/observation.js';
import { planDeployment } from '../../domain/deployment/plan-deployment.js';
import { planStandstill } from '../../domain/deployment/plan-standstill.js';
import {
  hasWork,
  isNews,
  isOrdinary,
  isUrgent,
  type DeploymentPlan,
} from '../../domain/deployment/plan.js';
import { isSameTurn } from '../../domain/shared/hook.js';
import { defined } from '../../domain/shared/optional.js';
import { Advance, type Course } from '../advance.js';
import type { ClusterAccess } from '../cluster-access.js';
import type { EventRecorder } from '../events.js';
import { withHeartbeat } from '../run-course.js';
import { carryOutPlan, type Scene } from './carry-out-plan.js';

/** Brings a Deployment forward, as far as that is the ordinary course of a rollout. */
export function createAdvanceDeployment(
  access: ClusterAccess,
  events: EventRecorder,
): DeploymentActivities['advanceDeployment'] {
  return async (request) => {
    const { ref } = request;
    access.checkApi(ref);
    const client = access.cluster(ref.cluster)?.client;
    const view = access.view(ref.cluster);
    if (client === undefined || view === undefined) return { kind: 'elsewhere' };
    const course = courseOf({ client, view, events, ref }, request);
    return withHeartbeat(`roll out Deployment ${ref.namespace}/${ref.name}`, () =>
      new Advance(course, request).run(),
    );
  };
}

function courseOf(
  scene: Scene,
  { refusal, startedHook }: DeploymentRequest,
): Course<DeploymentObservation, DeploymentPlan, Work> {
  // It is for the run to start a hook.
  const asksForHook = ({ hook }: DeploymentPlan): boolean =>
    hook !== undefined && !isSameTurn(hook, startedHook);
  return {
    object: scene.view.watched(scene.ref),
    plan: (seen) =>
      refusal === undefined
        ? planDeployment(seen)
        : planStandstill(seen, 'ReplicaSetCreateError', refusal),
    uidOf: ({ deployment }) => deployment.uid,
    // What started what is under way; the plan that said so may be one of the steps.
    recall: (plan, before) => ({
      ...plan,
      ...defined({ triggers: plan.triggers ?? before?.triggers }),
    }),
    hasWork: (plan) => hasWork(plan) || asksForHook(plan),
    isUrgent: (plan, seen) => isUrgent(plan, seen) || asksForHook(plan),
    isNews,
    isOrdinary: (plan) => isOrdinary(plan) && !asksForHook(plan),
    toWork: ({ actions, status, triggers }) => ({ actions, ...defined({ status, triggers }) }),
    carryOut: (work, since) => carryOutPlan(scene, work, since),
  };
}
