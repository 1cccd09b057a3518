import { describe, expect, test } from '@jest/globals';

import {
  isSameChange,
  readAuthor,
  readChangeNote,
  writeChangeNote,
  type ChangedTemplate,
} from '../../src/kubernetes/change-note.js';
import type { PodTemplate } from '../../src/kubernetes/objects.js';

const template = (
  image = 'web:1',
  labels: Record<string, string> = { app: 'web' },
): PodTemplate => ({
  metadata: { labels },
  spec: { containers: [{ name: 'web', image }], initContainers: [{ name: 'init', image: 'i:1' }] },
});
const changed: ChangedTemplate = { template: template(), next: 3 };
const author = { by: 'ann', manager: 'slipway', reason: 'new keys' };
const note = writeChangeNote(author, changed);

test('who has written a template is read as it was written', () => {
  expect(readChangeNote(note, changed)).toEqual(author);
  expect(readChangeNote(writeChangeNote({}, changed), changed)).toEqual({});
});

describe('it is no word about', () => {
  test.each<[string, ChangedTemplate]>([
    ['another template', { template: template('web:2'), next: 3 }],
    ['another revision, be it of the same template', { ...changed, next: 4 }],
    ['another kind of number', { ...changed, next: '3' }],
  ])('%s', (_title, other) => {
    expect(readChangeNote(note, other)).toBeUndefined();
  });

  test.each([undefined, '', 'spoilt', '[]', 'null', '"ann"', '{}'])('anything: %p', (text) => {
    const own = text === undefined ? {} : { 'slipway.dev/changed-by': text };
    expect(readChangeNote(own, changed)).toBeUndefined();
  });

  test('what is not there', () => {
    expect(readChangeNote(undefined, changed)).toBeUndefined();
  });
});

test('what the apiserver or a controller adds makes no difference', () => {
  const stored = template('web:1', { app: 'web', 'pod-template-hash': 'abc' });
  stored.metadata = { ...stored.metadata, creationTimestamp: null as never };
  expect(readChangeNote(note, { template: stored, next: 3 })).toEqual(author);
});

describe('images that are filled in', () => {
  const filled = (image: string): ChangedTemplate => ({
    template: template(image),
    next: 3,
    filled: ['web'],
  });

  test('are none of the author’s', () => {
    const own = writeChangeNote(author, filled(' '));
    expect(readChangeNote(own, filled('web@sha256:abc'))).toEqual(author);
    expect(isSameChange(filled('a'), filled('b'))).toBe(true);
  });

  test('but others are', () => {
    expect(isSameChange({ ...filled('a'), filled: ['init'] }, filled('b'))).toBe(false);
    expect(isSameChange(changed, { ...changed, template: template('web:2') })).toBe(false);
  });

  test('in init containers, too', () => {
    const both = { ...changed, filled: ['init'] };
    const moved: ChangedTemplate = {
      ...both,
      template: {
        ...template(),
        spec: { ...template().spec!, initContainers: [{ name: 'init', image: 'i:2' }] },
      },
    };
    expect(isSameChange(both, moved)).toBe(true);
  });
});

test('a template without a spec has an author as well', () => {
  const bare = { template: {}, next: 1 };
  expect(readChangeNote(writeChangeNote(author, bare), bare)).toEqual(author);
});

test('of an author only texts count', () => {
  expect(readAuthor({ by: 7, manager: '', reason: 'x', other: 'y' })).toEqual({ reason: 'x' });
});
