import type { OpenApiDocument, Schema } from './schema.js';
import { allowAbsence, toStructuralSchema, type StructuralOptions } from './structural-schema.js';

const core = 'io.k8s.api.core.v1';
const machinery = 'io.k8s.apimachinery.pkg';

/** The most labels that rules look at: their cost is reckoned from it before the first object exists. */
const maxLabels = 100;
const labelKey =
  '^([a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$';
const labelValue = '^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$';
const quantity =
  '^[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?([0-9]+([.][0-9]*)?|[.][0-9]+))?$';

export const labelsSchema: Schema = {
  type: 'object',
  additionalProperties: {
    type: 'string',
    maxLength: 63,
    'x-kubernetes-validations': [
      {
        rule: `self.matches('${labelValue}')`,
        message:
          'must be letters, digits, "-", "_" or ".", with a letter or digit at both ends, or empty',
      },
    ],
  },
  maxProperties: maxLabels,
  'x-kubernetes-validations': [
    {
      rule: `self.all(key, key.matches('${labelKey}'))`,
      message:
        'each key must be a label name of up to 63 letters, digits, "-", "_" or ".", with a DNS name and "/" before it if need be',
    },
  ],
};

/**
 * What pods take from a template's metadata, and what tools print there without meaning:
 * `creationTimestamp: null` stands in most manifests that kubectl has written.
 */
const templateMetadata: Schema = {
  type: 'object',
  properties: {
    annotations: allowAbsence({ type: 'object', additionalProperties: { type: 'string' } }),
    creationTimestamp: allowAbsence({ type: 'string', format: 'date-time' }),
    finalizers: allowAbsence({
      type: 'array',
      items: { type: 'string' },
      'x-kubernetes-list-type': 'set',
    }),
    generateName: allowAbsence({ type: 'string' }),
    labels: allowAbsence({ type: 'object', additionalProperties: { type: 'string' } }),
    name: allowAbsence({ type: 'string' }),
    namespace: allowAbsence({ type: 'string' }),
  },
};

/**
 * Kubernetes takes `cpu: 0.5` as well as `cpu: 500m`, and a schema has no type for both: any value is
 * let in here and what is neither of the two is taken out again.
 */
const quantitySchema: Schema = {
  'x-kubernetes-preserve-unknown-fields': true,
  pattern: quantity,
  maxProperties: 0,
  maxItems: 0,
  not: { enum: [true, false, {}, []] },
};

/** How the published schemas of a pod become structural; kinds with a pod template share it. */
export const podOptions: StructuralOptions = {
  replace: {
    [`${machinery}.apis.meta.v1.ObjectMeta`]: templateMetadata,
    [`${machinery}.api.resource.Quantity`]: quantitySchema,
    [`${machinery}.util.intstr.IntOrString`]: { 'x-kubernetes-int-or-string': true },
  },
  // Ephemeral containers are added to a running pod; the built-in API refuses them in a template too.
  omit: { [`${core}.PodSpec`]: ['ephemeralContainers'] },
};

/** The template of a workload that keeps its pods running. */
export function buildPodTemplateSchema(document: OpenApiDocument): Schema {
  const template = toStructuralSchema(document, `${core}.PodTemplateSpec`, podOptions);
  const { metadata, spec } = template.properties ?? {};
  if (metadata?.properties?.['labels'] === undefined || spec?.properties === undefined) {
    throw new Error('a pod template must have metadata.labels and spec');
  }
  metadata.required = ['labels'];
  metadata.properties['labels'] = { ...labelsSchema, minProperties: 1 };
  spec.properties['restartPolicy'] = { type: 'string', enum: ['Always'] };
  spec.properties['containers'] = { ...spec.properties['containers'], minItems: 1 };
  return { ...template, required: ['metadata', 'spec'] };
}
