import {
  buildCrd,
  buildObjectSchema,
  column,
  lenientObject,
  wideColumn,
} from './custom-resource-definition.js';
import type { Schema } from './schema.js';

const label = '[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?';
const part = '[a-z0-9]+(([.]|_{1,2}|-+)[a-z0-9]+)*';
/** Example: registry.example.com:5000/shop/web; the registry is needed, and neither tag nor digest are. */
const repository = `^(${label}([.]${label})+|${label}([.]${label})*:[0-9]{1,5}|localhost)(/${part})+$`;
const tag = '^[A-Za-z0-9_][-A-Za-z0-9_.]{0,127}$';

/** `slipway.dev/v1alpha1` ImageRepository: a repository in a registry, whose tags are followed. */
export function buildImageRepositoryCrd(): object {
  return buildCrd({
    group: 'slipway.dev',
    version: 'v1alpha1',
    names: {
      kind: 'ImageRepository',
      plural: 'imagerepositories',
      shortNames: ['ir', 'imagerepo'],
      categories: ['slipway'],
    },
    columns: printerColumns,
    subresources: { status: {} },
    schema: buildObjectSchema(
      'A repository in an OCI registry, whose tags are followed and resolved to digests for the triggers of DeploymentConfigs.',
      specSchema,
      statusSchema,
    ),
  });
}

const isReady = '.status.conditions[?(@.type=="Ready")]';

const printerColumns = [
  column('Repository', 'string', '.spec.repository', 'What is followed.'),
  column('Ready', 'string', `${isReady}.status`, 'Whether its tags are known.'),
  column('Checked', 'date', '.status.lastCheckedAt', 'Time since the registry was asked.'),
  column('Age', 'date', '.metadata.creationTimestamp', 'Time since it was created.'),
  wideColumn('Reason', 'string', `${isReady}.reason`, 'Why its tags are, or are not, known.'),
  wideColumn('Interval', 'integer', '.spec.intervalSeconds', 'Seconds between two looks.'),
];

const secretName: Schema = {
  type: 'string',
  maxLength: 253,
  pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
};
const secretReference: Schema = {
  type: 'object',
  required: ['name'],
  properties: { name: secretName },
};

const specSchema: Schema = lenientObject(
  { description: 'What to follow, and how.', required: ['repository'] },
  {
    repository: {
      description:
        'The repository with its registry, for example registry.example.com:5000/shop/web.',
      type: 'string',
      maxLength: 400,
      'x-kubernetes-validations': [
        {
          rule: `self.matches('${repository}')`,
          message:
            'must be a registry and a repository without tag or digest, for example registry.example.com:5000/shop/web',
        },
      ],
    },
    tags: {
      description: 'Tags to follow besides those that DeploymentConfigs name.',
      type: 'array',
      maxItems: 100,
      'x-kubernetes-list-type': 'set',
      items: {
        type: 'string',
        maxLength: 128,
        'x-kubernetes-validations': [
          {
            rule: `self.matches('${tag}')`,
            message: 'must be up to 128 letters, digits, "_", "." or "-"',
          },
        ],
      },
    },
    intervalSeconds: {
      description: 'How long to wait before the registry is asked again.',
      type: 'integer',
      format: 'int32',
      minimum: 5,
      default: 60,
    },
    insecure: {
      description: 'Whether the registry is spoken to over plain HTTP.',
      type: 'boolean',
      default: false,
    },
    pullSecrets: {
      description: 'Secrets of type kubernetes.io/dockerconfigjson that open the registry.',
      type: 'array',
      maxItems: 20,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: secretReference,
    },
    serviceAccountName: {
      description: 'A ServiceAccount whose imagePullSecrets are used too.',
      type: 'string',
      maxLength: 253,
    },
    notificationSecret: {
      description:
        "A Secret whose key `token` proves that a notification of a push is the registry's.",
      ...secretReference,
    },
  },
);

const time: Schema = { type: 'string', format: 'date-time' };

const tagStatusSchema: Schema = lenientObject(
  { required: ['tag'] },
  {
    tag: { type: 'string' },
    image: { description: 'The repository and the digest, as a pod can run it.', type: 'string' },
    digest: { description: 'What the tag points to.', type: 'string' },
    resolvedAt: { description: 'When it was found to point there.', ...time },
    previous: { description: 'The image that it pointed to before.', type: 'string' },
    history: {
      description: 'All that it pointed to before, the latest first, up to ten.',
      type: 'array',
      'x-kubernetes-list-type': 'atomic',
      items: lenientObject(
        { required: ['digest'] },
        {
          digest: { type: 'string' },
          resolvedAt: { description: 'When it was found to point there.', ...time },
        },
      ),
    },
  },
);

const statusSchema: Schema = lenientObject(
  { description: 'What was observed last.' },
  {
    observedGeneration: {
      description: 'The newest metadata.generation that was acted upon.',
      type: 'integer',
      format: 'int64',
      minimum: 0,
    },
    tags: {
      description: 'Where each tag points to.',
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['tag'],
      items: tagStatusSchema,
    },
    lastCheckedAt: { description: 'When the registry was asked last.', ...time },
    conditions: {
      description:
        'Ready: whether the tags are known, and if not, why. CredentialsUsable: False while some that are named are not.',
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
      items: lenientObject(
        { required: ['type', 'status'] },
        {
          type: { type: 'string' },
          status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
          observedGeneration: { type: 'integer', format: 'int64', minimum: 0 },
          lastUpdateTime: time,
          lastTransitionTime: time,
          reason: { type: 'string' },
          message: { type: 'string' },
        },
      ),
    },
  },
);
