import type { V1EnvVar, V1ObjectReference, V1ResourceRequirements } from '@kubernetes/client-node';

import type { Wire } from '../wire.js';

export type EnvironmentVariable = Wire<V1EnvVar>;
export type ObjectReference = Wire<V1ObjectReference>;

/** What a strategy says of its hooks: which there are, and what their pods get. */
export interface HookStrategy {
  lifecycle?: Lifecycle | null;
  resources?: Wire<V1ResourceRequirements> | null;
  labels?: Record<string, string> | null;
  annotations?: Record<string, string> | null;
  activeDeadlineSeconds?: number;
}

/** Hooks for any strategy; `mid` is for a Deployment's Recreate alone. */
export interface Lifecycle {
  pre?: LifecycleHook | null;
  mid?: LifecycleHook | null;
  post?: LifecycleHook | null;
  abort?: LifecycleHook | null;
}

/** Ignore and Continue mean the same: OpenShift's word, and that of the document it grew from. */
export type HookFailurePolicy = 'Retry' | 'Abort' | 'Ignore' | 'Continue';

/** It has exactly one of its two actions. */
export interface LifecycleHook {
  failurePolicy: HookFailurePolicy;
  execNewPod?: ExecNewPodAction | null;
  tagImages?: TagImageAction[] | null;
}

export interface ExecNewPodAction {
  command: string[];
  env?: EnvironmentVariable[] | null;
  /** Absent or empty means the only container of the template. */
  containerName?: string | null;
  volumes?: string[] | null;
}

export interface TagImageAction {
  /** Absent or empty means the only container of the template. */
  containerName?: string | null;
  to: ObjectReference;
}
