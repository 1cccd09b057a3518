import { expect, test } from '@jest/globals';

import { suggestFrom, type ApiDescription } from '../../src/client/suggest-field.js';
import { resources } from '../../src/kubernetes/resources.js';

const description: ApiDescription = {
  components: {
    schemas: {
      'io.k8s.api.apps.v1.Deployment': {
        properties: { spec: { allOf: [{ $ref: '#/components/schemas/Spec' }] } },
        'x-kubernetes-group-version-kind': [{ group: 'apps', version: 'v1', kind: 'Deployment' }],
      },
      Spec: {
        properties: {
          replicas: {},
          paused: {},
          containers: { items: { $ref: '#/components/schemas/Container' } },
          labels: { additionalProperties: { properties: { colour: {} } } },
        },
      },
      Container: { properties: { image: {}, name: {} } },
    },
  },
};

test.each([
  ['spec.replcas', 'replicas'],
  ['.spec.replcas', 'replicas'],
  ['spec.containers[name="web"].imge', 'image'],
  ['spec.containers[0].imge', 'image'],
  ['spec.labels.x.color', 'colour'],
  ['spce', 'spec'],
  ['spec.flavour', undefined],
  ['spec.nothing.like.it', undefined],
])('%s -> %s', (field, guess) => {
  expect(suggestFrom(description, resources.builtInDeployments, field)).toBe(guess);
});

test('a kind that the description lacks has no suggestions', () => {
  expect(suggestFrom(description, resources.slipwayDeployments, 'spec.replcas')).toBeUndefined();
  expect(suggestFrom({}, resources.builtInDeployments, 'spec.replcas')).toBeUndefined();
});

test('kinds without a group have suggestions too', () => {
  const pod = {
    properties: { spec: {} },
    'x-kubernetes-group-version-kind': [{ group: '', version: 'v1', kind: 'Pod' }],
  };
  expect(suggestFrom({ components: { schemas: { pod } } }, resources.pods, 'spce')).toBe('spec');
});
