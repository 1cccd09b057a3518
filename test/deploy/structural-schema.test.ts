import { describe, expect, test } from '@jest/globals';

import type { OpenApiDocument, PublishedSchema } from '../../scripts/crds/schema.js';
import { toStructuralSchema } from '../../scripts/crds/structural-schema.js';

const documentOf = (schemas: Record<string, PublishedSchema>): OpenApiDocument => ({
  components: { schemas },
});
const ref = (name: string): PublishedSchema => ({ $ref: `#/components/schemas/${name}` });
const none = { replace: {}, omit: {} };

describe('toStructuralSchema', () => {
  test('puts in what is referred to and drops descriptions and meaningless defaults', () => {
    const document = documentOf({
      Pod: {
        type: 'object',
        description: 'long',
        properties: { spec: { allOf: [ref('Spec')], default: {}, description: 'long' } },
      },
      Spec: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', default: '' },
          count: { type: 'integer', format: 'int32' },
        },
      },
    });
    expect(toStructuralSchema(document, 'Pod', none)).toEqual({
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          required: ['name'],
          properties: {
            name: { type: 'string' },
            count: { type: 'integer', format: 'int32', nullable: true },
          },
          nullable: true,
        },
      },
    });
  });

  test('keeps the default of a key by which a list is merged, unless the key is required', () => {
    const document = documentOf({
      Pod: {
        type: 'object',
        properties: {
          ports: {
            type: 'array',
            items: ref('Port'),
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['port', 'protocol'],
          },
        },
      },
      Port: {
        type: 'object',
        required: ['port'],
        properties: {
          port: { type: 'integer', default: 0 },
          protocol: { type: 'string', default: 'TCP' },
        },
      },
    });
    expect(toStructuralSchema(document, 'Pod', none).properties?.['ports']).toEqual({
      type: 'array',
      nullable: true,
      items: {
        type: 'object',
        required: ['port'],
        properties: { port: { type: 'integer' }, protocol: { type: 'string', default: 'TCP' } },
      },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
    });
  });

  test('refuses a key that may be missing and has no default', () => {
    const document = documentOf({
      Pod: {
        type: 'array',
        items: { type: 'object', properties: { name: { type: 'string' } } },
        'x-kubernetes-list-map-keys': ['name'],
      },
    });
    expect(() => toStructuralSchema(document, 'Pod', none)).toThrow('Pod: name needs a default');
  });

  test('lets null stand for a field, and an empty string for a choice, that is not required', () => {
    const choice: PublishedSchema = { type: 'string', enum: ['A', 'B'] };
    const document = documentOf({
      Pod: { type: 'object', required: ['must'], properties: { must: choice, may: choice } },
    });
    const { properties } = toStructuralSchema(document, 'Pod', none);
    expect(properties?.['must']?.enum).toEqual(['A', 'B']);
    expect(properties?.['may']?.enum).toEqual(['A', 'B', '', null]);
    expect([properties?.['must']?.nullable, properties?.['may']?.nullable]).toEqual([
      undefined,
      true,
    ]);
  });

  test('replaces schemas and leaves properties out as told', () => {
    const document = documentOf({
      Pod: { type: 'object', properties: { cpu: ref('Quantity'), debug: { type: 'string' } } },
    });
    const replace = { Quantity: { 'x-kubernetes-int-or-string': true } } as const;
    expect(toStructuralSchema(document, 'Pod', { replace, omit: { Pod: ['debug'] } })).toEqual({
      type: 'object',
      properties: { cpu: { 'x-kubernetes-int-or-string': true, nullable: true } },
    });
  });

  test('refuses a schema that contains itself, which a CRD can not say', () => {
    const document = documentOf({ Tree: { type: 'object', properties: { child: ref('Tree') } } });
    expect(() => toStructuralSchema(document, 'Tree', none)).toThrow('Tree contains itself');
  });

  test('names a schema that the apiserver does not have', () => {
    expect(() => toStructuralSchema(documentOf({}), 'Pod', none)).toThrow('no schema Pod');
  });
});
