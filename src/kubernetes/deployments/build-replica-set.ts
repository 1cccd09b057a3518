import type { Action, RolloutMemory } from '../../domain/deployment/plan.js';
import type { Deployment, OwnerReference, PodTemplate, ReplicaSet } from '../objects.js';
import { annotations, handedDownAnnotations, templateHashLabel } from './annotations.js';
import type { DeploymentKey } from './deployment-key.js';
import { hashAsWritten, selectorOf } from './read-deployment.js';
import { writeSetHooks } from './set-hooks.js';
import { sameTemplate, withoutHash } from './same-template.js';

/** The ReplicaSet for the Deployment's current template; its hash is the end of its name. */
export function buildReplicaSet(
  key: DeploymentKey,
  deployment: Deployment,
  template: PodTemplate,
  action: Extract<Action, { kind: 'createReplicaSet' }>,
): ReplicaSet {
  const hash = action.name.slice(key.name.length + 1);
  const bare = withoutHash(template);
  const labels = { ...bare.metadata?.labels, [templateHashLabel]: hash };
  const selector = selectorOf(deployment);
  const hooks = key.api === 'apps/v1' ? undefined : writeSetHooks(deployment);
  return {
    metadata: {
      name: action.name,
      namespace: key.namespace,
      labels,
      annotations: {
        ...handedDownAnnotations(deployment.metadata.annotations),
        ...sizeAnnotationValues(action.sizes),
        ...memoryAnnotationValues(action.memory),
        [annotations.revision]: String(action.revision),
        ...(hooks === undefined ? {} : { [annotations.hooks]: hooks }),
        ...(key.api === 'apps/v1' ? {} : { [annotations.templateHash]: hashAsWritten(deployment) }),
      },
      ownerReferences: [controllerReference(key, deployment)],
    },
    spec: {
      replicas: action.replicas,
      minReadySeconds: deployment.spec?.minReadySeconds ?? 0,
      selector: {
        ...(selector as NonNullable<ReplicaSet['spec']>['selector']),
        matchLabels: { ...selector.matchLabels, [templateHashLabel]: hash },
      },
      template: { ...bare, metadata: { ...bare.metadata, labels } },
    },
  };
}

export function sizeAnnotationValues(sizes: {
  readonly desired: number;
  readonly max: number;
}): Record<string, string> {
  return {
    [annotations.desiredReplicas]: String(sizes.desired),
    [annotations.maxReplicas]: String(sizes.max),
  };
}

/** An empty list is what an automatic rollback leaves: nobody has started it. */
export function memoryAnnotationValues({
  triggers,
  lastComplete,
}: RolloutMemory): Record<string, string> {
  return {
    [annotations.startedBy]: triggers.join(','),
    ...(lastComplete === undefined ? {} : { [annotations.lastComplete]: lastComplete }),
  };
}

export function controllerReference(key: DeploymentKey, deployment: Deployment): OwnerReference {
  return {
    apiVersion: key.api,
    kind: 'Deployment',
    name: key.name,
    uid: deployment.metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
}

export function isControlledBy(set: ReplicaSet, deployment: Deployment): boolean {
  return (
    set.metadata.ownerReferences?.some(
      ({ controller, uid }) => controller === true && uid === deployment.metadata.uid,
    ) ?? false
  );
}

/** Whether an existing set of that name is the very one we meant to create, its answer lost. */
export function isSameSet(
  existing: ReplicaSet,
  template: PodTemplate,
  deployment: Deployment,
): boolean {
  return (
    isControlledBy(existing, deployment) && sameTemplate(existing.spec?.template ?? {}, template)
  );
}
