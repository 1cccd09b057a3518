import { lenientObject } from '../custom-resource-definition.js';
import {
  hasRoomToMove,
  numberOrPercentage,
  numberOrPercentageUpTo100,
} from '../number-or-percentage.js';
import type { OpenApiDocument, Schema, ValidationRule } from '../schema.js';
import { canaryParamsSchema } from './canary-schema.js';
import { buildEnvironmentSchema, buildHookSchema } from './hook-schema.js';
import {
  buildLifecycleSchema,
  buildRunOnceProperties,
  deadlineSeconds,
} from './lifecycle-schema.js';
import { seconds } from './seconds-schema.js';

const defaultTimeoutSeconds = 600;
const defaultType = 'Rolling';
const defaultDeadlineSeconds = 21_600;

/**
 * Parameters of another strategy than the type's may stay, as with OpenShift: so the type can be changed
 * back and forth. An absent object of parameters gets no defaults, for the same reason.
 */
export function buildStrategySchema(document: OpenApiDocument): Schema {
  return lenientObject(
    {
      description: 'How a deployment replaces the pods of the one before it.',
      default: { type: defaultType, activeDeadlineSeconds: defaultDeadlineSeconds },
      'x-kubernetes-validations': strategyRules,
    },
    {
      type: {
        description:
          'Rolling replaces pods gradually; Recreate ends all old ones first; Canary goes by steps; Custom leaves it to an image of your own. An empty one means Rolling.',
        type: 'string',
        enum: ['Rolling', 'Recreate', 'Canary', 'Custom', ''],
        default: defaultType,
      },
      rollingParams: buildRollingParamsSchema(document),
      recreateParams: buildRecreateParamsSchema(document),
      canaryParams: canaryParamsSchema,
      customParams: buildCustomParamsSchema(document),
      lifecycle: buildLifecycleSchema(buildHookSchema(document)),
      ...buildRunOnceProperties(document, 'hooks and of the Custom strategy'),
      activeDeadlineSeconds: {
        description: 'How long a pod of a hook or of the Custom strategy may run.',
        ...deadlineSeconds,
        default: defaultDeadlineSeconds,
      },
    },
  );
}

const isGivenOnce = (moment: string): ValidationRule => ({
  rule: `!self.?lifecycle.?${moment}.hasValue() || !(self.?rollingParams.?${moment}.hasValue() || self.?recreateParams.?${moment}.hasValue())`,
  message: `must be left out where rollingParams.${moment} or recreateParams.${moment} is given: there is one hook for each moment`,
  fieldPath: `.lifecycle.${moment}`,
  reason: 'FieldValueForbidden',
});

/** Which of two timeouts counts does not depend on the type, as with OpenShift. */
const strategyRules: ValidationRule[] = [
  {
    rule: "self.type != 'Custom' || has(self.customParams)",
    message: 'must be given with type Custom',
    fieldPath: '.customParams',
    reason: 'FieldValueRequired',
  },
  {
    rule: "self.type != 'Custom' || !has(self.customParams) || self.customParams.?image.orValue('') != ''",
    message: 'must be given with type Custom: it is what carries out the deployment',
    fieldPath: '.customParams.image',
    reason: 'FieldValueRequired',
  },
  {
    rule: "self.type != 'Canary' || has(self.canaryParams)",
    message: 'must be given with type Canary',
    fieldPath: '.canaryParams',
    reason: 'FieldValueRequired',
  },
  {
    rule: `self.activeDeadlineSeconds > self.?rollingParams.?timeoutSeconds.orValue(self.?recreateParams.?timeoutSeconds.orValue(-1))`,
    message: 'must be greater than timeoutSeconds of rollingParams or recreateParams',
    fieldPath: '.activeDeadlineSeconds',
  },
  isGivenOnce('pre'),
  isGivenOnce('post'),
];

/** For a spec with `strategy` and `minReadySeconds`. */
export const readyBeforeTimeouts: readonly ValidationRule[] = [
  {
    rule: [
      "self.minReadySeconds < (self.strategy.type == 'Canary'",
      `? self.strategy.?canaryParams.?timeoutSeconds.orValue(${defaultTimeoutSeconds})`,
      ': self.strategy.?rollingParams.?timeoutSeconds.orValue(',
      `self.strategy.?recreateParams.?timeoutSeconds.orValue(${defaultTimeoutSeconds})))`,
    ].join(' '),
    message: `must be less than timeoutSeconds of the strategy, which is ${defaultTimeoutSeconds} when left out`,
    fieldPath: '.minReadySeconds',
  },
  {
    rule: 'self.minReadySeconds < self.strategy.activeDeadlineSeconds',
    message: 'must be less than spec.strategy.activeDeadlineSeconds',
    fieldPath: '.minReadySeconds',
  },
];

const timeoutSeconds: Schema = {
  description: 'How long to wait for progress before the deployment fails.',
  ...seconds,
  default: defaultTimeoutSeconds,
};

function buildRollingParamsSchema(document: OpenApiDocument): Schema {
  const hook = buildHookSchema(document);
  return lenientObject(
    {
      description: 'How far the Rolling strategy goes at a time.',
      'x-kubernetes-validations': [hasRoomToMove],
    },
    {
      updatePeriodSeconds: {
        description:
          'How long to wait from one step to the next. Without it the next is taken as soon as it is safe.',
        ...seconds,
      },
      intervalSeconds: {
        description: 'How often OpenShift looks at the pods; taken, and not needed here.',
        ...seconds,
        default: 1,
      },
      timeoutSeconds,
      maxUnavailable: {
        description:
          'How many pods fewer than wanted may be available, as a number or a percentage, rounded down. Left out: 25%, or 0 where maxSurge is given and is not 0.',
        ...numberOrPercentageUpTo100,
      },
      maxSurge: {
        description:
          'How many pods more than wanted may exist, as a number or a percentage, rounded up. Left out: 25%, or 0 where maxUnavailable is given and is not 0.',
        ...numberOrPercentage,
      },
      pre: { description: 'Runs before the first pod is replaced.', ...hook },
      post: { description: 'Runs after the last pod was replaced.', ...hook },
    },
  );
}

function buildRecreateParamsSchema(document: OpenApiDocument): Schema {
  const hook = buildHookSchema(document);
  return lenientObject(
    { description: 'How the Recreate strategy goes.' },
    {
      timeoutSeconds,
      pre: { description: 'Runs before the old pods are ended.', ...hook },
      mid: { description: 'Runs when the old pods are gone, before the first new one.', ...hook },
      post: { description: 'Runs after the new pods are available.', ...hook },
    },
  );
}

function buildCustomParamsSchema(document: OpenApiDocument): Schema {
  return lenientObject(
    { description: 'The pod that carries out a deployment of the Custom strategy.' },
    {
      image: { description: 'Its image.', type: 'string', maxLength: 2000 },
      environment: {
        description: 'Environment variables beside those that name the deployment.',
        ...buildEnvironmentSchema(document),
      },
      command: {
        description: "The command and its arguments; the image's own when left out.",
        type: 'array',
        'x-kubernetes-list-type': 'atomic',
        items: { type: 'string' },
      },
    },
  );
}
