import {
  buildCrd,
  buildObjectSchema,
  column,
  statusAndScale,
  wideColumn,
} from './custom-resource-definition.js';
import { releaseIsOwn, rollbackSchema } from './deployment-config/rollback-schema.js';
import { buildSpecSchema } from './deployment-config/spec-schema.js';
import { statusSchema } from './deployment-config/status-schema.js';
import type { OpenApiDocument } from './schema.js';
import { allowAbsence } from './structural-schema.js';

/** `apps.openshift.io/v1` DeploymentConfig: OpenShift's spec and status, and what Slipway adds. */
export function buildDeploymentConfigCrd(document: OpenApiDocument): object {
  return buildCrd({
    group: 'apps.openshift.io',
    version: 'v1',
    names: {
      kind: 'DeploymentConfig',
      plural: 'deploymentconfigs',
      shortNames: ['dc'],
      categories: ['all', 'slipway'],
    },
    columns: printerColumns,
    subresources: statusAndScale,
    schema: buildObjectSchema(
      'Deploys a pod template, version by version, as Temporal workflows: what starts a version, how it replaces the one before it, and what is run around that.',
      buildSpecSchema(document),
      statusSchema,
      {
        'x-kubernetes-validations': [releaseIsOwn],
        properties: { rollback: allowAbsence(rollbackSchema) },
      },
    ),
  });
}

/** The first four are those of `oc get dc`. */
const printerColumns = [
  column('Revision', 'integer', '.status.latestVersion', 'The version that was deployed last.'),
  column('Desired', 'integer', '.spec.replicas', 'Pods that are wanted.'),
  column('Current', 'integer', '.status.updatedReplicas', 'Pods of the latest version.'),
  column('Triggered By', 'string', '.status.triggeredBy', 'What starts a deployment by itself.'),
  wideColumn('Available', 'integer', '.status.availableReplicas', 'Pods ready for long enough.'),
  wideColumn(
    'Progress',
    'string',
    '.status.conditions[?(@.type=="Progressing")].reason',
    'How far the deployment is.',
  ),
  wideColumn('Strategy', 'string', '.spec.strategy.type', 'How pods are replaced.'),
  wideColumn('Image', 'string', '.spec.template.spec.containers[0].image', 'What its pods run.'),
  wideColumn('Selector', 'string', '.status.selector', 'Which pods are its own.'),
  wideColumn('Age', 'date', '.metadata.creationTimestamp', 'Time since it was created.'),
];
