import type { V1ReplicationController } from '@kubernetes/client-node';

import type {
  EnvironmentVariable,
  HookStrategy,
  LifecycleHook,
  ObjectReference,
} from '../hooks/objects.js';
import type { KubernetesObject, Named, PodTemplate } from '../objects.js';

export type ReplicationController = Named<V1ReplicationController>;

/** `apps.openshift.io/v1`, as it stands on the wire: what has no default there may be absent or null. */
export interface DeploymentConfig extends KubernetesObject {
  spec: DeploymentConfigSpec;
  /** Somebody's wish to go back; taken away when it is met or refused. */
  rollback?: RollbackBlock | null;
  status?: DeploymentConfigStatus;
}

export interface DeploymentConfigSpec {
  replicas?: number;
  /** Absent or empty means the template's labels. */
  selector?: Record<string, string> | null;
  template: PodTemplate;
  strategy?: DeploymentStrategy;
  /** Absent means a trigger of type ConfigChange; an empty list means none at all. */
  triggers?: DeploymentTrigger[] | null;
  minReadySeconds?: number;
  revisionHistoryLimit?: number;
  test?: boolean | null;
  paused?: boolean | null;
  triggersSuspended?: boolean | null;
  rollbackOnFailure?: boolean | null;
  rollbackOverHooks?: boolean | null;
}

export interface RollbackBlock {
  /** NAME-N or N; absent means the last complete version before the current one. */
  release?: number | string | null;
  config?: boolean;
  application?: boolean;
  keepsReplicas?: boolean | null;
  notes?: string | null;
  by?: string | null;
}

/** An empty type means Rolling. */
export type DeploymentStrategyType = 'Rolling' | 'Recreate' | 'Canary' | 'Custom' | '';

export interface DeploymentStrategy extends HookStrategy {
  type?: DeploymentStrategyType;
  rollingParams?: RollingParams | null;
  recreateParams?: RecreateParams | null;
  canaryParams?: CanaryParams | null;
  customParams?: CustomParams | null;
}

export interface RollingParams {
  updatePeriodSeconds?: number;
  intervalSeconds?: number;
  timeoutSeconds?: number;
  maxUnavailable?: number | string | null;
  maxSurge?: number | string | null;
  pre?: LifecycleHook | null;
  post?: LifecycleHook | null;
}

export interface RecreateParams {
  timeoutSeconds?: number;
  pre?: LifecycleHook | null;
  mid?: LifecycleHook | null;
  post?: LifecycleHook | null;
}

export interface CustomParams {
  image?: string | null;
  environment?: EnvironmentVariable[] | null;
  command?: string[] | null;
}

export interface CanaryParams {
  steps?: CanaryStep[] | null;
  ab?: { share: number } | null;
  timeoutSeconds?: number;
}

/** It has either `percent` or `count`, and waits for either `pause` or `approve`, or for neither. */
export interface CanaryStep {
  percent?: number | null;
  count?: number | null;
  pause?: { seconds: number } | null;
  approve?: boolean | null;
  metrics?: CanaryMetric[] | null;
}

export interface CanaryMetric {
  name: string;
  url: string;
  query: string;
  min?: number | null;
  max?: number | null;
  intervalSeconds?: number;
  count?: number;
}

export interface DeploymentTrigger {
  type: 'ConfigChange' | 'ImageChange';
  imageChangeParams?: ImageChangeParams | null;
}

/** It has either `from` or, in the older form, `repositoryName` with or without `tag`. */
export interface ImageChangeParams {
  automatic?: boolean | null;
  containerNames: string[];
  from?: ObjectReference | null;
  lastTriggeredImage?: string | null;
  repositoryName?: string | null;
  tag?: string | null;
}

export interface DeploymentConfigStatus {
  latestVersion?: number;
  observedGeneration?: number;
  replicas?: number;
  updatedReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  unavailableReplicas?: number;
  selector?: string;
  triggeredBy?: string;
  details?: DeploymentDetails;
  conditions?: DeploymentConfigCondition[];
}

export interface DeploymentDetails {
  message?: string;
  causes?: DeploymentCause[];
}

export interface DeploymentCause {
  type: string;
  imageTrigger?: {
    from?: ObjectReference;
    containerNames?: string[];
    previous?: string;
    image?: string;
  };
  by?: string;
  reason?: string;
  rollback?: {
    from: number;
    to: number;
    config: boolean;
    application: boolean;
    keepsReplicas?: boolean;
    notes?: string;
    manager?: string;
    run?: string;
  };
}

export interface DeploymentConfigCondition {
  type: string;
  status: string;
  lastUpdateTime?: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
