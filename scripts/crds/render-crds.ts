import { stringify } from 'yaml';

import type { KubernetesClient } from '../../src/kubernetes/client.js';
import { buildDeploymentConfigCrd } from './deployment-config-crd.js';
import { buildDeploymentCrd } from './deployment-crd.js';
import { buildImageRepositoryCrd } from './image-repository-crd.js';
import type { OpenApiDocument } from './schema.js';

export interface CrdFile {
  readonly file: string;
  readonly text: string;
}

const header = '# Written by `npm run generate:crds`; change scripts/crds instead.\n';

/** The files of deploy/crds, from the schemas of the apiserver behind the client. */
export async function renderCrds(client: KubernetesClient): Promise<CrdFile[]> {
  const apps: OpenApiDocument = await client.transport.json({
    method: 'GET',
    path: '/openapi/v3/apis/apps/v1',
  });
  return [
    {
      file: 'deploymentconfigs.apps.openshift.io.yaml',
      text: toYaml(buildDeploymentConfigCrd(apps)),
    },
    { file: 'deployments.slipway.dev.yaml', text: toYaml(buildDeploymentCrd(apps)) },
    { file: 'imagerepositories.slipway.dev.yaml', text: toYaml(buildImageRepositoryCrd()) },
  ];
}

function toYaml(object: object): string {
  return header + stringify(object, { aliasDuplicateObjects: false, lineWidth: 100 });
}
