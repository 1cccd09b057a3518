import type { Schema } from './schema.js';
import { allowAbsence } from './structural-schema.js';

export interface KindDefinition {
  readonly group: string;
  readonly version: string;
  readonly names: {
    readonly kind: string;
    readonly plural: string;
    readonly shortNames: readonly string[];
    readonly categories: readonly string[];
  };
  readonly columns: readonly object[];
  readonly subresources: object;
  readonly schema: Schema;
}

/** A CustomResourceDefinition of a namespaced kind with one version. */
export function buildCrd({
  group,
  version,
  names: { kind, plural, shortNames, categories },
  columns,
  subresources,
  schema,
}: KindDefinition): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular: kind.toLowerCase(),
        shortNames,
        categories,
      },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          additionalPrinterColumns: columns,
          subresources,
          schema: { openAPIV3Schema: schema },
        },
      ],
    },
  };
}

/** A status, and a scale with which autoscalers and `kubectl scale` change spec.replicas. */
export const statusAndScale = {
  status: {},
  scale: {
    specReplicasPath: '.spec.replicas',
    statusReplicasPath: '.status.replicas',
    labelSelectorPath: '.status.selector',
  },
};

/** The whole of an object, with what every object has, and what only this kind has beside that. */
export function buildObjectSchema(
  description: string,
  spec: Schema,
  status: Schema,
  own: Pick<Schema, 'properties' | 'x-kubernetes-validations'> = {},
): Schema {
  const { properties, ...rules } = own;
  return {
    description,
    type: 'object',
    required: ['spec'],
    ...rules,
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec,
      ...properties,
      status,
    },
  };
}

/**
 * An object of which each field may be left out, null or empty where it is not required and has no
 * default: manifests that were printed by a tool have many such fields.
 */
export function lenientObject(
  schema: Omit<Schema, 'type' | 'properties'>,
  properties: Readonly<Record<string, Schema>>,
): Schema {
  const isOptional = (key: string, { default: value }: Schema): boolean =>
    value === undefined && schema.required?.includes(key) !== true;
  return {
    ...schema,
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties).map(([key, property]) => [
        key,
        isOptional(key, property) ? allowAbsence(property) : property,
      ]),
    ),
  };
}

export const column = (
  name: string,
  type: string,
  jsonPath: string,
  description: string,
): object => ({ name, type, jsonPath, description });

/** One that is shown with `-o wide`. */
export const wideColumn = (...args: Parameters<typeof column>): object => ({
  ...column(...args),
  priority: 1,
});
