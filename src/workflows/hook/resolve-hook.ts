import { ApplicationFailure } from '@temporalio/common';

import { failureTypes } from '../../contracts/failure-types.js';
import { hookWorkflowId, type HookRef } from '../../contracts/hook.js';
import { hookMoments } from '../../domain/shared/hook.js';
import { defined } from '../../domain/shared/optional.js';

/** Which hook a run is about; its workflow id must say the same, so that there is one run for each. */
export function resolveHook(input: HookRef, workflowId: string): HookRef {
  const sent: unknown = input;
  if (typeof sent !== 'object' || sent === null) {
    throw badInput(
      'input: must be {cluster, namespace, name, version, moment}, for a Deployment with replicaSet',
    );
  }
  const { cluster, namespace, name, version, moment, replicaSet } = sent as Readonly<
    Record<string, unknown>
  >;
  const texts = { cluster, namespace, name, ...defined({ replicaSet }) };
  for (const [field, value] of Object.entries(texts)) {
    if (typeof value !== 'string' || value === '') throw badInput(`${field}: must be a text`);
  }
  if (!Number.isSafeInteger(version)) throw badInput('version: must be a number');
  if (!hookMoments.some((known) => known === moment)) {
    throw badInput(`moment: must be one of ${hookMoments.join(', ')}`);
  }
  const ref = { ...texts, version, moment } as HookRef;
  const expected = hookWorkflowId(ref);
  if (expected === workflowId) return ref;
  throw badInput(`workflow id: must be "${expected}" for that hook, not "${workflowId}"`);
}

const badInput = (message: string): ApplicationFailure =>
  ApplicationFailure.nonRetryable(message, failureTypes.badInput);
