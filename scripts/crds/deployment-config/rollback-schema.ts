import { lenientObject } from '../custom-resource-definition.js';
import type { Schema, ValidationRule } from '../schema.js';

const number = "'^[1-9][0-9]{0,14}$'";

/** Somebody's wish to go back. */
export const rollbackSchema: Schema = {
  description:
    'Asks to go back to an earlier version. It is taken away when that is done, or refused, which a condition tells.',
  ...lenientObject(
    {
      'x-kubernetes-validations': [
        {
          rule: 'self.config || self.application',
          message: 'must be true when config is false, or nothing would go back',
          fieldPath: '.application',
        },
        {
          rule: '!has(self.strategy)',
          message:
            'is not accepted: a rollback is rolled out by the strategy that the config then has',
          fieldPath: '.strategy',
          reason: 'FieldValueForbidden',
        },
      ],
    },
    {
      release: {
        description:
          'The version to go back to, such as web-1 or 1; by default the last complete one before the current.',
        'x-kubernetes-int-or-string': true,
        maxLength: 270,
      },
      config: {
        description: 'Whether labels, triggers and strategy go back.',
        type: 'boolean',
        default: true,
      },
      application: {
        description: 'Whether replicas, selector and pod template go back.',
        type: 'boolean',
        default: true,
      },
      keepsReplicas: {
        description:
          'Whether the number of replicas stays as it is though the application goes back.',
        type: 'boolean',
      },
      notes: {
        description: 'Why, for whoever reads of it later.',
        type: 'string',
        maxLength: 4096,
      },
      by: {
        description: 'Who asks, where that is known better than by the name of a client.',
        type: 'string',
        maxLength: 512,
      },
      strategy: { description: 'Is not accepted.', type: 'string', maxLength: 64 },
    },
  ),
};

/** Where the name of the config is known. */
export const releaseIsOwn: ValidationRule = {
  rule:
    '!has(self.rollback) || !has(self.rollback.release) || (type(self.rollback.release) == int' +
    ' ? self.rollback.release > 0' +
    ` : self.rollback.release == '' || self.rollback.release.matches(${number}) ||` +
    " (self.rollback.release.startsWith(self.metadata.name + '-') &&" +
    ` self.rollback.release.substring(size(self.metadata.name) + 1).matches(${number})))`,
  message:
    'must be a version of this DeploymentConfig, by its number or by the name of its ReplicationController',
  fieldPath: '.rollback.release',
};
