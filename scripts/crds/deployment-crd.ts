import {
  buildCrd,
  buildObjectSchema,
  column,
  statusAndScale,
  wideColumn,
} from './custom-resource-definition.js';
import { buildExecHookSchema, commandNamesContainer } from './deployment-config/hook-schema.js';
import {
  buildLifecycleSchema,
  buildRunOnceProperties,
  deadlineSeconds,
} from './deployment-config/lifecycle-schema.js';
import {
  labelSelectorSchema,
  selectorIsImmutable,
  selectorMatchesTemplate,
} from './label-selector-schema.js';
import {
  hasRoomToMove,
  numberOrPercentage,
  numberOrPercentageUpTo100,
} from './number-or-percentage.js';
import { buildBoundedTemplateSchema } from './deployment-config/pod-template.js';
import { podOptions } from './pod-template-schema.js';
import type { OpenApiDocument, Schema } from './schema.js';
import { toStructuralSchema } from './structural-schema.js';

const apps = 'io.k8s.api.apps.v1';

const podCount: Schema = { type: 'integer', format: 'int32', minimum: 0 };

/** `slipway.dev/v1alpha1` Deployment: the spec and status of `apps/v1`, and what Slipway adds. */
export function buildDeploymentCrd(document: OpenApiDocument): object {
  return buildCrd({
    group: 'slipway.dev',
    version: 'v1alpha1',
    names: {
      kind: 'Deployment',
      plural: 'deployments',
      shortNames: ['sdeploy'],
      categories: ['all', 'slipway'],
    },
    columns: printerColumns,
    subresources: statusAndScale,
    schema: buildDeploymentSchema(document),
  });
}

const printerColumns = [
  column('Desired', 'integer', '.spec.replicas', 'Pods that are wanted.'),
  column('Ready', 'integer', '.status.readyReplicas', 'Pods that are ready.'),
  column('Up-to-date', 'integer', '.status.updatedReplicas', 'Pods of the newest template.'),
  column('Available', 'integer', '.status.availableReplicas', 'Pods ready for long enough.'),
  column(
    'Progress',
    'string',
    '.status.conditions[?(@.type=="Progressing")].reason',
    'How far the rollout is.',
  ),
  column('Age', 'date', '.metadata.creationTimestamp', 'Time since it was created.'),
  wideColumn('Strategy', 'string', '.spec.strategy.type', 'How pods are replaced.'),
  wideColumn('Image', 'string', '.spec.template.spec.containers[0].image', 'What its pods run.'),
  wideColumn('Selector', 'string', '.status.selector', 'Which pods are its own.'),
];

function buildDeploymentSchema(document: OpenApiDocument): Schema {
  const spec = buildSpec(document);
  const status = buildStatus(document);
  requireAllFields(document, 'DeploymentSpec', spec);
  requireAllFields(document, 'DeploymentStatus', status);
  return buildObjectSchema(
    'Keeps pods of one template running, and moves them to a new one step by step, as a Temporal workflow.',
    spec,
    status,
  );
}

/** A field that a newer Kubernetes has added must be looked at, not lost. */
function requireAllFields(document: OpenApiDocument, kind: string, schema: Schema): void {
  const published = document.components.schemas[`${apps}.${kind}`]?.properties ?? {};
  const missing = Object.keys(published).filter((key) => schema.properties?.[key] === undefined);
  if (missing.length > 0) {
    throw new Error(`${kind} of apps/v1 has ${missing.join(', ')}, for which there is no schema`);
  }
}

function buildSpec(document: OpenApiDocument): Schema {
  return {
    description: 'What is wanted.',
    type: 'object',
    required: ['template'],
    properties: {
      replicas: { description: 'How many pods to run.', ...podCount, default: 1 },
      selector: {
        description:
          "Which pods are this Deployment's own. It must match the template's labels, which it is when left out, and can't be changed.",
        ...labelSelectorSchema,
      },
      template: {
        description: 'The pods to run. A change of it starts a rollout.',
        ...buildBoundedTemplateSchema(document),
      },
      strategy: buildStrategySchema(document),
      minReadySeconds: {
        description: 'How long a pod must be ready before it counts as available.',
        ...podCount,
        default: 0,
      },
      revisionHistoryLimit: {
        description: 'How many old ReplicaSets to keep for rollbacks.',
        ...podCount,
        default: 10,
      },
      progressDeadlineSeconds: {
        description:
          'How long a rollout may go without progress before it is reported as failed; not counted while paused.',
        ...podCount,
        default: 600,
      },
      ...rollbackProperties,
      triggers: {
        description:
          'What started this rollout, where whoever writes the spec knows better than the template shows.',
        type: 'array',
        maxItems: 4,
        'x-kubernetes-list-type': 'set',
        items: triggerSchema,
      },
      paused: {
        description: 'Holds the rollout where it is; a change of replicas is still carried out.',
        type: 'boolean',
      },
    },
    'x-kubernetes-validations': [
      {
        rule: 'self.progressDeadlineSeconds > self.minReadySeconds',
        message: 'must be greater than spec.minReadySeconds',
        fieldPath: '.progressDeadlineSeconds',
      },
      selectorMatchesTemplate,
      selectorIsImmutable,
      ...['pre', 'mid', 'post', 'abort'].map((moment) =>
        commandNamesContainer(`lifecycle.${moment}`),
      ),
    ],
  };
}

