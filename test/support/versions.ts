import type {
  ConfigStatus,
  ConfigSummary,
  ControllerSummary,
  VersionObservation,
} from '../../src/domain/deployment-config/observation.js';
import { planVersion } from '../../src/domain/deployment-config/plan-version.js';

export const versionsNowMs = Date.parse('2026-01-01T12:00:00Z');

export const noStatus: ConfigStatus = {
  observedGeneration: 0,
  replicas: 0,
  updatedReplicas: 0,
  readyReplicas: 0,
  availableReplicas: 0,
  unavailableReplicas: 0,
  conditions: [],
};

export const configSummary = (over: Partial<ConfigSummary> = {}): ConfigSummary => ({
  name: 'web',
  uid: 'web-uid',
  generation: 1,
  latestVersion: 2,
  replicas: 10,
  isTest: false,
  paused: false,
  revisionHistoryLimit: 10,
  beingDeleted: false,
  status: noStatus,
  ...over,
});

export const rolling = {
  type: 'Rolling',
  timeoutSeconds: 600,
  maxSurge: '25%',
  maxUnavailable: '25%',
} as const;

export const recreate = { type: 'Recreate', timeoutSeconds: 600 } as const;

/** A version whose pods are all there and well, unless the test says otherwise. */
export function controller(
  over: Partial<ControllerSummary> & Pick<ControllerSummary, 'version'>,
): ControllerSummary {
  const desired = over.desired ?? 0;
  return {
    name: `web-${over.version}`,
    uid: `web-${over.version}-uid`,
    phase: 'Complete',
    strategy: rolling,
    createdAtMs: versionsNowMs - 1_000 * (100 - over.version),
    desired,
    replicas: desired,
    ready: desired,
    available: desired,
    statusIsCurrent: true,
    isCancelled: false,
    isRetried: false,
    beingDeleted: false,
    ...over,
  };
}

export function versionObservation(
  controllers: readonly ControllerSummary[],
  over: Partial<Omit<VersionObservation, 'config'>> & { config?: Partial<ConfigSummary> } = {},
): VersionObservation {
  const config = configSummary(over.config);
  const version = over.version ?? config.latestVersion;
  return {
    observedAtMs: versionsNowMs,
    controllerName: `${config.name}-${version}`,
    controllers,
    ...over,
    version,
    config,
  };
}

/** What a plan does, in short; events are left out. */
export function stepsOf(seen: VersionObservation): readonly string[] {
  return planVersion(seen).actions.flatMap((action) => {
    switch (action.kind) {
      case 'createController':
        return [`create ${action.name}`];
      case 'scaleController':
        return [`${action.name}: ${action.from} to ${action.to}`];
      case 'setPhase':
        return [`${action.name}: ${action.from} to ${action.to}`];
      case 'cancelController':
        return [`cancel ${action.name}`];
      case 'deleteController':
        return [`delete ${action.name}`];
      case 'createDeployer':
        return [`start ${action.name}-deploy`];
      case 'deletePod':
        return [`delete ${action.name}`];
      case 'releasePod':
        return [`let go ${action.name}`];
      case 'moveRegion':
        return [`${action.name}: ${action.isEmptied ? 'empty and ' : ''}move to ${action.version}`];
      case 'refillRegion':
        return [`${action.name}: back to ${action.size}`];
      case 'noteStep':
        return ['note the step'];
      case 'noteCanary':
        return [`${action.name} is at step ${action.to.step}`];
      case 'measure':
        return [`measure ${action.metrics.join()}`];
      case 'announce':
        return [];
    }
  });
}
