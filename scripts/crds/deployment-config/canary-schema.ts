import { lenientObject } from '../custom-resource-definition.js';
import type { Schema, ValidationRule } from '../schema.js';
import { seconds } from './seconds-schema.js';

const maxSteps = 50;

const metricSchema: Schema = lenientObject(
  {
    required: ['name', 'url', 'query'],
    'x-kubernetes-validations': [
      {
        rule: 'has(self.min) || has(self.max)',
        message: 'must be given, or max, or both: nothing could ever be out of bounds',
        fieldPath: '.min',
        reason: 'FieldValueRequired',
      },
      {
        rule: '!has(self.min) || !has(self.max) || self.min <= self.max',
        message: 'must not be less than min',
        fieldPath: '.max',
      },
    ],
  },
  {
    name: {
      description: 'What it is called in messages.',
      type: 'string',
      minLength: 1,
      maxLength: 63,
    },
    url: {
      description: 'Where Prometheus answers, for example http://prometheus.monitoring:9090.',
      type: 'string',
      maxLength: 2000,
      pattern: '^https?://[^/\\s]+[^\\s]*$',
    },
    query: {
      description: 'The query; it must answer with one number.',
      type: 'string',
      minLength: 1,
      maxLength: 10_000,
    },
    min: { description: 'The least that is good.', type: 'number' },
    max: { description: 'The most that is good.', type: 'number' },
    intervalSeconds: {
      description: 'How long to wait before it is asked for again.',
      ...seconds,
      default: 10,
    },
    count: {
      description: 'How many answers in a row must be good.',
      type: 'integer',
      format: 'int32',
      minimum: 1,
      default: 1,
    },
  },
);

const stepSchema: Schema = lenientObject(
  {
    'x-kubernetes-validations': [
      {
        rule: 'has(self.percent) != has(self.count)',
        message: 'must be given, or count in its place, and not both',
        fieldPath: '.percent',
      },
      {
        rule: '!has(self.pause) || !self.?approve.orValue(false)',
        message: 'must be left out with pause: a step waits for one of them only',
        fieldPath: '.approve',
      },
    ],
  },
  {
    percent: {
      description: 'How much of the pods are new, rounded up.',
      type: 'integer',
      format: 'int32',
      minimum: 1,
      maximum: 100,
    },
    count: {
      description: 'How many pods are new.',
      type: 'integer',
      format: 'int32',
      minimum: 1,
    },
    pause: {
      description: 'Wait this long once the new pods are available.',
      type: 'object',
      required: ['seconds'],
      properties: { seconds },
    },
    approve: {
      description: 'Wait until somebody approves; then neither pause nor time decides.',
      type: 'boolean',
    },
    metrics: {
      description: 'What must be good before the step counts as passed.',
      type: 'array',
      maxItems: 20,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: metricSchema,
    },
  },
);

const neverFall = (unit: string): ValidationRule => ({
  rule: `!has(self.steps) || self.steps.map(step, has(step.${unit}), step.${unit}).isSorted()`,
  message: `must not fall: the ${unit} of a step may not be less than that of one before it`,
  fieldPath: '.steps',
});

/** The input of the Canary strategy. */
export const canaryParamsSchema: Schema = lenientObject(
  {
    description: 'How the Canary strategy goes from a few new pods to all of them.',
    'x-kubernetes-validations': [
      {
        rule: 'has(self.ab) || (has(self.steps) && size(self.steps) > 0)',
        message: 'must have a step, unless spec.strategy.canaryParams.ab is given',
        fieldPath: '.steps',
        reason: 'FieldValueRequired',
      },
      neverFall('percent'),
      neverFall('count'),
    ],
  },
  {
    steps: {
      description: 'One after another; after the last one, all pods are replaced.',
      type: 'array',
      maxItems: maxSteps,
      'x-kubernetes-list-type': 'atomic',
      items: stepSchema,
    },
    ab: {
      description: 'Keeps both versions running side by side, instead of replacing all pods.',
      type: 'object',
      required: ['share'],
      properties: {
        share: {
          description: 'How much of the pods are new, in percent.',
          type: 'integer',
          format: 'int32',
          minimum: 1,
          maximum: 99,
        },
      },
    },
    timeoutSeconds: {
      description: 'How long to wait for progress before the deployment fails.',
      ...seconds,
      default: 600,
    },
  },
);
