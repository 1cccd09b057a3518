import { annotations } from '../deployments/annotations.js';

/** OpenShift's names, which its clients and users' scripts look for, and a few of our own. */
export const configAnnotations = {
  phase: 'openshift.io/deployment.phase',
  statusReason: 'openshift.io/deployment.status-reason',
  cancelled: 'openshift.io/deployment.cancelled',
  /** Also a label. */
  configName: 'openshift.io/deployment-config.name',
  version: 'openshift.io/deployment-config.latest-version',
  encodedConfig: 'openshift.io/encoded-deployment-config',
  deploymentName: 'openshift.io/deployment.name',
  /** How many pods a version is to have; taken away when it has them. */
  desiredReplicas: 'kubectl.kubernetes.io/desired-replicas',
  /** How many pods it had when it was the one in service. */
  replicas: 'openshift.io/deployment.replicas',
  deployerPodName: 'openshift.io/deployer-pod.name',
  deployerCreatedAt: 'openshift.io/deployer-pod.created-at',
  deployerStartedAt: 'openshift.io/deployer-pod.started-at',
  deployerCompletedAt: 'openshift.io/deployer-pod.completed-at',
  /** On a version: why it was made, as JSON. */
  causes: 'slipway.dev/causes',
  /** On a version: when its phase last changed, and when it first ran. */
  startedAt: 'slipway.dev/started-at',
  endedAt: 'slipway.dev/ended-at',
  /** On a version whose strategy takes its time: when its sizes were last changed. */
  steppedAt: 'slipway.dev/stepped-at',
  /** On a region that was emptied: the size to come back to. */
  heldSize: 'slipway.dev/held-size',
  /** On a failed version: somebody wants it tried again. */
  retry: 'slipway.dev/retry',
  /** On a version that is tried again: who wanted that and why, as JSON, and how earlier tries ended. */
  retried: 'slipway.dev/retried',
  tries: 'slipway.dev/tries',
  /** On a version that was cancelled: by whom. */
  cancelledBy: annotations.cancelledBy,
  /** On a config: who has written its template, as JSON. */
  changedBy: annotations.changedBy,
  /** On a version: who has written its template, and the images before, as JSON. */
  change: 'slipway.dev/change',
  /** On a version of strategy Canary: the step that it is at, counted from 0. */
  canaryStep: 'slipway.dev/canary-step',
  /** On such a version: when its step had its size, and how many ms it had waited when it was paused. */
  canaryReachedAt: 'slipway.dev/canary-reached-at',
  canaryWaited: 'slipway.dev/canary-waited',
  /** On such a version: what came of measuring its step's metrics, by their names, as JSON. */
  canaryMetrics: 'slipway.dev/canary-metrics',
  /** On a version: somebody approves of a step; which, who, why and, for A/B, the winner, as JSON. */
  approval: 'slipway.dev/approval',
  /** On a config: somebody asks for a new version; who and why, as JSON. */
  request: 'slipway.dev/request',
  /** On a config: the version whose failure has led to a rollback that nobody asked for, or has not. */
  rolledBackFrom: 'slipway.dev/rolled-back-from',
} as const;

/** Labels of a version's pods, and so part of its selector. */
export const podLabels = { deployment: 'deployment', config: 'deploymentconfig' } as const;

/** On each run-once pod: the version that it works for. */
export const deployerPodLabel = 'openshift.io/deployer-pod-for.name';

/** The environment in which a deployer or a hook learns what it is about. */
export const deployerEnvironment = {
  name: 'OPENSHIFT_DEPLOYMENT_NAME',
  namespace: 'OPENSHIFT_DEPLOYMENT_NAMESPACE',
} as const;

/** The ServiceAccount that deployers run as, and what gives it its rights. */
export const deployerAccount = { name: 'deployer', role: 'slipway-deployer' } as const;
