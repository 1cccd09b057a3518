import { lenientObject } from '../custom-resource-definition.js';
import { labelsSchema, podOptions } from '../pod-template-schema.js';
import type { OpenApiDocument, Schema } from '../schema.js';
import { toStructuralSchema } from '../structural-schema.js';

export const deadlineSeconds: Schema = { type: 'integer', format: 'int64', minimum: 0 };

/** Hooks for any strategy, each of the given form. */
export function buildLifecycleSchema(
  hook: Schema,
  more: Readonly<Record<string, Schema>> = {},
): Schema {
  const withoutAbort = (why: string): Schema => ({
    ...hook,
    'x-kubernetes-validations': [
      ...(hook['x-kubernetes-validations'] ?? []),
      {
        rule: "self.failurePolicy != 'Abort'",
        message: `must not be Abort: ${why}`,
        fieldPath: '.failurePolicy',
      },
    ],
  });
  return lenientObject(
    { description: 'Hooks for any strategy.' },
    {
      pre: { description: 'Runs before the strategy does anything.', ...hook },
      ...more,
      post: {
        description: 'Runs after the strategy has done everything.',
        ...withoutAbort('the new pods are in place already'),
      },
      abort: {
        description: 'Runs when a deployment failed or was cancelled.',
        ...withoutAbort('the deployment has failed already'),
      },
    },
  );
}

/** What a strategy says of the pods that run once for it. */
export function buildRunOnceProperties(
  document: OpenApiDocument,
  whose: string,
): Readonly<Record<'resources' | 'labels' | 'annotations', Schema>> {
  const resources = toStructuralSchema(
    document,
    'io.k8s.api.core.v1.ResourceRequirements',
    podOptions,
  );
  return {
    resources: { description: `What the pods of ${whose} may use.`, ...resources },
    labels: { description: `Labels for the pods of ${whose}.`, ...labelsSchema },
    annotations: {
      description: `Annotations for the pods of ${whose}.`,
      type: 'object',
      additionalProperties: { type: 'string' },
    },
  };
}
