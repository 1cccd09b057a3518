import type {
  ConfigStatus,
  ConfigSummary,
  ControllerSummary,
  VersionObservation,
} from '../../src/domain/deployment-config/observation.js';

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