const rollbackProperties: Readonly<Record<string, Schema>> = {
  rollbackTo: {
    description:
      'Asks for the template of an earlier revision; taken away once that is done or found impossible.',
    type: 'object',
    properties: {
      revision: {
        description: 'The revision to go back to; 0 is the one before the current one.',
        type: 'integer',
        format: 'int64',
        minimum: 0,
        default: 0,
      },
    },
  },
  rollbackOnFailure: {
    description:
      'Whether a rollout that misses its deadline, or whose pods crash, goes back by itself to the last revision that was complete: once for each template.',
    type: 'boolean',
  },
  rollbackOverHooks: {
    description:
      'Whether such a rollback is made even where a hook has succeeded that no abort hook reverts.',
    type: 'boolean',
  },
};

const triggerSchema: Schema = {
  type: 'string',
  enum: ['Manual', 'Autoscaler', 'NewImage', 'ConfigChange'],
};

/**
 * Only the type has a default here. `rollingUpdate` has none, since a stored default would stand in
 * the way of a later change to Recreate; the worker reads what is left out as 25%.
 */
const buildStrategySchema = (document: OpenApiDocument): Schema => ({
  description: 'How pods of an old template are replaced by those of a new one.',
  type: 'object',
  default: { type: 'RollingUpdate' },
  properties: {
    lifecycle: buildDeploymentLifecycleSchema(document),
    ...buildRunOnceProperties(document, 'hooks'),
    activeDeadlineSeconds: {
      description: 'How long all tries of a hook may take together; 6 hours when left out.',
      ...deadlineSeconds,
      minimum: 1,
    },
    type: {
      description: 'RollingUpdate replaces pods gradually; Recreate ends all old ones first.',
      type: 'string',
      enum: ['RollingUpdate', 'Recreate'],
      default: 'RollingUpdate',
    },
    rollingUpdate: {
      description: 'How far a rolling update may go at a time.',
      type: 'object',
      properties: {
        maxSurge: {
          description:
            'How many pods more than wanted may exist, as a number or a percentage, rounded up; 25% when left out.',
          ...numberOrPercentage,
        },
        maxUnavailable: {
          description:
            'How many pods fewer than wanted may be available, as a number or a percentage, rounded down; 25% when left out.',
          ...numberOrPercentageUpTo100,
        },
      },
      'x-kubernetes-validations': [hasRoomToMove],
    },
  },
  'x-kubernetes-validations': [
    {
      rule: "self.type != 'Recreate' || !has(self.rollingUpdate)",
      message: 'must be left out when spec.strategy.type is Recreate',
      fieldPath: '.rollingUpdate',
      reason: 'FieldValueForbidden',
    },
    {
      rule: "self.type == 'Recreate' || !self.?lifecycle.?mid.hasValue()",
      message: 'must be left out unless spec.strategy.type is Recreate',
      fieldPath: '.lifecycle.mid',
      reason: 'FieldValueForbidden',
    },
  ],
});

function buildDeploymentLifecycleSchema(document: OpenApiDocument): Schema {
  const hook = buildExecHookSchema(document);
  return buildLifecycleSchema(hook, {
    mid: { description: 'Runs when the old pods are gone, before the first new one.', ...hook },
  });
}

function buildStatus(document: OpenApiDocument): Schema {
  const published = toStructuralSchema(document, `${apps}.DeploymentStatus`, podOptions);
  const properties = {
    ...published.properties,
    selector: { type: 'string' } satisfies Schema,
    triggers: { type: 'array', items: triggerSchema } satisfies Schema,
  };
  return {
    description: 'What was observed last.',
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties).map(([key, schema]) => {
        const description = statusDescriptions[key];
        if (description === undefined) throw new Error(`status.${key} has no description`);
        return [key, { description, ...schema }];
      }),
    ),
  };
}

const statusDescriptions: Readonly<Record<string, string>> = {
  availableReplicas: 'Pods that have been ready for minReadySeconds.',
  collisionCount: 'How often the name of a new ReplicaSet was taken; part of the next name.',
  conditions: 'Available, Progressing, ReplicaFailure and RolledBack, each with its reason.',
  observedGeneration: 'The newest metadata.generation that was acted upon.',
  triggers: 'What started the last rollout or scaling; empty after an automatic rollback.',
  readyReplicas: 'Pods that are ready.',
  replicas: 'Pods that exist and are not about to end.',
  selector: 'The selector as text, for autoscalers.',
  terminatingReplicas: 'Pods that are about to end.',
  unavailableReplicas: 'Pods that are wanted, or exist, and are not available.',
  updatedReplicas: 'Pods of the newest template.',
};
