import { ApplicationFailure } from '@temporalio/common';

import { failureTypes } from '../../contracts/failure-types.js';
import type { RollbackInput, RollbackMember } from '../../contracts/rollback.js';
import { rollbackWorkflowId, workflowTypes } from '../../contracts/workflow-ids.js';
import { describeWishProblems, readWish } from '../../domain/rollback/read-wish.js';

const form = /^([^/]+)\/([^/]+)\/([^/]+)\/([^/]+)$/;
const nameForm = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;
const dryRunType = `${workflowTypes.rollback}-dry-run`;

/** What a run is for besides the configs; all else in its input is a wish for the one that its id names. */
const options = ['cluster', 'namespace', 'members', 'parallel', 'dryRun', 'fromBlock'] as const;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Which configs go back, and how far. The workflow id says where, and the input must not say otherwise; where it
 * names no configs, it is a wish for the one that the id names.
 */
export function resolveRollback(input: unknown, workflowId: string): RollbackInput {
  const [, type, cluster, namespace, names] = form.exec(workflowId) ?? [];
  const isDryRun = type === dryRunType;
  if (
    (type !== workflowTypes.rollback && !isDryRun) ||
    cluster === undefined ||
    namespace === undefined ||
    names === undefined
  ) {
    throw badInput(
      `workflow id: "${workflowId}" is not of the form rollback/<cluster>/<namespace>/<names>, with a + between names`,
    );
  }
  const sent = readFields(input ?? {}, 'input');
  const members = readMembers(sent, names);
  for (const [field, expected] of Object.entries({ cluster, namespace })) {
    const said = sent[field] ?? expected;
    if (said !== expected)
      throw badInput(
        `${field}: is ${JSON.stringify(said)}, but the workflow id says ${JSON.stringify(expected)}`,
      );
  }
  const flags = readFlags(sent);
  const dryRun = flags.dryRun ?? isDryRun;
  const all = members.map(({ name }) => name);
  const expected = rollbackWorkflowId({ cluster, namespace }, all, dryRun);
  if (expected !== workflowId) {
    throw badInput(`workflow id: must be "${expected}" for that, not "${workflowId}"`);
  }
  return { cluster, namespace, members, ...flags, dryRun };
}

function readMembers(sent: Fields, names: string): readonly RollbackMember[] {
  if (sent['members'] === undefined) {
    const wish = Object.entries(sent).filter(([key]) => !options.some((known) => known === key));
    return [toMember(names, Object.fromEntries(wish), 'input')];
  }
  const { members, ...rest } = sent;
  const stray = Object.keys(rest).find((key) => !options.some((known) => known === key));
  if (stray !== undefined)
    throw badInput(`${stray}: is not known; there are ${options.join(', ')}`);
  if (!Array.isArray(members) || members.length === 0) {
    throw badInput('members: must be a list of {name, wish}, with at least one');
  }
  const read = members.map((member, index) => readMember(member, `members[${index}]`));
  const all = read.map(({ name }) => name);
  const twice = all.find((name, index) => all.indexOf(name) !== index);
  if (twice !== undefined) throw badInput(`members: "${twice}" is there twice`);
  return read;
}

function readMember(written: unknown, where: string): RollbackMember {
  const { name, wish = {} } = readFields(written, where);
  if (typeof name !== 'string' || !nameForm.test(name)) {
    throw badInput(`${where}.name: must be the name of a DeploymentConfig`);
  }
  return toMember(name, wish, `${where}.wish`);
}

function toMember(name: string, wish: unknown, where: string): RollbackMember {
  if (!nameForm.test(name)) throw badInput(`workflow id: "${name}" is not the name of one config`);
  const read = readWish(name, wish);
  if (read.kind === 'wish') return { name, wish: read.wish };
  throw badInput(describeWishProblems(where, read.problems));
}

function readFlags(sent: Fields): Pick<RollbackInput, 'parallel' | 'dryRun' | 'fromBlock'> {
  const flags = (['parallel', 'dryRun', 'fromBlock'] as const).flatMap((field) => {
    const value = sent[field] ?? undefined;
    if (value === undefined) return [];
    if (typeof value !== 'boolean') throw badInput(`${field}: must be true or false`);
    return [[field, value] as const];
  });
  return Object.fromEntries(flags);
}

function readFields(value: unknown, where: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badInput(`${where}: must be an object`);
  }
  return value as Fields;
}

const badInput = (message: string): ApplicationFailure =>
  ApplicationFailure.nonRetryable(message, failureTypes.badInput);
