import { describe, expect, test } from '@jest/globals';

import { HttpProblem } from '../../../src/worker/http/problem.js';
import {
  readRollbackBody,
  readSentRollback,
} from '../../../src/worker/http/rollbacks/read-rollback-body.js';

const read = (body: unknown) => readRollbackBody(body, 'shop');
const fieldsOf = (
  body: unknown,
  readBody: (body: unknown) => unknown = read,
): readonly (string | undefined)[] => {
  try {
    readBody(body);
  } catch (error) {
    if (error instanceof HttpProblem && error.code === 422) {
      return error.causes.map(({ field }) => field);
    }
    throw error;
  }
  return [];
};
const all = { config: true, application: true };

describe("the document's own form", () => {
  test.each<[object]>([
    [{ id: 'web', kind: 'DeploymentConfig', rollback: { release: 'web-1', notes: 'oops' } }],
    [{ name: 'web', namespace: 'shop', rollback: { release: 1, notes: 'oops' } }],
    [{ metadata: { name: 'web' }, rollback: { release: '1', notes: 'oops', config: true } }],
  ])('%j', (body) => {
    expect(read(body)).toEqual({
      kind: 'goBack',
      name: 'web',
      wish: { ...all, release: 1, notes: 'oops' },
    });
  });

  test.each<[unknown, string[]]>([
    [undefined, ['body']],
    [[], ['body']],
    [{}, ['rollback']],
    [{ rollback: {} }, ['name']],
    [{ name: 'web', rollback: 'web-1' }, ['rollback']],
    [{ name: 'web', rollback: { by: 'eve' } }, ['rollback.by']],
    [{ name: 'web', namespace: 'bank', rollback: {} }, ['namespace']],
    [{ name: 'web', kind: 'Deployment', rollback: {} }, ['kind']],
    [{ name: 'web', rollback: {}, spec: {} }, ['spec']],
    [
      { name: 'web', rollback: { release: 'db-1', strategy: 1 } },
      ['rollback.strategy', 'rollback.release'],
    ],
    [{ name: 'web', rollback: { config: false, application: false } }, ['rollback.application']],
  ])('%j is refused for %j', (body, fields) => {
    expect(fieldsOf(body)).toEqual(fields);
  });

  test('a name that would lead elsewhere is none', () => {
    expect(() => read({ name: '../x', rollback: {} })).toThrow('name: must be');
  });
});

describe("OpenShift's form", () => {
  const nothing = {
    labels: false,
    triggers: false,
    strategy: false,
    replicas: false,
    selector: false,
    template: false,
  };

  test('says what goes back, by its number', () => {
    const spec = { revision: 3, includeTemplate: true };
    expect(read({ kind: 'DeploymentConfigRollback', name: 'web', spec })).toEqual({
      kind: 'generate',
      name: 'web',
      release: 3,
      releaseField: 'spec.revision',
      parts: { ...nothing, template: true },
      annotations: {},
    });
  });

  test('names the ReplicationController, and annotations to add', () => {
    const body = {
      name: 'web',
      updatedAnnotations: { why: 'oops' },
      spec: {
        from: { kind: 'ReplicationController', name: 'web-2' },
        revision: 0,
        includeReplicationMeta: true,
        includeStrategy: true,
        includeTriggers: true,
        includeTemplate: false,
      },
    };
    expect(read(body)).toMatchObject({
      release: 2,
      releaseField: 'spec.from.name',
      parts: { ...nothing, replicas: true, selector: true, strategy: true, triggers: true },
      annotations: { why: 'oops' },
    });
  });

  test('has the usual release where it names none', () => {
    const spec = { from: { name: '' }, revision: 0, includeTemplate: true };
    const body = read({ name: 'web', spec });
    expect(body).not.toHaveProperty('release');
    expect(body).toHaveProperty('releaseField', 'spec.revision');
  });

  test.each<[object, string[]]>([
    [{ spec: { includeTemplate: true } }, ['name']],
    [{ name: 'web', spec: {} }, ['spec']],
    [{ name: 'web', spec: { includeTemplate: 'yes' } }, ['spec.includeTemplate']],
    [{ name: 'web', spec: { revision: -1, includeTemplate: true } }, ['spec.revision']],
    [{ name: 'web', spec: { from: { name: 'db-1' }, includeTemplate: true } }, ['spec.from.name']],
    [{ name: 'web', spec: { includeAll: true } }, ['spec.includeAll']],
  ])('%j is refused for %j', (body, fields) => {
    expect(fieldsOf(body)).toEqual(fields);
  });
});

describe('sent to where the config is saved', () => {
  const readSent = (body: unknown) => readSentRollback(body, { namespace: 'shop', name: 'web' });

  test.each<[object]>([
    [{ id: 'web', kind: 'DeploymentConfig', rollback: { release: 'web-1' } }],
    [{ metadata: { name: 'web', namespace: 'shop' }, rollback: { release: 1 } }],
    [{ rollback: { release: '1' } }],
  ])('%j is a rollback', (body) => {
    expect(readSent(body)).toEqual({ ...all, release: 1 });
  });

  test.each<[unknown]>([
    [undefined],
    [[]],
    [{}],
    [{ metadata: { name: 'web' }, rollback: null }],
    [{ metadata: { name: 'web' }, spec: {}, rollback: {} }],
  ])('%j is none, and is judged as a config', (body) => {
    expect(readSent(body)).toBeUndefined();
  });

  test.each<[object, string[]]>([
    [{ id: 'db', rollback: {} }, ['id']],
    [{ name: 'db', rollback: {} }, ['name']],
    [{ metadata: { name: 'db' }, rollback: {} }, ['metadata.name']],
    [{ namespace: 'bank', rollback: {} }, ['namespace']],
    [{ rollback: { by: 'eve' } }, ['rollback.by']],
    [{ rollback: { release: 'db-1' } }, ['rollback.release']],
    [{ rollback: 'web-1' }, ['rollback']],
    [{ rollback: {}, status: {} }, ['status']],
  ])('%j is refused for %j', (body, fields) => {
    expect(fieldsOf(body, readSent)).toEqual(fields);
  });
});
