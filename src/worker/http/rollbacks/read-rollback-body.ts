import { z } from 'zod';

import type { RollbackParts } from '../../../domain/rollback/build-rollback.js';
import { readRelease, readWish } from '../../../domain/rollback/read-wish.js';
import type { RollbackWish } from '../../../domain/rollback/wish.js';
import { defined } from '../../../domain/shared/optional.js';
import { HttpProblem, invalidField, type ProblemCause } from '../problem.js';
import { readName } from '../read-name.js';

/** What somebody wants of a config: to go back, or to see what it would be then. */
export type RollbackBody =
  | { readonly kind: 'goBack'; readonly name: string; readonly wish: RollbackWish }
  | {
      readonly kind: 'generate';
      readonly name: string;
      readonly release?: number;
      /** Where the body says which version is meant. */
      readonly releaseField: string;
      readonly parts: RollbackParts;
      readonly annotations: Readonly<Record<string, string>>;
    };

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

function readGoBack(sent: z.infer<typeof wishSchema>, namespace: string): RollbackBody {
  const given = sent.id ?? sent.name ?? sent.metadata?.name;
  if (given === undefined) throw invalidField('name', 'is needed');
  const said = sent.namespace ?? sent.metadata?.namespace ?? namespace;
  if (said !== namespace) {
    throw invalidField('namespace', `must be "${namespace}" as in the request`);
  }
  const name = readName('name', given);
  if ('by' in sent.rollback) {
    throw invalidField('rollback.by', 'is not accepted: the token says who asks');
  }
  const read = readWish(name, sent.rollback);
  if (read.kind === 'wish') return { kind: 'goBack', name, wish: read.wish };
  throw refuse(
    read.problems.map(({ field, message }) => ({ field: `rollback.${field}`, message })),
  );
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
