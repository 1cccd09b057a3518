import { describe, expect, test } from '@jest/globals';

import { buildCrd, lenientObject } from '../../scripts/crds/custom-resource-definition.js';

describe('buildCrd', () => {
  test('derives every name of the kind from two', () => {
    const crd = buildCrd({
      group: 'slipway.dev',
      version: 'v1',
      names: { kind: 'TeaPot', plural: 'teapots', shortNames: ['tp'], categories: [] },
      columns: [],
      subresources: {},
      schema: { type: 'object' },
    });
    expect(crd).toMatchObject({
      metadata: { name: 'teapots.slipway.dev' },
      spec: { names: { kind: 'TeaPot', listKind: 'TeaPotList', singular: 'teapot' } },
    });
  });
});

describe('lenientObject', () => {
  const schema = lenientObject(
    { required: ['must'] },
    {
      must: { type: 'string', enum: ['A'] },
      may: { type: 'string', enum: ['A'] },
      preset: { type: 'integer', default: 1 },
    },
  );

  test('takes null and an empty choice for what may be left out', () => {
    expect(schema.properties?.['may']).toEqual({
      type: 'string',
      enum: ['A', '', null],
      nullable: true,
    });
  });

  test('does not take them for what is required', () => {
    expect(schema.properties?.['must']).toEqual({ type: 'string', enum: ['A'] });
  });

  test('leaves a field with a default alone, since null would be kept in its place', () => {
    expect(schema.properties?.['preset']).toEqual({ type: 'integer', default: 1 });
  });
});
