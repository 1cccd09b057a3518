import type { KubernetesClient } from '../kubernetes/client.js';
import type { ResourceType } from '../kubernetes/resources.js';
import { closest } from './closest.js';
import { groupOf } from './kinds.js';

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly 'x-kubernetes-group-version-kind'?: readonly {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  }[];
}

export interface ApiDescription {
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/**
 * Which field was probably meant by one that doesn't exist, by the cluster's own description of the
 * kind. It is a courtesy: when the description can't be had, there is no suggestion.
 */
export async function suggestField(
  client: KubernetesClient,
  type: ResourceType,
  field: string,
): Promise<string | undefined> {
  try {
    const path = `/openapi/v3/${groupOf(type) === '' ? 'api' : 'apis'}/${type.apiVersion}`;
    const description = await client.transport.json<ApiDescription>({ method: 'GET', path });
    return suggestFrom(description, type, field);
  } catch {
    return undefined;
  }
}

/** Example: spec.template.spec.containers[name="web"].imge -> image */
export function suggestFrom(
  description: ApiDescription,
  type: ResourceType,
  field: string,
): string | undefined {
  const names = splitField(field);
  const misspelt = names.pop();
  const schemas = description.components?.schemas ?? {};
  let schema = findRoot(Object.values(schemas), type);
  for (const name of names) {
    if (schema === undefined) return undefined;
    schema = descend(schemas, schema, name);
  }
  if (misspelt === undefined || schema === undefined) return undefined;
  return closest(misspelt, Object.keys(schema.properties ?? {}));
}

/** Names only: which entry of a list is meant makes no difference to the schema. */
function splitField(field: string): string[] {
  return field
    .replaceAll(/\[[^\]]*\]/g, '')
    .split('.')
    .filter((name) => name !== '');
}

function findRoot(schemas: readonly Schema[], type: ResourceType): Schema | undefined {
  const version = type.apiVersion.slice(type.apiVersion.indexOf('/') + 1);
  return schemas.find((schema) =>
    schema['x-kubernetes-group-version-kind']?.some(
      (one) => one.group === groupOf(type) && one.version === version && one.kind === type.kind,
    ),
  );
}

function descend(
  schemas: Readonly<Record<string, Schema>>,
  parent: Schema,
  name: string,
): Schema | undefined {
  const additional =
    typeof parent.additionalProperties === 'object' ? parent.additionalProperties : undefined;
  const child = resolve(schemas, parent.properties?.[name] ?? additional);
  return child?.items === undefined ? child : resolve(schemas, child.items);
}

function resolve(
  schemas: Readonly<Record<string, Schema>>,
  schema: Schema | undefined,
): Schema | undefined {
  const ref = schema?.$ref ?? schema?.allOf?.[0]?.$ref;
  return ref === undefined ? schema : schemas[ref.slice(ref.lastIndexOf('/') + 1)];
}
