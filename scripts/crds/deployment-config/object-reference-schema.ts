import { lenientObject } from '../custom-resource-definition.js';
import type { Schema } from '../schema.js';

/** A reference to another object, with the fields that Kubernetes gives it. */
export const objectReferenceSchema: Schema = lenientObject(
  {},
  {
    apiVersion: { type: 'string' },
    fieldPath: { type: 'string' },
    kind: { type: 'string' },
    name: { type: 'string' },
    namespace: { type: 'string' },
    resourceVersion: { type: 'string' },
    uid: { type: 'string' },
  },
);

/** The name of an ImageStreamTag. Example: web:latest */
export const imageStreamTagNameSchema: Schema = {
  type: 'string',
  maxLength: 400,
  'x-kubernetes-validations': [
    {
      rule: "self.matches('^[a-z0-9]([-a-z0-9._]*[a-z0-9])?:[A-Za-z0-9_][-A-Za-z0-9_.]{0,127}$')",
      message: 'must be NAME:TAG, for example web:latest',
    },
  ],
};
