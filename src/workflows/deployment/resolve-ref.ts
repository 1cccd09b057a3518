import { ApplicationFailure } from '@temporalio/common';

import type { DeploymentInput, DeploymentRef, Manifest } from '../../contracts/deployment.js';
import { failureTypes } from '../../contracts/failure-types.js';
import { workflowTypes } from '../../contracts/workflow-ids.js';
import type { DeploymentApi } from '../../domain/deployment/observation.js';

/** Which Deployment a run is about: the workflow id says it, and the input must not say otherwise. */
export function resolveRef(input: DeploymentInput, workflowId: string): DeploymentRef {
  const [type, cluster, namespace, name, ...rest] = workflowId.split('/');
  const isWhole = type === workflowTypes.deployment && rest.length === 0;
  if (!isWhole || !cluster || !namespace || !name) {
    throw badInput(
      `workflow id: "${workflowId}" is not of the form deployment/<cluster>/<namespace>/<name>`,
    );
  }
  const said = isManifest(input)
    ? { namespace: input.metadata.namespace ?? namespace, name: input.metadata.name }
    : input;
  check('metadata.namespace', said.namespace, namespace);
  check('metadata.name', said.name, name);
  if (!isManifest(input)) check('cluster', input.cluster, cluster);
  return { cluster, namespace, name, api: readApi(input) };
}

const wantedInput = 'input: must be a Deployment manifest or {cluster, namespace, name, api}';

/** Input comes from any client, so its type is a promise that nobody has checked. */
export function isManifest(input: DeploymentInput): input is Manifest {
  const sent: unknown = input;
  if (typeof sent !== 'object' || sent === null) {
    throw badInput(wantedInput);
  }
  if (!('kind' in sent)) {
    if (!('name' in sent)) throw badInput(wantedInput);
    return false;
  }
  if (!('metadata' in sent) || typeof sent.metadata !== 'object' || sent.metadata === null) {
    throw badInput('metadata: is missing from the manifest');
  }
  return true;
}

function readApi(input: DeploymentInput): DeploymentApi {
  if (isManifest(input) && input.kind !== 'Deployment') {
    throw badInput(`kind: must be Deployment, not ${JSON.stringify(input.kind)}`);
  }
  const api: string = isManifest(input) ? input.apiVersion : input.api;
  if (api === 'apps/v1' || api === 'slipway.dev/v1alpha1') return api;
  const field = isManifest(input) ? 'apiVersion' : 'api';
  throw badInput(`${field}: must be apps/v1 or slipway.dev/v1alpha1, not ${JSON.stringify(api)}`);
}

function check(field: string, said: unknown, expected: string): void {
  if (said === expected) return;
  throw badInput(`${field}: is ${JSON.stringify(said)}, but the workflow id says "${expected}"`);
}

function badInput(message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, failureTypes.badInput);
}
