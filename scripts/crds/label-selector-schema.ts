import { labelsSchema } from './pod-template-schema.js';
import type { Schema, ValidationRule } from './schema.js';

const labels = 'self.template.metadata.labels';

/** A label selector; rules of a built-in one that need two fields at once are in CEL. */
export const labelSelectorSchema: Schema = {
  type: 'object',
  properties: {
    matchLabels: {
      description: 'Labels that a pod must have, each with this value.',
      ...labelsSchema,
    },
    matchExpressions: {
      description: 'Conditions on labels, all of which must hold.',
      type: 'array',
      maxItems: 50,
      'x-kubernetes-list-type': 'atomic',
      items: {
        type: 'object',
        required: ['key', 'operator'],
        properties: {
          key: { type: 'string', minLength: 1, maxLength: 317 },
          operator: { type: 'string', enum: ['In', 'NotIn', 'Exists', 'DoesNotExist'] },
          values: {
            type: 'array',
            maxItems: 100,
            items: { type: 'string', maxLength: 63 },
            'x-kubernetes-list-type': 'atomic',
          },
        },
        'x-kubernetes-validations': [
          {
            rule: "(self.operator in ['In', 'NotIn']) == (has(self.values) && size(self.values) > 0)",
            message: 'must be given with In and NotIn, and left out with Exists and DoesNotExist',
            fieldPath: '.values',
          },
        ],
      },
    },
  },
  'x-kubernetes-map-type': 'atomic',
  'x-kubernetes-validations': [
    {
      rule: '(has(self.matchLabels) && size(self.matchLabels) > 0) || (has(self.matchExpressions) && size(self.matchExpressions) > 0)',
      message: "must name a label, or be left out to mean the template's labels",
    },
  ],
};

/** For a spec with a `selector` that may be left out and a pod `template`. */
export const selectorMatchesTemplate: ValidationRule = {
  rule: [
    '!has(self.selector) || (',
    '(!has(self.selector.matchLabels) || self.selector.matchLabels.all(key,',
    `key in ${labels} && ${labels}[key] == self.selector.matchLabels[key])) &&`,
    '(!has(self.selector.matchExpressions) || self.selector.matchExpressions.all(each,',
    "each.operator in ['Exists', 'DoesNotExist']",
    `? (each.key in ${labels}) == (each.operator == 'Exists')`,
    ": (each.operator == 'In') ==",
    `(each.key in ${labels} && has(each.values) && ${labels}[each.key] in each.values))))`,
  ].join(' '),
  message: 'must match spec.selector, which would not find the pods of this template',
  fieldPath: '.template.metadata.labels',
};

/**
 * A selector that is left out is the template's labels. It is what selects that may not change, so it
 * may be written out, and then the template's labels are free to grow.
 */
export const selectorIsImmutable: ValidationRule = {
  rule: [
    'has(self.selector) && has(oldSelf.selector) ? self.selector == oldSelf.selector',
    `: has(self.selector) ? ${isExactly('self.selector', 'oldSelf.template.metadata.labels')}`,
    `: has(oldSelf.selector) ? ${isExactly('oldSelf.selector', labels)}`,
    `: ${labels} == oldSelf.template.metadata.labels`,
  ].join(' '),
  message:
    "can't be changed; left out, it means the template's labels, so write it out before you change those",
  fieldPath: '.selector',
};

function isExactly(selector: string, wanted: string): string {
  return `(!has(${selector}.matchExpressions) && has(${selector}.matchLabels) && ${selector}.matchLabels == ${wanted})`;
}
