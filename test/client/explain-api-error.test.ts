import { describe, expect, test } from '@jest/globals';

import { explainApiError } from '../../src/client/explain-api-error.js';
import { ApiError } from '../../src/kubernetes/api-error.js';

/** The answers are a real apiserver's, of version 1.36. */
const invalid = (field: string, message: string): ApiError =>
  new ApiError(422, 'Invalid', `Deployment.apps "web" is invalid: ${field}: ${message}`, [
    { field, message },
  ]);
const untyped = (detail: string): ApiError =>
  new ApiError(
    500,
    'Unknown',
    `failed to create typed patch object (shop/web; apps/v1, Kind=Deployment): ${detail}`,
  );

describe('what admission says', () => {
  test.each([
    [
      'spec.replicas',
      'Invalid value: -1: must be greater than or equal to 0',
      'must be greater than or equal to 0',
    ],
    [
      'spec.replicas',
      'Invalid value: -1: spec.replicas in body should be greater than or equal to 0',
      'must be greater than or equal to 0',
    ],
    [
      'spec.template.metadata.labels',
      'Invalid value: {"a":"b: c"}: `selector` does not match template `labels`',
      '`selector` does not match template `labels`',
    ],
    [
      'spec.template.metadata.labels',
      'Invalid value: null: `selector` does not match template `labels`',
      '`selector` does not match template `labels`',
    ],
    [
      'spec.selector',
      'Invalid value: selector must match the labels of the template',
      'selector must match the labels of the template',
    ],
    [
      'metadata.name',
      'Invalid value: "Web_1: x": a lowercase name, please',
      'a lowercase name, please',
    ],
    ['spec.selector', 'Required value', 'is required'],
    ['spec.containers[0].image', 'Required value: say which', 'say which'],
    [
      'spec.strategy.type',
      'Unsupported value: "Rolling": supported values: "Recreate", "RollingUpdate"',
      '"Rolling" should be one of "Recreate", "RollingUpdate"',
    ],
    ['spec.ports[1].name', 'Duplicate value: "http"', '"http" is there twice'],
    ['spec.x', 'Forbidden: may not change', 'may not change'],
  ])('%s: %s', (field, message, problem) => {
    expect(explainApiError(invalid(field, message))).toEqual([{ field, problem }]);
  });

  test('every cause is told, but not the one that is about the others', () => {
    const error = new ApiError(422, 'Invalid', 'two mistakes', [
      { field: 'spec.selector', message: 'Required value' },
      { field: 'spec.template', message: 'Required value' },
      { field: '<nil>', message: 'Invalid value: null: some validation rules were not checked' },
    ]);
    expect(explainApiError(error).map(({ field }) => field)).toEqual([
      'spec.selector',
      'spec.template',
    ]);
  });
});

test('a field that several rules complain of is named once', () => {
  const error = new ApiError(422, 'Invalid', 'thrice the same', [
    { field: 'spec.replicas', message: 'Invalid value: -1: should be greater than or equal to 0' },
    { field: '.spec.replicas', message: 'Invalid value: -1: must be a non-negative integer' },
  ]);
  expect(explainApiError(error)).toEqual([
    { field: 'spec.replicas', problem: 'must be greater than or equal to 0' },
  ]);
});

describe('what server-side apply says', () => {
  test.each([
    [
      '.spec.replcas: field not declared in schema',
      { field: 'spec.replcas', problem: 'there is no such field', isUnknownField: true },
    ],
    [
      '.spec.template.spec.containers[name="web"].imge: field not declared in schema',
      {
        field: 'spec.template.spec.containers[name="web"].imge',
        problem: 'there is no such field',
        isUnknownField: true,
      },
    ],
    [
      '.spec.replicas: expected numeric (int or float), got string',
      { field: 'spec.replicas', problem: 'must be a number, not a string' },
    ],
    ['.spec: expected map, got &{x}', { field: 'spec', problem: 'must be a map, not "x"' }],
    [
      '.spec.template.spec.containers: duplicate entries for key [name="c"]',
      {
        field: 'spec.template.spec.containers',
        problem: 'duplicate entries for key [name="c"]',
      },
    ],
  ])('%s', (detail, complaint) => {
    expect(explainApiError(untyped(detail))).toEqual([complaint]);
  });
});

test('strict decoding names every field', () => {
  const error = new ApiError(
    400,
    'BadRequest',
    'strict decoding error: unknown field "spec.replcas", duplicate field "spec.paused"',
  );
  expect(explainApiError(error)).toEqual([
    { field: 'spec.replcas', problem: 'there is no such field', isUnknownField: true },
    { field: 'spec.paused', problem: 'is there twice' },
  ]);
});

describe('anything else is the server’s own sentence', () => {
  test.each([
    [401, 'Unauthorized', "the cluster doesn't accept these credentials"],
    [403, 'User "x" cannot patch', 'you may not do that: User "x" cannot patch'],
    [500, 'etcd is on\nholiday', 'etcd is on holiday'],
  ])('%i', (code, message, problem) => {
    expect(explainApiError(new ApiError(code, 'Unknown', message))).toEqual([{ problem }]);
  });
});
