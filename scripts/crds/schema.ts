/** The part of JSON Schema that a CustomResourceDefinition may use. */
export interface Schema {
  description?: string;
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  format?: string;
  default?: unknown;
  nullable?: boolean;
  enum?: unknown[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  maxProperties?: number;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema;
  items?: Schema;
  not?: Schema;
  'x-kubernetes-int-or-string'?: true;
  'x-kubernetes-preserve-unknown-fields'?: true;
  'x-kubernetes-list-type'?: 'atomic' | 'map' | 'set';
  'x-kubernetes-list-map-keys'?: string[];
  'x-kubernetes-map-type'?: 'atomic' | 'granular';
  'x-kubernetes-validations'?: ValidationRule[];
}

/** A condition in CEL; `message` and `fieldPath` are what the user sees when it does not hold. */
export interface ValidationRule {
  rule: string;
  message: string;
  fieldPath?: string;
  reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired';
}

/** A schema as an apiserver publishes it, where `$ref` names another one. */
export interface PublishedSchema extends Omit<
  Schema,
  'properties' | 'additionalProperties' | 'items'
> {
  $ref?: string;
  allOf?: PublishedSchema[];
  properties?: Record<string, PublishedSchema>;
  additionalProperties?: PublishedSchema;
  items?: PublishedSchema;
}

/** What `GET /openapi/v3/apis/apps/v1` answers. */
export interface OpenApiDocument {
  readonly components: { readonly schemas: Readonly<Record<string, PublishedSchema>> };
}
