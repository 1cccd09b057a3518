import { lenientObject } from '../custom-resource-definition.js';
import { podOptions } from '../pod-template-schema.js';
import type { OpenApiDocument, Schema, ValidationRule } from '../schema.js';
import { toStructuralSchema } from '../structural-schema.js';
import { imageStreamTagNameSchema, objectReferenceSchema } from './object-reference-schema.js';
import { containerNameSchema, maxContainers } from './pod-template.js';

/** Environment variables, with at least a name each. */
export function buildEnvironmentSchema(document: OpenApiDocument): Schema {
  const variable = toStructuralSchema(document, 'io.k8s.api.core.v1.EnvVar', podOptions);
  if (variable.properties === undefined) throw new Error('EnvVar must have properties');
  variable.properties['name'] = { ...variable.properties['name'], minLength: 1 };
  return { type: 'array', 'x-kubernetes-list-type': 'atomic', items: variable };
}

/** A hook that can only run a command. */
export function buildExecHookSchema(document: OpenApiDocument): Schema {
  return lenientObject(
    { required: ['failurePolicy', 'execNewPod'] },
    { failurePolicy, execNewPod: buildExecNewPodSchema(document) },
  );
}

const failurePolicy: Schema = {
  description:
    'Retry tries the hook until it succeeds; Abort fails the deployment; Ignore, also called Continue, goes on.',
  type: 'string',
  enum: ['Retry', 'Abort', 'Ignore', 'Continue'],
};

/** A hook: one action, and what becomes of the deployment when it fails. */
export function buildHookSchema(document: OpenApiDocument): Schema {
  return lenientObject(
    {
      required: ['failurePolicy'],
      'x-kubernetes-validations': [
        {
          rule: 'has(self.execNewPod) != (has(self.tagImages) && size(self.tagImages) > 0)',
          message: 'must have either execNewPod or tagImages',
        },
      ],
    },
    {
      failurePolicy,
      execNewPod: buildExecNewPodSchema(document),
      tagImages: {
        description: 'Gives the images of containers another tag.',
        type: 'array',
        maxItems: maxContainers,
        'x-kubernetes-list-type': 'atomic',
        items: tagImageSchema,
      },
    },
  );
}

function buildExecNewPodSchema(document: OpenApiDocument): Schema {
  return lenientObject(
    { description: 'Runs a command in a pod of its own.', required: ['command'] },
    {
      command: {
        description: 'The command and its arguments.',
        type: 'array',
        minItems: 1,
        'x-kubernetes-list-type': 'atomic',
        items: { type: 'string' },
      },
      env: {
        description: "Environment variables beside the container's own.",
        ...buildEnvironmentSchema(document),
      },
      containerName: {
        description:
          'The container of the template whose image and environment are used; may be left out where there is one only.',
        ...containerNameSchema,
      },
      volumes: {
        description: 'Volumes of the template that the pod gets too; none when left out.',
        type: 'array',
        'x-kubernetes-list-type': 'atomic',
        items: { type: 'string', minLength: 1 },
      },
    },
  );
}

const tagImageSchema: Schema = lenientObject(
  { required: ['to'] },
  {
    containerName: {
      description:
        'The container of the template whose image is tagged; may be left out where there is one only.',
      ...containerNameSchema,
    },
    to: {
      description: 'The ImageStreamTag that gets the image, as NAME:TAG.',
      ...objectReferenceSchema,
      required: ['kind', 'name'],
      properties: {
        ...objectReferenceSchema.properties,
        kind: { type: 'string', enum: ['ImageStreamTag'] },
        name: imageStreamTagNameSchema,
      },
    },
  },
);

const mustNameContainer =
  'must name a container of spec.template; it may be left out only where there is one';

/** Where in spec.strategy a hook may stand. */
const hookPaths = [
  'rollingParams.pre',
  'rollingParams.post',
  'recreateParams.pre',
  'recreateParams.mid',
  'recreateParams.post',
  'lifecycle.pre',
  'lifecycle.post',
  'lifecycle.abort',
];

const pod = 'self.template.spec';

/** What may have no container's name only where there is one container. */
const namesContainer = (action: string): string =>
  [
    `(!has(${action}.containerName) || ${action}.containerName == ''`,
    `? size(${pod}.containers) == 1`,
    `: ${pod}.containers.exists(each, each.name == ${action}.containerName) ||`,
    `(has(${pod}.initContainers) &&`,
    `${pod}.initContainers.exists(each, each.name == ${action}.containerName)))`,
  ].join(' ');

const isGiven = (path: string, action: string): string =>
  `self.strategy.?${path.replace('.', '.?')}.?${action}.hasValue()`;

/**
 * For a spec with `strategy` and `template`: the command of a hook runs in a container that is there. An
 * `orValue` of a list or text would be shorter, but the apiserver can't reckon the cost of such rules.
 */
export const commandNamesContainer = (path: string): ValidationRule => ({
  rule: `!${isGiven(path, 'execNewPod')} || ${namesContainer(`self.strategy.${path}.execNewPod`)}`,
  message: mustNameContainer,
  fieldPath: `.strategy.${path}.execNewPod.containerName`,
});

const tagsNameContainers = (path: string): ValidationRule => ({
  rule: `!${isGiven(path, 'tagImages')} || self.strategy.${path}.tagImages.all(image, ${namesContainer('image')})`,
  message: `each containerName ${mustNameContainer}`,
  fieldPath: `.strategy.${path}.tagImages`,
});

export const hooksNameContainers: readonly ValidationRule[] = hookPaths.flatMap((path) => [
  commandNamesContainer(path),
  tagsNameContainers(path),
]);
