import { lenientObject } from '../custom-resource-definition.js';
import type { Schema } from '../schema.js';
import { imageStreamTagNameSchema, objectReferenceSchema } from './object-reference-schema.js';
import { containerNameSchema, maxContainers } from './pod-template.js';

const imageTag = '^[A-Za-z0-9_][-A-Za-z0-9_.]{0,127}$';

const fromSchema: Schema = {
  description: 'The tag to follow, by the name of its ImageRepository.',
  ...objectReferenceSchema,
  properties: {
    ...objectReferenceSchema.properties,
    kind: {
      description: 'ImageStreamTag, which is also meant when it is left out.',
      type: 'string',
      nullable: true,
      enum: ['ImageStreamTag', '', null],
    },
    name: {
      description: 'NAME:TAG, where NAME is that of an ImageRepository.',
      ...imageStreamTagNameSchema,
    },
    namespace: {
      description: 'Where the ImageRepository is; here when left out.',
      type: 'string',
      nullable: true,
      maxLength: 63,
      pattern: '^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$',
    },
  },
  required: ['name'],
};

const imageChangeParamsSchema: Schema = lenientObject(
  {
    required: ['containerNames'],
    'x-kubernetes-validations': [
      {
        rule: "has(self.from) != (self.?repositoryName.orValue('') != '')",
        message: 'must be given, or repositoryName in its place, and not both',
        fieldPath: '.from',
      },
      {
        rule: "self.?tag.orValue('') == '' || self.?repositoryName.orValue('') != ''",
        message: 'must be left out without repositoryName; from.name has the tag in it',
        fieldPath: '.tag',
      },
    ],
  },
  {
    automatic: {
      description:
        'Whether a new image is put into the template and deployed by itself; else it waits for the next deployment.',
      type: 'boolean',
    },
    containerNames: {
      description: 'The containers of the template that get the image.',
      type: 'array',
      minItems: 1,
      maxItems: maxContainers,
      'x-kubernetes-list-type': 'atomic',
      items: { ...containerNameSchema, minLength: 1 },
    },
    from: fromSchema,
    lastTriggeredImage: {
      description: 'The image that was put into the template last; written by the trigger.',
      type: 'string',
    },
    repositoryName: {
      description: 'In place of from: the name of an ImageRepository in the same namespace.',
      type: 'string',
      maxLength: 400,
    },
    tag: {
      description: 'With repositoryName: the tag to follow; latest when left out.',
      type: 'string',
      maxLength: 128,
      'x-kubernetes-validations': [
        {
          rule: `self == '' || self.matches('${imageTag}')`,
          message: 'must be up to 128 letters, digits, "_", "." or "-"',
        },
      ],
    },
  },
);

/**
 * Without a default on purpose: a list that is left out means a trigger on changes of the template, an
 * empty one means that deployments are started by hand only.
 */
export const triggersSchema: Schema = {
  description:
    'What starts a deployment. Left out: a change of the template; empty: only somebody who asks for it.',
  type: 'array',
  nullable: true,
  maxItems: maxContainers,
  'x-kubernetes-list-type': 'atomic',
  items: lenientObject(
    {
      required: ['type'],
      'x-kubernetes-validations': [
        {
          rule: "self.type != 'ImageChange' || has(self.imageChangeParams)",
          message: 'must be given with type ImageChange',
          fieldPath: '.imageChangeParams',
          reason: 'FieldValueRequired',
        },
      ],
    },
    {
      type: {
        description:
          'ConfigChange: the template was changed; ImageChange: a tag points to another image.',
        type: 'string',
        enum: ['ConfigChange', 'ImageChange'],
      },
      imageChangeParams: {
        description: 'Which tag to follow, and for whom.',
        ...imageChangeParamsSchema,
      },
    },
  ),
};
