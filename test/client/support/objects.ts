import type { Deployment, Pod, ReplicaSet } from '../../../src/kubernetes/objects.js';

export interface DeploymentFacts {
  readonly name?: string;
  readonly namespace?: string;
  readonly apiVersion?: string;
  readonly annotations?: Record<string, string>;
  readonly generation?: number;
  readonly observed?: number;
  readonly desired?: number;
  readonly current?: number;
  readonly updated?: number;
  readonly available?: number;
  readonly paused?: boolean;
  readonly image?: string;
  readonly conditions?: {
    type: string;
    status: string;
    reason?: string;
    message?: string;
    lastUpdateTime?: string;
  }[];
}

/** A Deployment whose rollout is complete, unless the facts say otherwise. */
export function deployment(facts: DeploymentFacts = {}): Deployment {
  const { desired = 10, name = 'web', namespace = 'shop' } = facts;
  return {
    apiVersion: facts.apiVersion ?? 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name,
      namespace,
      uid: `${name}-uid`,
      resourceVersion: '7',
      generation: facts.generation ?? 2,
      annotations: facts.annotations ?? {},
    },
    spec: {
      replicas: desired,
      ...(facts.paused === undefined ? {} : { paused: facts.paused }),
      selector: { matchLabels: { app: name } },
      template: template(facts.image ?? 'nginx:2', name),
    },
    status: {
      observedGeneration: facts.observed ?? facts.generation ?? 2,
      replicas: facts.current ?? desired,
      updatedReplicas: facts.updated ?? desired,
      readyReplicas: facts.available ?? desired,
      availableReplicas: facts.available ?? desired,
      conditions: facts.conditions ?? [],
    },
  };
}

export interface ReplicaSetFacts {
  readonly owner?: string;
  readonly desired?: number;
  readonly ready?: number;
  readonly image?: string;
  readonly annotations?: Record<string, string>;
}

export function replicaSet(revision: number, facts: ReplicaSetFacts = {}): ReplicaSet {
  const { owner = 'web', desired = 0 } = facts;
  const { metadata, spec } = template(facts.image ?? `nginx:${revision}`, owner);
  return {
    metadata: {
      name: `${owner}-${revision}`,
      namespace: 'shop',
      uid: `${owner}-${revision}-uid`,
      creationTimestamp: '2026-01-01T00:00:00Z',
      annotations: {
        'deployment.kubernetes.io/revision': String(revision),
        ...facts.annotations,
      },
      ownerReferences: [controller('Deployment', owner)],
    },
    spec: {
      replicas: desired,
      selector: {},
      template: {
        metadata: { labels: { ...metadata.labels, 'pod-template-hash': `hash${revision}` } },
        spec,
      },
    },
    status: {
      replicas: desired,
      readyReplicas: facts.ready ?? desired,
      availableReplicas: facts.ready ?? desired,
    },
  };
}

export function pod(name: string, owner: string, status: Pod['status'] = running): Pod {
  return {
    metadata: {
      name,
      namespace: 'shop',
      uid: `${name}-uid`,
      creationTimestamp: '2026-01-01T00:00:50Z',
      ownerReferences: [controller('ReplicaSet', owner)],
    },
    spec: { nodeName: 'node-1', containers: [{ name: 'main', image: 'nginx' }] },
    status: status ?? {},
  };
}

const running: Pod['status'] = {
  phase: 'Running',
  conditions: [{ type: 'Ready', status: 'True' }],
  containerStatuses: [
    { name: 'main', ready: true, restartCount: 0, image: '', imageID: '', state: { running: {} } },
  ],
};

const template = (image: string, app: string) => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: 'main', image }] },
});

const controller = (kind: string, name: string) => ({
  apiVersion: 'apps/v1',
  kind,
  name,
  uid: `${name}-uid`,
  controller: true,
});
