import type {
  VersionActivities,
  VersionRequest,
  VersionWork,
} from '../../contracts/deployment-config.js';
import type { VersionObservation } from '../../domain/deployment-config/observation.js';
import { planVersion } from '../../domain/deployment-config/plan-version.js';
import {
  hasWork,
  isNews,
  isOrdinary,
  isUrgent,
  type VersionPlan,
} from '../../domain/deployment-config/plan.js';
import { isSameTurn } from '../../domain/shared/hook.js';
import { defined } from '../../domain/shared/optional.js';
import { Advance, type Course } from '../advance.js';
import type { ClusterAccess } from '../cluster-access.js';
import type { EventRecorder } from '../events.js';
import { withHeartbeat } from '../run-course.js';
import { createApproveVersion } from './approve-version.js';
import { carryOutVersion, type VersionScene } from './carry-out-version.js';
import { createCancelVersion } from './cancel-version.js';
import { createRetryVersion } from './retry-version.js';
import { createRequestVersion } from './request-version.js';
import { createSetConfigPaused } from './set-config-paused.js';

export function createVersionActivities(
  access: ClusterAccess,
  events: EventRecorder,
): VersionActivities {
  return {
    advanceVersion: createAdvanceVersion(access, events),
    setConfigPaused: createSetConfigPaused(access),
    requestVersion: createRequestVersion(access),
    cancelVersion: createCancelVersion(access),
    approveVersion: createApproveVersion(access),
    retryVersion: createRetryVersion(access),
  };
}

/** Brings one version of a DeploymentConfig forward, as far as that is the ordinary course of things. */
function createAdvanceVersion(
  access: ClusterAccess,
  events: EventRecorder,
): VersionActivities['advanceVersion'] {
  return async (request) => {
    const { ref } = request;
    const client = access.cluster(ref.cluster)?.client;
    const view = access.configView(ref.cluster);
    if (client === undefined || view === undefined) return { kind: 'elsewhere' };
    const course = courseOf({ client, view, events, ref }, request);
    const attempt = `roll out version ${ref.version} of DeploymentConfig ${ref.namespace}/${ref.name}`;
    return withHeartbeat(attempt, () => new Advance(course, request).run());
  };
}

function courseOf(
  scene: VersionScene,
  { refusal, startedHook }: VersionRequest,
): Course<VersionObservation, VersionPlan, VersionWork> {
  // It is for the run to start a hook.
  const asksForHook = ({ hook }: VersionPlan): boolean =>
    hook !== undefined && !isSameTurn(hook, startedHook);
  return {
    object: scene.view.watched(scene.ref),
    plan: (seen) => planVersion(seen, refusal),
    uidOf: ({ config }) => config.uid,
    recall: (plan) => plan,
    hasWork: (plan) => hasWork(plan) || asksForHook(plan),
    isUrgent: (plan, seen) => isUrgent(plan, seen) || asksForHook(plan),
    isNews,
    isOrdinary: (plan) => isOrdinary(plan) && !asksForHook(plan),
    toWork: ({ actions, status }) => ({ actions, ...defined({ status }) }),
    carryOut: (work, since) => carryOutVersion(scene, work, since),
  };
}
