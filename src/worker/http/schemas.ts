import type { JsonSchema } from './route.js';

const text: JsonSchema = { type: 'string' };
const flag: JsonSchema = { type: 'boolean' };
const count: JsonSchema = { type: 'integer', minimum: 0 };

/** What bodies and answers are made of, for /openapi.json. */
export const schemas = {
  Status: {
    type: 'object',
    description: 'What went wrong, in the form in which Kubernetes says it.',
    required: ['kind', 'apiVersion', 'status', 'code', 'reason', 'message'],
    properties: {
      kind: { const: 'Status' },
      apiVersion: { const: 'v1' },
      metadata: { type: 'object' },
      status: { const: 'Failure' },
      code: { type: 'integer', description: 'The status code of the answer.' },
      reason: { ...text, description: 'One word for machines.' },
      message: { ...text, description: 'A sentence for people.' },
      details: {
        type: 'object',
        properties: {
          causes: {
            type: 'array',
            description: 'The fields that are wrong.',
            items: { type: 'object', properties: { field: text, message: text, reason: text } },
          },
          retryAfterSeconds: count,
        },
      },
    },
  },
  DeploymentConfig: {
    type: 'object',
    description:
      'A DeploymentConfig as the cluster stores it, without metadata.managedFields. The full schema is that of the CustomResourceDefinition deploymentconfigs.apps.openshift.io.',
    required: ['metadata', 'spec'],
    properties: {
      apiVersion: { const: 'apps.openshift.io/v1' },
      kind: { const: 'DeploymentConfig' },
      metadata: {
        type: 'object',
        required: ['name'],
        properties: { name: text, namespace: text, resourceVersion: text },
      },
      spec: { type: 'object' },
      status: {
        type: 'object',
        properties: {
          latestVersion: count,
          details: {
            type: 'object',
            description: 'Why the latest version was made.',
            properties: {
              message: text,
              causes: {
                type: 'array',
                items: {
                  type: 'object',
                  required: ['type'],
                  properties: {
                    type: { enum: ['Manual', 'ConfigChange', 'ImageChange', 'Rollback'] },
                    by: { ...text, description: 'Who asked, where somebody did.' },
                    imageTrigger: { type: 'object' },
                    rollback: { type: 'object', description: 'What went back, and why.' },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
  Rollback: {
    type: 'object',
    description:
      'A wish to go back: by `rollback`, which is carried out; or by the `spec` of a DeploymentConfigRollback of OpenShift, which is answered with the config as it would be.',
    properties: {
      apiVersion: text,
      kind: { enum: ['DeploymentConfig', 'DeploymentConfigRollback'] },
      id: { ...text, description: 'The name of the DeploymentConfig.' },
      name: { ...text, description: 'The same.' },
      rollback: {
        type: 'object',
        properties: {
          release: {
            type: ['string', 'integer'],
            description:
              'The version to go back to, such as web-1 or 1; by default the last complete one before the current.',
          },
          config: { ...flag, description: 'Labels, triggers and strategy; by default true.' },
          application: {
            ...flag,
            description: 'Replicas, selector and pod template; by default true.',
          },
          keepsReplicas: {
            ...flag,
            description: 'The number of replicas stays as it is all the same; by default false.',
          },
          notes: { ...text, description: 'Why, for whoever reads of it later.' },
        },
      },
      updatedAnnotations: { type: 'object', additionalProperties: text },
      spec: {
        type: 'object',
        properties: {
          from: { type: 'object', properties: { kind: text, name: text, namespace: text } },
          revision: { ...count, description: '0 is the last complete one before the current.' },
          includeTriggers: flag,
          includeTemplate: flag,
          includeReplicationMeta: flag,
          includeStrategy: flag,
        },
      },
    },
  },
  RollbackReport: {
    type: 'object',
    description: 'What going back would change, what keeps it from being done, and what may break.',
    required: ['configs'],
    properties: {
      configs: {
        type: 'array',
        items: {
          type: 'object',
          required: ['name', 'from', 'to', 'changes', 'problems', 'warnings'],
          properties: {
            name: text,
            from: count,
            to: count,
            changes: {
              type: 'array',
              items: {
                type: 'object',
                required: ['field', 'area'],
                properties: { field: text, area: text, from: text, to: text },
              },
            },
            problems: {
              type: 'array',
              items: { type: 'object', properties: { field: text, message: text } },
            },
            warnings: {
              type: 'array',
              items: { type: 'object', properties: { kind: text, object: text, message: text } },
            },
          },
        },
      },
    },
  },
  Notification: {
    type: 'object',
    description: 'What a registry of the distribution project sends to its endpoints.',
    required: ['events'],
    properties: {
      events: {
        type: 'array',
        items: {
          type: 'object',
          required: ['action'],
          properties: {
            action: { ...text, description: 'Only "push" matters here.' },
            target: {
              type: 'object',
              properties: { repository: text, tag: text, digest: text },
            },
            request: { type: 'object', properties: { host: text } },
          },
        },
      },
    },
  },
  Receipt: {
    type: 'object',
    required: ['accepted', 'unmatched'],
    properties: {
      accepted: { ...count, description: 'Pushes that an ImageRepository now looks into.' },
      unmatched: { ...count, description: 'Pushes that belong to no ImageRepository.' },
    },
  },
} as const satisfies Readonly<Record<string, JsonSchema>>;

export const schemaRef = (name: keyof typeof schemas): JsonSchema => ({
  $ref: `#/components/schemas/${name}`,
});
