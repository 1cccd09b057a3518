import type { DeploymentApi } from '../../domain/deployment/observation.js';
import { resources, type ResourceType } from '../resources.js';

/** One Deployment of one cluster. */
export interface DeploymentKey {
  readonly api: DeploymentApi;
  readonly namespace: string;
  readonly name: string;
}

export const deploymentTypes: Readonly<Record<DeploymentApi, ResourceType>> = {
  'apps/v1': resources.builtInDeployments,
  'slipway.dev/v1alpha1': resources.slipwayDeployments,
};

export const formatKey = ({ api, namespace, name }: DeploymentKey): string =>
  `${api}/${namespace}/${name}`;
