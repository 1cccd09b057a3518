import { buildController } from '../../../src/kubernetes/deployment-configs/build-controller.js';
import type {
  DeploymentConfig,
  DeploymentConfigSpec,
  DeploymentConfigStatus,
  ReplicationController,
} from '../../../src/kubernetes/deployment-configs/objects.js';
import type { ImageRepository } from '../../../src/kubernetes/image-repositories/objects.js';
import type { Pod } from '../../../src/kubernetes/objects.js';

export interface ConfigFacts {
  readonly image?: string;
  readonly spec?: Partial<DeploymentConfigSpec>;
  readonly status?: DeploymentConfigStatus;
  readonly annotations?: Record<string, string>;
}

/** A config of four pods at version 1, of which everything is told. */
export function config(facts: ConfigFacts = {}): DeploymentConfig {
  return {
    apiVersion: 'apps.openshift.io/v1',
    kind: 'DeploymentConfig',
    metadata: {
      name: 'web',
      namespace: 'shop',
      uid: 'web-uid',
      generation: 1,
      annotations: facts.annotations ?? {},
    },
    spec: {
      replicas: 4,
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'web', image: facts.image ?? 'web:1' }] },
      },
      ...facts.spec,
    },
    status: {
      latestVersion: 1,
      observedGeneration: 1,
      replicas: 4,
      updatedReplicas: 4,
      readyReplicas: 4,
      availableReplicas: 4,
      ...facts.status,
    },
  };
}

export interface VersionFacts extends ConfigFacts {
  readonly phase?: string;
  readonly ready?: number;
  readonly marks?: Record<string, string>;
}

/** The controller that a worker makes of such a config, complete unless the facts say otherwise. */
export function version(number: number, facts: VersionFacts = {}): ReplicationController {
  const built = buildController(config(facts), number);
  const ready = facts.ready ?? 4;
  return {
    ...built,
    metadata: {
      ...built.metadata,
      uid: `web-${number}-uid`,
      creationTimestamp: '2026-01-01T00:00:00Z',
      annotations: {
        ...built.metadata.annotations,
        'openshift.io/deployment.phase': facts.phase ?? 'Complete',
        ...facts.marks,
      },
    },
    spec: { ...built.spec, replicas: ready },
    status: { replicas: ready, readyReplicas: ready, availableReplicas: ready },
  };
}

export function repository(status: ImageRepository['status'] = {}): ImageRepository {
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'ImageRepository',
    metadata: { name: 'web', namespace: 'shop', uid: 'ir-uid', generation: 1 },
    spec: { repository: 'registry.example.com/shop/web' },
    status: { observedGeneration: 1, ...status },
  };
}

/** A pod that runs once for a version. */
export function job(name: string, of: string, status: Pod['status']): Pod {
  return {
    metadata: {
      name,
      namespace: 'shop',
      uid: `${name}-uid`,
      creationTimestamp: '2026-01-01T00:00:50Z',
      labels: { 'openshift.io/deployer-pod-for.name': of },
    },
    spec: { containers: [{ name: 'main' }] },
    status: status ?? {},
  };
}

/** A pod of a try of a hook. */
export function hookPod(of: string, moment: string, number: number, status: Pod['status']): Pod {
  const built = job(`${of}-hook-${moment}${number === 1 ? '' : `-${number}`}`, of, status);
  const { metadata } = built;
  return {
    ...built,
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, 'openshift.io/deployer-pod.type': `hook-${moment}` },
      annotations: { 'slipway.dev/hook-try': String(number) },
    },
  };
}

/** What a worker keeps of a hook with its version. */
export const hookMarks = (
  moment: string,
  phase: string,
  record: object,
): Record<string, string> => ({
  [`openshift.io/deployment.lifecycle.${moment}.execnewpod.phase`]: phase,
  [`slipway.dev/hook.${moment}`]: JSON.stringify(record),
});

export const followLatest = {
  triggers: [
    {
      type: 'ImageChange' as const,
      imageChangeParams: {
        automatic: true,
        containerNames: ['web'],
        from: { kind: 'ImageStreamTag', name: 'web:latest' },
      },
    },
  ],
};
