import { describe, expect, test } from '@jest/globals';

import { writeChangeNote } from '../../src/kubernetes/change-note.js';
import { findAuthor, findManager } from '../../src/kubernetes/find-author.js';
import type { FieldsOwner } from '../../src/kubernetes/objects.js';

const web = 'k:{"name":"web"}';
const inContainer = (fields: object, name = web) => ({
  'f:spec': { 'f:template': { 'f:spec': { 'f:containers': { [name]: fields } } } },
});
const image = inContainer({ 'f:image': {} });

const owner = (manager: string, hour: number, fieldsV1: object, subresource = ''): FieldsOwner => ({
  manager,
  time: `2026-01-01T0${hour}:00:00Z`,
  subresource,
  fieldsV1: fieldsV1 as Record<string, unknown>,
});
const changed = {
  template: { spec: { containers: [{ name: 'web', image: 'web:1' }] } },
  next: 2,
};
const metadata = (managedFields: FieldsOwner[], annotations: Record<string, string> = {}) => ({
  name: 'web',
  managedFields,
  annotations,
});

describe('the program that wrote the template last', () => {
  test.each<[string, FieldsOwner[], string | undefined]>([
    ['nobody knows', [], undefined],
    ['the only one', [owner('kubectl-client-side-apply', 1, image)], 'kubectl-client-side-apply'],
    [
      'the last of several',
      [owner('helm', 1, image), owner('kubectl-set', 3, image), owner('kubectl', 2, image)],
      'kubectl-set',
    ],
    [
      'of two in one second the one that owns less',
      [
        owner('helm', 1, inContainer({ 'f:args': {}, 'f:env': {} })),
        owner('kubectl-set', 1, image),
      ],
      'kubectl-set',
    ],
    [
      'not one that wrote something else',
      [owner('helm', 1, image), owner('hpa', 3, { 'f:spec': { 'f:replicas': {} } })],
      'helm',
    ],
    [
      'not one that wrote the status',
      [owner('helm', 1, image), owner('odd', 3, image, 'status')],
      'helm',
    ],
  ])('%s', (_title, managedFields, manager) => {
    expect(findAuthor(metadata(managedFields), changed).manager).toBe(manager);
  });
});

describe('where images are filled in', () => {
  const filled = { ...changed, filled: ['web'] };

  test.each<[string, FieldsOwner[], string | undefined]>([
    [
      'whoever fills them in is not the author',
      [owner('kubectl-edit', 1, inContainer({ 'f:env': {} })), owner('slipway', 2, image)],
      'kubectl-edit',
    ],
    ['nor is anybody else', [owner('slipway', 2, image)], undefined],
    [
      'but whoever sets another image is',
      [
        owner('helm', 1, inContainer({ '.': {}, 'f:name': {} })),
        owner('kubectl-set', 2, inContainer({ 'f:image': {} }, 'k:{"name":"sidecar"}')),
      ],
      'kubectl-set',
    ],
    [
      'and whoever writes more than the image',
      [owner('helm', 1, inContainer({ 'f:image': {}, 'f:args': {} }))],
      'helm',
    ],
  ])('%s', (_title, managedFields, manager) => {
    expect(findAuthor(metadata(managedFields), filled).manager).toBe(manager);
  });
});

test('whoever says who they are is believed, as long as it is about this template', () => {
  const fields = [owner('kubectl-edit', 1, image)];
  const said = writeChangeNote({ by: 'ann', reason: 'why' }, changed);
  expect(findAuthor(metadata(fields, said), changed)).toEqual({
    by: 'ann',
    reason: 'why',
    manager: 'kubectl-edit',
  });
  const named = writeChangeNote({ by: 'ann', manager: 'slipway' }, changed);
  expect(findAuthor(metadata(fields, named), changed).manager).toBe('slipway');
  expect(findAuthor(metadata(fields, named), { ...changed, next: 3 })).toEqual({
    manager: 'kubectl-edit',
  });
});

test('any field has somebody who wrote it last', () => {
  const wish = owner('kubectl-patch', 2, { 'f:spec': { 'f:rollbackTo': { 'f:revision': {} } } });
  const fields = metadata([owner('helm', 1, image), wish]);
  expect(findManager(fields, ['f:spec', 'f:rollbackTo'])).toBe('kubectl-patch');
  expect(findManager(fields, ['f:spec', 'f:paused'])).toBeUndefined();
  expect(findManager({ name: 'web' }, ['f:spec'])).toBeUndefined();
});
