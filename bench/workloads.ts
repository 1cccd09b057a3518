import type { KubernetesObject } from '../src/kubernetes/objects.js';
import { resources, type ResourceType } from '../src/kubernetes/resources.js';

/** What an engine rolls. */
export type WorkloadKind = 'deployment' | 'rollout';

export const workloadTypes: Readonly<Record<WorkloadKind, ResourceType>> = {
  deployment: resources.builtInDeployments,
  rollout: {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Rollout',
    plural: 'rollouts',
    namespaced: true,
  },
};

/** A Deployment or a Rollout, as far as the bench looks at it. */
export interface Workload extends KubernetesObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: {
    /** Argo Rollouts has it as a string. */
    readonly observedGeneration?: number | string;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
  };
}

export interface WorkloadPlan {
  readonly kind: WorkloadKind;
  readonly namespace: string;
  readonly name: string;
  readonly pods: number;
}

const margins = { maxSurge: '25%', maxUnavailable: '25%' };

export function buildWorkload(plan: WorkloadPlan, version: number): KubernetesObject {
  const { kind, namespace, name, pods } = plan;
  const labels = { app: name };
  const spec = {
    replicas: pods,
    selector: { matchLabels: labels },
    strategy:
      kind === 'deployment'
        ? { type: 'RollingUpdate', rollingUpdate: margins }
        : // Without steps it rolls as a Deployment does.
          { canary: margins },
    template: {
      metadata: { labels },
      spec: { containers: [{ name: 'web', image: imageOf(version) }] },
    },
  };
  const workload = { metadata: { namespace, name }, spec };
  return workload;
}

/** A JSON patch to a template that no earlier rollout has had. */
export const imagePatch = (version: number): readonly object[] => [
  { op: 'replace', path: '/spec/template/spec/containers/0/image', value: imageOf(version) },
];

const imageOf = (version: number): string => `bench.example/web:v${version}`;

/** The same for all engines: what `kubectl rollout status` waits for. */
export function isComplete({ spec, status }: Workload, generation: number): boolean {
  const wanted = spec?.replicas ?? 1;
  return (
    Number(status?.observedGeneration ?? 0) >= generation &&
    status?.updatedReplicas === wanted &&
    status.replicas === wanted &&
    status.availableReplicas === wanted
  );
}
