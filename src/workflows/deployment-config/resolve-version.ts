import { ApplicationFailure } from '@temporalio/common';

import type { VersionRef } from '../../contracts/deployment-config.js';
import { failureTypes } from '../../contracts/failure-types.js';
import { workflowTypes } from '../../contracts/workflow-ids.js';

const form = /^([^/]+)\/([^/]+)\/([^/]+)\/([^/]+)-([1-9]\d*)$/;

/** Which version a run is about: the workflow id says it, and the input must not say otherwise. */
export function resolveVersion(input: VersionRef, workflowId: string): VersionRef {
  const [, type, cluster, namespace, name, digits] = form.exec(workflowId) ?? [];
  if (
    type !== workflowTypes.deploymentConfig ||
    cluster === undefined ||
    namespace === undefined ||
    name === undefined
  ) {
    throw badInput(
      `workflow id: "${workflowId}" is not of the form deploymentConfig/<cluster>/<namespace>/<name>-<version>`,
    );
  }
  const ref = { cluster, namespace, name, version: Number(digits) };
  const sent: unknown = input;
  if (typeof sent !== 'object' || sent === null) {
    throw badInput('input: must be {cluster, namespace, name, version}');
  }
  const said = sent as Readonly<Record<string, unknown>>;
  for (const [field, expected] of Object.entries(ref)) {
    if (said[field] === expected) continue;
    throw badInput(
      `${field}: is ${JSON.stringify(said[field])}, but the workflow id says ${JSON.stringify(expected)}`,
    );
  }
  return ref;
}

const badInput = (message: string): ApplicationFailure =>
  ApplicationFailure.nonRetryable(message, failureTypes.badInput);
