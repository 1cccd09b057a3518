import { lenientObject } from '../custom-resource-definition.js';
import { labelsSchema } from '../pod-template-schema.js';
import type { OpenApiDocument, Schema } from '../schema.js';
import { hooksNameContainers } from './hook-schema.js';
import { buildTemplateSchema, imagesAreKnown, selectorMatchesLabels } from './pod-template.js';
import { buildStrategySchema, readyBeforeTimeouts } from './strategy-schema.js';
import { triggersSchema } from './trigger-schema.js';

const podCount: Schema = { type: 'integer', format: 'int32', minimum: 0 };

/** What is wanted of a DeploymentConfig. */
export function buildSpecSchema(document: OpenApiDocument): Schema {
  return lenientObject(
    {
      description: 'What is wanted.',
      required: ['template'],
      'x-kubernetes-validations': [
        selectorMatchesLabels,
        ...readyBeforeTimeouts,
        ...imagesAreKnown,
        ...hooksNameContainers,
      ],
    },
    {
      replicas: { description: 'How many pods to run.', ...podCount, default: 1 },
      selector: {
        description:
          "Labels of the pods that are this DeploymentConfig's own. They must be among the template's, which they are when left out.",
        ...labelsSchema,
      },
      template: {
        description:
          'The pods to run. A change of it starts a deployment where a trigger of type ConfigChange is set.',
        ...buildTemplateSchema(document),
      },
      strategy: buildStrategySchema(document),
      triggers: triggersSchema,
      minReadySeconds: {
        description: 'How long a pod must be ready before it counts as available.',
        ...podCount,
        default: 0,
      },
      revisionHistoryLimit: {
        description: 'How many old ReplicationControllers to keep for rollbacks.',
        ...podCount,
        default: 10,
      },
      test: {
        description: 'Whether pods run during a deployment only, and none after it.',
        type: 'boolean',
      },
      paused: {
        description: 'Keeps new deployments from starting, whatever triggers them.',
        type: 'boolean',
      },
      triggersSuspended: {
        description:
          'Keeps all triggers from making versions and from filling in images, as they are: set by a rollback, so that none undoes it. Whoever asks for a version still gets one.',
        type: 'boolean',
      },
      rollbackOnFailure: {
        description:
          'Whether a version that fails, by an error or by its time limit, leads to a rollback to the last complete one: once, and never from a rollback.',
        type: 'boolean',
      },
      rollbackOverHooks: {
        description:
          'Whether rollbackOnFailure also goes back over hooks that have succeeded and that no abort hook has undone.',
        type: 'boolean',
      },
    },
  );
}
