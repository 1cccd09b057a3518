import { describe, expect, test } from '@jest/globals';

import { writeChangeNote } from '../../../src/kubernetes/change-note.js';
import { configAnnotations } from '../../../src/kubernetes/deployment-configs/annotations.js';
import {
  buildController,
  decodeConfig,
} from '../../../src/kubernetes/deployment-configs/build-controller.js';
import {
  changedTemplate,
  readChange,
  type ServedBefore,
} from '../../../src/kubernetes/deployment-configs/config-change.js';
import type { DeploymentConfig } from '../../../src/kubernetes/deployment-configs/objects.js';
import { config, followLatest, version } from '../../client/support/configs.js';

const author = { by: 'ann', manager: 'slipway', reason: 'new keys' };

/** What a version knows of who wrote its template. */
const changeOf = (object: DeploymentConfig, number = 2, before?: ServedBefore) =>
  readChange(buildController(object, number, before));

describe('a version keeps who has written its template', () => {
  test('as they said', () => {
    const annotations = writeChangeNote(author, changedTemplate(config()));
    expect(changeOf(config({ annotations }))).toEqual(author);
  });

  test('also when its image was filled in since', () => {
    const written = config({ image: ' ', spec: followLatest });
    const annotations = writeChangeNote(author, changedTemplate(written));
    const filled = config({ image: 'web@sha256:abc', spec: followLatest, annotations });
    expect(changeOf(filled)).toEqual(author);
  });

  test('but not who wrote another one, or another version', () => {
    const annotations = writeChangeNote(author, changedTemplate(config({ image: 'web:0' })));
    expect(changeOf(config({ annotations }))).toEqual({});
    const own = writeChangeNote(author, changedTemplate(config()));
    expect(changeOf(config({ annotations: own }), 3)).toEqual({});
  });

  test('by the program, where nobody says more', () => {
    const fieldsV1 = { 'f:spec': { 'f:template': { 'f:metadata': {} } } };
    const object = config();
    object.metadata.managedFields = [{ manager: 'kubectl-edit', time: 'x', fieldsV1 }];
    expect(changeOf(object)).toEqual({ manager: 'kubectl-edit' });
  });
});

test('it keeps what was in force before, with the images where they were others', () => {
  const was = { wasVersion: 1, was: ['web:1'] };
  expect(changeOf(config({ image: 'web:2' }), 2, version(1))).toEqual(was);
  expect(changeOf(config({ image: 'web:2' }), 4, version(1))).toEqual(was);
  expect(changeOf(config(), 2, version(1))).toEqual({ wasVersion: 1 });
  expect(changeOf(config(), 2, 'none')).toEqual({ wasVersion: 0 });
  expect(changeOf(config(), 1, 'none')).toEqual({});
});

test('what nobody knows is not written', () => {
  const { metadata } = buildController(config(), 1);
  expect(metadata.annotations).not.toHaveProperty([configAnnotations.change]);
});

test('the note is the config’s own: neither the version nor its snapshot has it', () => {
  const annotations = { ...writeChangeNote(author, changedTemplate(config())), team: 'shop' };
  const controller = buildController(config({ annotations }), 2);
  expect(controller.metadata.annotations).not.toHaveProperty([configAnnotations.changedBy]);
  expect(decodeConfig(controller)?.metadata.annotations).toEqual({ team: 'shop' });
});

test.each([
  'spoilt',
  '[]',
  '{"was": "web:1"}',
  '{"was": [7]}',
  '{"wasVersion": "1"}',
  '{"wasVersion": -1}',
])('%s says nothing', (text) => {
  expect(readChange(version(1, { marks: { [configAnnotations.change]: text } }))).toEqual({});
});
