import { stringify } from 'yaml';

import type { KubernetesClient } from '../../src/kubernetes/client.js';
import { buildDeploymentCrd } from './deployment-crd.js';
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
  return [{ file: 'deployments.slipway.dev.yaml', text: toYaml(buildDeploymentCrd(apps)) }];
}

function toYaml(object: object): string {
  return header + stringify(object, { aliasDuplicateObjects: false, lineWidth: 100 });
}
