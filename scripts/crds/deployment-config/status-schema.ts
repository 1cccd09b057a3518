import { lenientObject } from '../custom-resource-definition.js';
import type { Schema } from '../schema.js';
import { objectReferenceSchema } from './object-reference-schema.js';

const podCount: Schema = { type: 'integer', format: 'int32', minimum: 0 };
const counter: Schema = { type: 'integer', format: 'int64', minimum: 0 };
const text: Schema = { type: 'string' };
const time: Schema = { type: 'string', format: 'date-time' };

const imageTriggerSchema: Schema = lenientObject(
  { description: 'The image that caused it.' },
  {
    from: { description: 'The tag that changed.', ...objectReferenceSchema },
    containerNames: {
      description: 'The containers that got the image.',
      type: 'array',
      'x-kubernetes-list-type': 'atomic',
      items: text,
    },
    previous: { description: 'The image that they had before.', ...text },
    image: { description: 'The image that they have now, by its digest.', ...text },
  },
);

const rollbackNotesSchema: Schema = lenientObject(
  { description: 'With type Rollback: what went back, and why.' },
  {
    from: { description: 'The version that it went back from.', ...counter },
    to: { description: 'The version that it went back to.', ...counter },
    config: { description: 'Whether labels, triggers and strategy went back.', type: 'boolean' },
    application: {
      description: 'Whether replicas, selector and pod template went back.',
      type: 'boolean',
    },
    keepsReplicas: {
      description: 'Whether the number of replicas stayed as it was all the same.',
      type: 'boolean',
    },
    notes: { description: 'What whoever asked for it had to say.', ...text },
    manager: { description: 'The program that asked, where it did not say for whom.', ...text },
    run: { description: 'The run of the workflow that wrote it.', ...text },
  },
);

const detailsSchema: Schema = lenientObject(
  { description: 'Why the latest version was deployed.' },
  {
    message: {
      description: 'What whoever asked for it had to say, or the cause in words.',
      ...text,
    },
    causes: {
      description: 'What started it.',
      type: 'array',
      'x-kubernetes-list-type': 'atomic',
      items: lenientObject(
        { required: ['type'] },
        {
          type: { description: 'ConfigChange, ImageChange, Manual or Rollback.', ...text },
          imageTrigger: imageTriggerSchema,
          by: { description: 'Who asked for it.', ...text },
          reason: { description: 'Why they did.', ...text },
          rollback: rollbackNotesSchema,
        },
      ),
    },
  },
);

const conditionsSchema: Schema = {
  description:
    'Available, Progressing and others, each with its reason; TriggersSuspended says since when and why.',
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
  items: lenientObject(
    { required: ['type', 'status'] },
    {
      type: text,
      status: text,
      lastUpdateTime: time,
      lastTransitionTime: time,
      reason: text,
      message: text,
    },
  ),
};

/** What was observed last of a DeploymentConfig. */
export const statusSchema: Schema = lenientObject(
  {
    description: 'What was observed last.',
    'x-kubernetes-validations': [
      {
        rule: '!has(oldSelf.latestVersion) || (has(self.latestVersion) && self.latestVersion >= oldSelf.latestVersion)',
        message: 'must not become less',
        fieldPath: '.latestVersion',
      },
    ],
  },
  {
    latestVersion: { description: 'The version that was deployed last; 0 is none.', ...counter },
    observedGeneration: {
      description: 'The newest metadata.generation that was acted upon.',
      ...counter,
    },
    replicas: { description: 'Pods that exist and are not about to end.', ...podCount },
    updatedReplicas: { description: 'Pods of the latest version.', ...podCount },
    readyReplicas: { description: 'Pods that are ready.', ...podCount },
    availableReplicas: {
      description: 'Pods that have been ready for minReadySeconds.',
      ...podCount,
    },
    unavailableReplicas: {
      description: 'Pods that are wanted, or exist, and are not available.',
      ...podCount,
    },
    selector: { description: 'The selector as text, for autoscalers.', ...text },
    triggeredBy: {
      description: 'The automatic triggers in short, for example config,image(web:latest).',
      ...text,
    },
    details: detailsSchema,
    conditions: conditionsSchema,
  },
);
