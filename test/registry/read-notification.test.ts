import { describe, expect, test } from '@jest/globals';

import { readNotification } from '../../src/registry/read-notification.js';

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;
const target = {
  mediaType: 'application/vnd.oci.image.manifest.v1+json',
  size: 400,
  digest,
  length: 400,
  repository: 'team/app',
  url: `http://127.0.0.1:5000/v2/team/app/manifests/${digest}`,
  tag: 'stable',
};
const push = {
  id: '3e5f1c2a',
  timestamp: '2026-01-01T00:00:00Z',
  action: 'push',
  target,
  request: { id: 'x', addr: '10.0.0.1:1234', host: 'registry.example:5000', method: 'PUT' },
  actor: { name: 'robin' },
  source: { addr: 'registry-0:5000', instanceID: 'y' },
};
const notice = { host: 'registry.example:5000', repository: 'team/app', tag: 'stable', digest };

test('a push of a tag is told', () => {
  expect(readNotification({ events: [push] })).toEqual({ kind: 'valid', pushes: [notice] });
});

test('all of them, in their order', () => {
  const second = { ...push, target: { ...target, tag: 'v2', repository: 'web' } };
  expect(readNotification({ events: [push, second] })).toEqual({
    kind: 'valid',
    pushes: [notice, { ...notice, tag: 'v2', repository: 'web' }],
  });
});

test.each([
  ['a pull', { ...push, action: 'pull' }],
  ['a deletion', { action: 'delete', target: { digest, repository: 'team/app' } }],
  ['a mount', { ...push, action: 'mount', target: {} }],
  ['what is not known yet', { action: 'sign' }],
  ['a layer', { ...push, target: { ...target, tag: undefined } }],
  ['a manifest without a tag', { ...push, target: { ...target, tag: '' } }],
])('%s is passed over', (_what, event) => {
  expect(readNotification({ events: [event, push] })).toEqual({ kind: 'valid', pushes: [notice] });
});

test('without the host, everything else is told', () => {
  const { host, ...rest } = notice;
  expect(host).toBeDefined();
  for (const request of [undefined, {}, { host: '' }, { host: 7 }]) {
    expect(readNotification({ events: [{ ...push, request }] })).toEqual({
      kind: 'valid',
      pushes: [rest],
    });
  }
});

test('no events are no pushes', () => {
  expect(readNotification({ events: [] })).toEqual({ kind: 'valid', pushes: [] });
});

describe('what is malformed is named', () => {
  const withTarget = (changes: object): object => ({
    events: [push, { ...push, target: { ...target, ...changes } }],
  });
  test.each([
    [undefined, 'the notification is not a JSON object'],
    ['push', 'the notification is not a JSON object'],
    [[push], 'the notification is not a JSON object'],
    [{}, 'events: must be a list'],
    [{ events: { 0: push } }, 'events: must be a list'],
    [{ events: [null] }, 'events[0]: must be an object'],
    [{ events: [{ target }] }, 'events[0].action: must be a text'],
    [{ events: [{ action: 'push' }] }, 'events[0].target: must be an object'],
    [withTarget({ tag: 'not a tag' }), 'events[1].target.tag: must be a tag'],
    [withTarget({ tag: 7 }), 'events[1].target.tag: must be a tag'],
    [
      withTarget({ repository: '' }),
      'events[1].target.repository: must be the name of a repository',
    ],
    [
      withTarget({ repository: 7 }),
      'events[1].target.repository: must be the name of a repository',
    ],
    [withTarget({ digest: undefined }), 'events[1].target.digest: must be a digest'],
    [withTarget({ digest: 'sha256:abc' }), 'events[1].target.digest: must be a digest'],
  ])('%j', (envelope, problem) => {
    expect(readNotification(envelope)).toEqual({ kind: 'invalid', problem });
  });
});
