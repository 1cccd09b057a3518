import { z } from 'zod';

import type { RollbackParts } from '../../../domain/rollback/build-rollback.js';
import { readRelease, readWish } from '../../../domain/rollback/read-wish.js';
import type { RollbackWish } from '../../../domain/rollback/wish.js';
import { defined } from '../../../domain/shared/optional.js';
import type { ConfigKey } from '../../../kubernetes/deployment-configs/config-view.js';
import { HttpProblem, invalidField, type ProblemCause } from '../problem.js';
import { readName } from '../read-name.js';

/** What somebody wants of a config: to go back, or to see what it would be then. */
export type RollbackBody =
  | GoBackBody
  | {
      readonly kind: 'generate';
      readonly name: string;
      readonly release?: number;
      /** Where the body says which version is meant. */
      readonly releaseField: string;
      readonly parts: RollbackParts;
      readonly annotations: Readonly<Record<string, string>>;
    };

interface GoBackBody {
  readonly kind: 'goBack';
  readonly name: string;
  readonly wish: RollbackWish;
}

const object = { error: 'must be an object' };
const text = z.string({ error: 'must be a text' });
const flag = z.boolean({ error: 'must be true or false' }).nullish();
const version = z.literal('apps.openshift.io/v1', { error: 'must be apps.openshift.io/v1' });

/** The document's own form, in which a rollback is a special kind of deployment. */
const wishSchema = z.strictObject({
  apiVersion: version.optional(),
  kind: z.literal('DeploymentConfig', { error: 'must be DeploymentConfig' }).optional(),
  id: text.optional(),
  name: text.optional(),
  namespace: text.optional(),
  metadata: z.strictObject({ name: text, namespace: text.optional() }, object).optional(),
  rollback: z.looseObject({}, object),
});

/** A DeploymentConfigRollback of OpenShift. */
const openShiftSchema = z.strictObject({
  apiVersion: z.union([version, z.literal('v1')]).optional(),
  kind: z
    .literal('DeploymentConfigRollback', { error: 'must be DeploymentConfigRollback' })
    .optional(),
  name: text,
  updatedAnnotations: z
    .record(z.string(), z.string(), { error: 'must be texts by their names' })
    .nullish(),
  spec: z.strictObject(
    {
      from: z.looseObject({ name: text.nullish() }, object).nullish(),
      revision: z
        .number({ error: 'must be a number' })
        .int('must be a whole number')
        .min(0, 'must be 0 or more')
        .nullish(),
      includeTriggers: flag,
      includeTemplate: flag,
      includeReplicationMeta: flag,
      includeStrategy: flag,
    },
    object,
  ),
});

/** Both forms are told apart by what only one of them has. */
export function readRollbackBody(body: unknown, namespace: string): RollbackBody {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidField('body', 'must be an object');
  }
  if ('rollback' in body) return readGoBack(parse(wishSchema, body), namespace);
  if ('spec' in body) return readGenerate(parse(openShiftSchema, body));
  throw invalidField('rollback', 'is needed, or the spec of a DeploymentConfigRollback');
}

function readGoBack(sent: z.infer<typeof wishSchema>, namespace: string): GoBackBody {
  const given = sent.id ?? sent.name ?? sent.metadata?.name;
  if (given === undefined) throw invalidField('name', 'is needed');
  const said = sent.namespace ?? sent.metadata?.namespace ?? namespace;
  if (said !== namespace) {
    throw invalidField('namespace', `must be "${namespace}" as in the request`);
  }
  const name = readName('name', given);
  return { kind: 'goBack', name, wish: readSentWish(name, sent.rollback) };
}

/** A block that somebody sends, who is known by other means than what it says. */
export function readSentWish(name: string, rollback: unknown): RollbackWish {
  if (typeof rollback !== 'object' || rollback === null) {
    throw invalidField('rollback', 'must be an object');
  }
  if ('by' in rollback) {
    throw invalidField('rollback.by', 'is not accepted: the token says who asks');
  }
  const read = readWish(name, rollback);
  if (read.kind === 'wish') return read.wish;
  throw refuse(
    read.problems.map(({ field, message }) => ({ field: `rollback.${field}`, message })),
  );
}

/**
 * The wish of a body that is sent to where a config is saved: the document has it that a rollback is a special
 * kind of that. Undefined for one that has a spec, and so is a config. The path names the config, so that the
 * body need not.
 */
export function readSentRollback(
  body: unknown,
  { namespace, name }: ConfigKey,
): RollbackWish | undefined {
  if (typeof body !== 'object' || body === null || !('rollback' in body)) return undefined;
  if ('spec' in body || body.rollback === null) return undefined;
  const sent = parse(wishSchema, body);
  const named = { id: sent.id, name: sent.name, 'metadata.name': sent.metadata?.name };
  for (const [field, given] of Object.entries(named)) {
    if (given !== undefined && given !== name) {
      throw invalidField(field, `must be "${name}" as in the path`);
    }
  }
  return readGoBack({ ...sent, name }, namespace).wish;
}

function readGenerate({
  name: given,
  spec,
  updatedAnnotations,
}: z.infer<typeof openShiftSchema>): RollbackBody {
  const name = readName('name', given);
  const { release, releaseField } = readFrom(name, spec);
  const parts: RollbackParts = {
    labels: false,
    triggers: spec.includeTriggers === true,
    strategy: spec.includeStrategy === true,
    replicas: spec.includeReplicationMeta === true,
    selector: spec.includeReplicationMeta === true,
    template: spec.includeTemplate === true,
  };
  if (!Object.values(parts).includes(true)) {
    throw invalidField('spec', 'must include something that goes back, such as includeTemplate');
  }
  return {
    kind: 'generate',
    name,
    releaseField,
    parts,
    annotations: updatedAnnotations ?? {},
    ...defined({ release }),
  };
}

/** By its number, or by the name of its ReplicationController. */
function readFrom(
  name: string,
  { from, revision }: z.infer<typeof openShiftSchema>['spec'],
): { readonly release: number | undefined; readonly releaseField: string } {
  const byNumber = { release: revision ?? 0, releaseField: 'spec.revision' };
  if (byNumber.release > 0) return byNumber;
  const release = readRelease(name, from?.name);
  if (release === undefined) return { ...byNumber, release };
  const releaseField = 'spec.from.name';
  if (typeof release !== 'object') return { release, releaseField };
  throw invalidField(releaseField, release.message);
}

function parse<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const causes = parsed.error.issues.flatMap((issue): ProblemCause[] => {
    const path = issue.path.join('.');
    if (issue.code !== 'unrecognized_keys') return [{ field: path, message: issue.message }];
    return issue.keys.map((key) => ({
      field: path === '' ? key : `${path}.${key}`,
      message: 'is not known here',
    }));
  });
  throw refuse(causes);
}

/** With every problem, in words and one by one. */
export function refuse(causes: readonly ProblemCause[]): HttpProblem {
  const sentence = causes.map(({ field = 'body', message = '' }) => `${field}: ${message}`);
  return new HttpProblem(422, sentence.join('; '), { causes });
}
