import type { OpenApiDocument, PublishedSchema, Schema } from './schema.js';

const refPrefix = '#/components/schemas/';

export interface StructuralOptions {
  /** Schemas, by their published name, that are written by hand. */
  readonly replace: Readonly<Record<string, Schema>>;
  /** Properties, by the published name of their schema, that are left out. */
  readonly omit: Readonly<Record<string, readonly string[]>>;
}

/**
 * A published schema in the form a CustomResourceDefinition needs: nothing is referred to, each node
 * has a type, and descriptions, which would make up most of its size, are gone.
 */
export function toStructuralSchema(
  document: OpenApiDocument,
  name: string,
  options: StructuralOptions,
): Schema {
  return new Converter(document, options).named(name, []);
}

class Converter {
  constructor(
    private readonly document: OpenApiDocument,
    private readonly options: StructuralOptions,
  ) {}

  named(name: string, path: readonly string[]): Schema {
    const replacement = this.options.replace[name];
    if (replacement !== undefined) return structuredClone(replacement);
    if (path.includes(name)) throw new Error(`${name} contains itself, by ${path.join(' > ')}`);
    const published = this.document.components.schemas[name];
    if (published === undefined) throw new Error(`the apiserver publishes no schema ${name}`);
    return this.convert(published, [...path, name], this.options.omit[name] ?? []);
  }

  private convert(
    published: PublishedSchema,
    path: readonly string[],
    omitted: readonly string[] = [],
  ): Schema {
    const ref = referredName(published);
    if (ref !== undefined) return this.named(ref, path);
    const { type, format } = published;
    if (type === undefined) throw new Error(`${path.join(' > ')} has no type`);
    return {
      type,
      ...(format === undefined ? {} : { format }),
      ...(published.enum === undefined ? {} : { enum: published.enum }),
      ...this.objectParts(published, path, omitted),
      ...this.arrayParts(published, path),
    };
  }

  private objectParts(
    { properties, additionalProperties, required, ...rest }: PublishedSchema,
    path: readonly string[],
    omitted: readonly string[],
  ): Partial<Schema> {
    const mapType = rest['x-kubernetes-map-type'];
    return {
      ...(required === undefined ? {} : { required }),
      ...(mapType === undefined ? {} : { 'x-kubernetes-map-type': mapType }),
      ...(additionalProperties === undefined
        ? {}
        : { additionalProperties: this.convert(additionalProperties, path) }),
      ...(properties === undefined
        ? {}
        : { properties: this.properties(properties, required ?? [], path, omitted) }),
    };
  }

  private properties(
    published: Record<string, PublishedSchema>,
    required: readonly string[],
    path: readonly string[],
    omitted: readonly string[],
  ): Record<string, Schema> {
    const kept = Object.entries(published).filter(([key]) => !omitted.includes(key));
    return Object.fromEntries(
      kept.map(([key, property]) => {
        const schema = this.convert(property, path);
        return [key, required.includes(key) ? schema : allowAbsence(schema)];
      }),
    );
  }

  private arrayParts(published: PublishedSchema, path: readonly string[]): Partial<Schema> {
    if (published.items === undefined) return {};
    const items = this.convert(published.items, path);
    const listType = published['x-kubernetes-list-type'];
    const keys = published['x-kubernetes-list-map-keys'];
    if (keys !== undefined) this.ensureKeys(items, published.items, keys, path);
    return {
      items,
      ...(listType === undefined ? {} : { 'x-kubernetes-list-type': listType }),
      ...(keys === undefined ? {} : { 'x-kubernetes-list-map-keys': keys }),
    };
  }

  /** A list is merged by keys that each item has: one that may be left out needs its default. */
  private ensureKeys(
    items: Schema,
    publishedItems: PublishedSchema,
    keys: readonly string[],
    path: readonly string[],
  ): void {
    const ref = referredName(publishedItems);
    const published = ref === undefined ? publishedItems : this.document.components.schemas[ref];
    for (const key of keys) {
      const property = items.properties?.[key];
      if (property === undefined) throw new Error(`${path.join(' > ')} has no key ${key}`);
      delete property.nullable;
      if (items.required?.includes(key) === true) continue;
      const value = published?.properties?.[key]?.default;
      if (value === undefined) throw new Error(`${path.join(' > ')}: ${key} needs a default`);
      property.default = value;
    }
  }
}

function referredName({ $ref, allOf }: PublishedSchema): string | undefined {
  const ref = $ref ?? (allOf?.length === 1 ? allOf[0]?.$ref : undefined);
  return ref?.slice(refPrefix.length);
}

/**
 * Kubernetes reads null as a field that is not there, and an empty string as a choice that was not
 * made. Templates print many of both, and server-side apply hands them on as they are.
 */
export function allowAbsence(schema: Schema): Schema {
  const choices = schema.enum;
  if (choices === undefined) return { ...schema, nullable: true };
  return { ...schema, nullable: true, enum: [...new Set([...choices, '', null])] };
}
