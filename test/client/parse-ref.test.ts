import { describe, expect, test } from '@jest/globals';

import { findKind, kinds, matchKinds, refOf } from '../../src/client/kinds.js';
import { parseRefFor } from '../../src/client/abilities.js';
import { parseKindOrRef, parseRef } from '../../src/client/parse-ref.js';
import { resources } from '../../src/kubernetes/resources.js';

const slipway = 'slipway.dev/v1alpha1';
const builtIn = 'apps/v1';
const openShift = 'apps.openshift.io/v1';

describe('parseRef', () => {
  test.each([
    ['deployment/web', [slipway, builtIn]],
    ['deployments/web', [slipway, builtIn]],
    ['deploy/web', [slipway, builtIn]],
    ['Deployment/web', [slipway, builtIn]],
    ['sdeploy/web', [slipway]],
    ['deployment.slipway.dev/web', [slipway]],
    ['deployments.v1alpha1.slipway.dev/web', [slipway]],
    ['deployments.apps/web', [builtIn]],
    ['deploy.apps/web', [builtIn]],
    ['deployment.v1.apps/web', [builtIn]],
    ['dc/web', [openShift]],
    ['deploymentconfig/web', [openShift]],
    ['deploymentconfigs/web', [openShift]],
    ['deploymentconfig.apps.openshift.io/web', [openShift]],
    ['dc.v1.apps.openshift.io/web', [openShift]],
    ['ir/web', [slipway]],
    ['imagerepository.slipway.dev/web', [slipway]],
  ])('%s', (text, versions) => {
    const { name, kinds } = parseRef(text);
    expect(name).toBe('web');
    expect(kinds.map(({ type }) => type.apiVersion)).toEqual(versions);
  });

  test.each([
    ['web', 'KIND/NAME: "web" should look like deployment/web'],
    ['deployment/', 'KIND/NAME: "deployment/" should look like deployment/web'],
    ['deployment/a/b', 'KIND/NAME: "deployment/a/b" should look like deployment/web'],
    ['deployment/Web_1', 'KIND/NAME: "Web_1" can\'t be the name of a Deployment'],
    [
      'deplyment/web',
      'KIND: "deplyment" is not a kind that Slipway knows; did you mean deployment?',
    ],
    ['deployment.batch/web', 'KIND: "deployment.batch" is not a kind that Slipway knows'],
    ['deployment./web', 'KIND: "deployment." is not a kind that Slipway knows'],
    [
      'service/web',
      'KIND: "service" is not a kind that Slipway knows; it should be one of deployment',
    ],
  ])('refuses %s in one sentence', (text, sentence) => {
    expect(() => parseRef(text)).toThrow(
      expect.objectContaining({ exitCode: 2, message: expect.stringContaining(sentence) }),
    );
  });
});

describe('parseRefFor', () => {
  test('keeps the kinds that can do it', () => {
    expect(parseRefFor('undo', 'deploy/web').kinds).toHaveLength(2);
    expect(parseRefFor('retry', 'dc/web').kinds).toHaveLength(1);
  });

  test.each<[string, string, string]>([
    ['trigger', 'deploy/web', 'deploy/web: "trigger" is for DeploymentConfigs only'],
    ['undo', 'ir/web', 'ir/web: "undo" is for Deployments and DeploymentConfigs only'],
    [
      'resume-triggers',
      'deploy/web',
      'deploy/web: "resume-triggers" is for DeploymentConfigs only',
    ],
    ['pause', 'ir/web', 'ir/web: "pause" is for Deployments and DeploymentConfigs only'],
  ])('%s %s', (command, text, sentence) => {
    expect(() => parseRefFor(command, text)).toThrow(
      expect.objectContaining({ exitCode: 2, message: sentence }),
    );
  });
});

test('parseKindOrRef takes a kind alone', () => {
  expect(parseKindOrRef('deploy').name).toBeUndefined();
  expect(parseKindOrRef('deploy/web').name).toBe('web');
});

test('refOf names an object in a way that parseRef understands', () => {
  for (const { type } of kinds) {
    expect(parseRef(refOf(type, 'web')).kinds.map((kind) => kind.type)).toEqual([type]);
  }
});

test('kinds are found by their API too', () => {
  expect(findKind(builtIn, 'Deployment')?.type).toBe(resources.builtInDeployments);
  expect(findKind('apps/v1beta1', 'Deployment')).toBeUndefined();
  expect(matchKinds('')).toEqual([]);
});
