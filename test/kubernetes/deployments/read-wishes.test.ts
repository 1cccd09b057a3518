import { describe, expect, test } from '@jest/globals';

import { readWishes } from '../../../src/kubernetes/deployments/read-wishes.js';
import type { Deployment, DeploymentSpec } from '../../../src/kubernetes/objects.js';

const annotated = (annotations: Record<string, string>): Deployment => ({
  metadata: { name: 'web', annotations },
});
const specified = (spec: Partial<DeploymentSpec>): Deployment => ({
  metadata: { name: 'web' },
  spec: { selector: {}, template: {}, ...spec },
});
const wishes = (annotations: Record<string, string>) =>
  readWishes('apps/v1', annotated(annotations));

describe('our own kind, by its spec', () => {
  const read = (spec: Partial<DeploymentSpec>) =>
    readWishes('slipway.dev/v1alpha1', specified(spec));

  test('nothing wished for', () => {
    expect(read({})).toEqual({});
  });

  test('everything', () => {
    expect(
      read({ rollbackTo: { revision: 3 }, rollbackOnFailure: true, triggers: ['NewImage'] }),
    ).toEqual({
      rollbackTo: 3,
      rollsBackOnFailure: true,
      statedTriggers: ['NewImage'],
    });
  });

  test('a rollback without a revision is to the one before', () => {
    expect(read({ rollbackTo: {} })).toEqual({ rollbackTo: 0 });
  });
});

describe('apps/v1, by annotations', () => {
  test('everything', () => {
    expect(
      wishes({
        'deprecated.deployment.rollback.to': '2',
        'slipway.dev/rollback-on-failure': 'true',
        'slipway.dev/triggers': 'NewImage, ConfigChange',
      }),
    ).toEqual({
      rollbackTo: 2,
      rollsBackOnFailure: true,
      statedTriggers: ['NewImage', 'ConfigChange'],
    });
  });

  test.each([
    ['slipway.dev/rollback-on-failure', 'yes', 'must be "true" or "false", not "yes"'],
    ['slipway.dev/triggers', 'NewMoon', 'ConfigChange, not "NewMoon"'],
  ])('a wrong %s is a problem that names it', (name, value, sentence) => {
    const { problem } = wishes({ [name]: value });
    expect(problem).toContain(`metadata.annotations[${name}]: `);
    expect(problem).toContain(sentence);
  });
});

test.each(['', 'null', '{', '{"from":"a"}', '[]'])('a note that is none: %s', (text) => {
  expect(wishes({ 'slipway.dev/rolled-back': text })).toEqual({});
});

test('a note of a rollback', () => {
  const note = { from: 'a', to: 'b', reason: 'PodsCrash', message: 'why' };
  expect(wishes({ 'slipway.dev/rolled-back': JSON.stringify(note) })).toEqual({ rolledBack: note });
});
