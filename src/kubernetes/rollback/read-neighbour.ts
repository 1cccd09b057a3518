import type { Neighbour } from '../../domain/rollback/scene.js';
import { selectorOf } from '../deployment-configs/build-controller.js';
import type { DeploymentConfig } from '../deployment-configs/objects.js';
import type { Deployment, DeploymentSpec } from '../objects.js';

export const readConfigNeighbour = (config: DeploymentConfig): Neighbour => ({
  kind: 'DeploymentConfig',
  name: config.metadata.name,
  labels: config.metadata.labels ?? {},
  selector: selectorOf(config),
  template: config.spec.template,
});

/** A selector that is left out is the template's labels. */
export function readDeploymentNeighbour({ metadata, spec }: Deployment): Neighbour {
  const { selector, template = {} }: Partial<DeploymentSpec> = spec ?? {};
  return {
    kind: 'Deployment',
    name: metadata.name,
    labels: metadata.labels ?? {},
    selector: selector?.matchLabels ?? template.metadata?.labels ?? {},
    template,
  };
}
