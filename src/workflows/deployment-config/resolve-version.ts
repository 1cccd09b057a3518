import { ApplicationFailure } from '@temporalio/common';

import type { Versions } from '../../contracts/advance.js';
import type { VersionInput, VersionRef, VersionWish } from '../../contracts/deployment-config.js';
import type { Manifest } from '../../contracts/deployment.js';
import { failureTypes } from '../../contracts/failure-types.js';
import { workflowTypes } from '../../contracts/workflow-ids.js';
import {
  describeWishProblems,
  readWish as readRollbackWish,
} from '../../domain/rollback/read-wish.js';
import type { RollbackWish } from '../../domain/rollback/wish.js';

/** What a run was started for. */
export interface VersionTask {
  readonly ref: VersionRef;
  /** Present when the run is to ask for the version first; absent when it follows one that is there. */
  readonly wish?: VersionWish;
  /** What is to be applied together with that. */
  readonly manifest?: Manifest;
  /** Present when the version is one to go back with. */
  readonly rollback?: RollbackWish;
  /** Which writes of others must be seen before the version is looked at. */
  readonly since?: Versions;
}

const form = /^([^/]+)\/([^/]+)\/([^/]+)\/([^/]+)-([1-9]\d*)$/;

const wantedInput =
  'input: must be a DeploymentConfig manifest or {cluster, namespace, name, version}, which may have a request or a rollback';

/** Which version a run is about: the workflow id says it, and the input must not say otherwise. */
export function resolveVersion(input: VersionInput, workflowId: string): VersionTask {
  const ref = readWorkflowId(workflowId);
  const sent: unknown = input;
  if (!isObject(sent)) throw badInput(wantedInput);
  return 'kind' in sent ? readManifest(sent, ref) : readRef(sent, ref);
}

function readWorkflowId(workflowId: string): VersionRef {
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
  return { cluster, namespace, name, version: Number(digits) };
}

function readRef(said: Record<string, unknown>, ref: VersionRef): VersionTask {
  for (const [field, expected] of Object.entries(ref)) check(field, said[field], expected);
  if ('rollback' in said) {
    if ('request' in said) throw badInput('request: must be left out with a rollback');
    return { ref, rollback: readRollback(said['rollback'], ref) };
  }
  if ('request' in said) return { ref, wish: readWish(said['request']) };
  return 'since' in said ? { ref, since: readSince(said['since']) } : { ref };
}

function readSince(since: unknown): Versions {
  if (!isObject(since) || typeof since['deployment'] !== 'string') {
    throw badInput('since: must be {deployment}, the resource version of the config');
  }
  return { deployment: since['deployment'], replicaSets: {} };
}

function readManifest(said: Record<string, unknown>, ref: VersionRef): VersionTask {
  const { apiVersion, kind, metadata } = said;
  if (kind !== 'DeploymentConfig') {
    throw badInput(`kind: must be DeploymentConfig, not ${JSON.stringify(kind)}`);
  }
  if (apiVersion !== 'apps.openshift.io/v1') {
    throw badInput(`apiVersion: must be apps.openshift.io/v1, not ${JSON.stringify(apiVersion)}`);
  }
  if (!isObject(metadata)) throw badInput('metadata: is missing from the manifest');
  check('metadata.namespace', metadata['namespace'] ?? ref.namespace, ref.namespace);
  check('metadata.name', metadata['name'], ref.name);
  if (said['rollback'] !== undefined && said['rollback'] !== null) {
    if (said['spec'] !== undefined) {
      throw badInput('spec: must be left out with a rollback, which brings one');
    }
    return { ref, rollback: readRollback(said['rollback'], ref) };
  }
  return { ref, wish: {}, manifest: said as unknown as Manifest };
}

function readRollback(written: unknown, { name }: VersionRef): RollbackWish {
  const read = readRollbackWish(name, written);
  if (read.kind === 'wish') return read.wish;
  throw badInput(describeWishProblems('rollback', read.problems));
}

function readWish(request: unknown): VersionWish {
  if (!isObject(request))
    throw badInput('request: must be {by, reason}, of which each may be left out');
  const { by, reason } = request;
  return { ...readText('by', by), ...readText('reason', reason) };
}

function readText<Name extends string>(name: Name, value: unknown): { [Key in Name]?: string } {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'string') throw badInput(`request.${name}: must be a text`);
  return { [name]: value } as { [Key in Name]?: string };
}

function check(field: string, said: unknown, expected: unknown): void {
  if (said === expected) return;
  throw badInput(
    `${field}: is ${JSON.stringify(said)}, but the workflow id says ${JSON.stringify(expected)}`,
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const badInput = (message: string): ApplicationFailure =>
  ApplicationFailure.nonRetryable(message, failureTypes.badInput);
