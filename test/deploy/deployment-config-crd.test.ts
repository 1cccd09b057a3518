import { describe, expect, test } from '@jest/globals';

import type { Schema } from '../../scripts/crds/schema.js';
import type { KubernetesObject } from '../../src/kubernetes/objects.js';
import { readObjects } from '../support/deploy-files.js';

interface Crd extends KubernetesObject {
  spec: { versions: { schema: { openAPIV3Schema: Schema } }[] };
}

const crd = readObjects('deploy/crds/deploymentconfigs.apps.openshift.io.yaml')[0] as Crd;
const whole = crd.spec.versions[0]!.schema.openAPIV3Schema;

/** Example: spec.triggers[].type */
function at(path: string): Schema | undefined {
  const steps = path
    .split('.')
    .flatMap((part) => (part.endsWith('[]') ? [part.slice(0, -2), '[]'] : [part]));
  return steps.reduce<Schema | undefined>(
    (schema, step) => (step === '[]' ? schema?.items : schema?.properties?.[step]),
    whole,
  );
}

const fieldsOf = (path: string): string[] => Object.keys(at(path)?.properties ?? {}).sort();

describe('the schema of a DeploymentConfig', () => {
  test.each<[string, string[]]>([
    [
      'spec',
      [
        'minReadySeconds',
        'paused',
        'replicas',
        'revisionHistoryLimit',
        'selector',
        'strategy',
        'template',
        'test',
        'triggers',
      ],
    ],
    [
      'spec.strategy',
      [
        'activeDeadlineSeconds',
        'annotations',
        'customParams',
        'labels',
        'recreateParams',
        'resources',
        'rollingParams',
        'type',
      ],
    ],
    [
      'spec.strategy.rollingParams',
      [
        'intervalSeconds',
        'maxSurge',
        'maxUnavailable',
        'post',
        'pre',
        'timeoutSeconds',
        'updatePeriodSeconds',
      ],
    ],
    ['spec.strategy.recreateParams', ['mid', 'post', 'pre', 'timeoutSeconds']],
    ['spec.strategy.recreateParams.mid', ['execNewPod', 'failurePolicy', 'tagImages']],
    ['spec.strategy.recreateParams.mid.execNewPod', ['command', 'containerName', 'env', 'volumes']],
    ['spec.strategy.recreateParams.mid.tagImages[]', ['containerName', 'to']],
    ['spec.strategy.customParams', ['command', 'environment', 'image']],
    ['spec.triggers[]', ['imageChangeParams', 'type']],
    [
      'spec.triggers[].imageChangeParams',
      ['automatic', 'containerNames', 'from', 'lastTriggeredImage'],
    ],
    [
      'spec.triggers[].imageChangeParams.from',
      ['apiVersion', 'fieldPath', 'kind', 'name', 'namespace', 'resourceVersion', 'uid'],
    ],
    [
      'status',
      [
        'availableReplicas',
        'conditions',
        'details',
        'latestVersion',
        'observedGeneration',
        'readyReplicas',
        'replicas',
        'unavailableReplicas',
        'updatedReplicas',
      ],
    ],
    ['status.details', ['causes', 'message']],
    ['status.details.causes[]', ['imageTrigger', 'type']],
    ['status.details.causes[].imageTrigger', ['from']],
    [
      'status.conditions[]',
      ['lastTransitionTime', 'lastUpdateTime', 'message', 'reason', 'status', 'type'],
    ],
  ])("has OpenShift's fields of %s", (path, fields) => {
    expect(fieldsOf(path)).toEqual(expect.arrayContaining(fields));
  });

  test('has no default for triggers: none given and none wanted are two things', () => {
    expect(at('spec.triggers')).toBeDefined();
    expect(at('spec.triggers')?.default).toBeUndefined();
  });

  test.each(['rollingParams', 'recreateParams', 'canaryParams', 'customParams', 'lifecycle'])(
    'has no default for %s as a whole',
    (params) => {
      expect(at(`spec.strategy.${params}`)?.type).toBe('object');
      expect(at(`spec.strategy.${params}`)?.default).toBeUndefined();
    },
  );

  test('lets a container have no image, or an empty one', () => {
    const image = at('spec.template.spec.containers[].image');
    expect(image).toEqual({ type: 'string', nullable: true });
    expect(at('spec.template.spec.containers[]')?.required).toEqual(['name']);
  });

  test('explains every field of its own', () => {
    const paths = [
      'spec',
      'rollback',
      'status',
      'spec.strategy',
      'status.details.causes[].rollback',
    ];
    paths.push('spec.triggers[].imageChangeParams');
    for (const path of [...paths, 'spec.strategy.canaryParams', 'spec.strategy.rollingParams']) {
      for (const field of fieldsOf(path)) {
        expect([path, field, at(`${path}.${field}`)?.description ?? '']).toEqual([
          path,
          field,
          expect.stringMatching(/^[A-Z].*[.]$/),
        ]);
      }
    }
  });
});
