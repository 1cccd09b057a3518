import { createHash } from 'node:crypto';

import { describe, expect, test } from '@jest/globals';

import type { HttpAnswer } from '../../src/registry/exchange.js';
import { judgeHead, judgeManifest } from '../../src/registry/judge-manifest.js';

const ociManifest = 'application/vnd.oci.image.manifest.v1+json';
const manifest = JSON.stringify({ schemaVersion: 2, mediaType: ociManifest, layers: [] });
const hash = (algorithm: 'sha256' | 'sha512', text = manifest): string =>
  `${algorithm}:${createHash(algorithm).update(text).digest('hex')}`;
const digest = hash('sha256');
const other = `sha256:${'0'.repeat(64)}`;

function answerOf(
  headers: Readonly<Record<string, string>>,
  { status = 200, body = '' }: { readonly status?: number; readonly body?: string } = {},
): HttpAnswer {
  return {
    status,
    headers: new Map(Object.entries(headers)),
    body: Buffer.from(body),
    origin: 'https://quay.io',
  };
}

describe('from headers alone', () => {
  const judge = (
    type: string | undefined,
    told: string | undefined,
    { wanted, status }: { readonly wanted?: string; readonly status?: number } = {},
  ): unknown => {
    const headers = {
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(told === undefined ? {} : { 'docker-content-digest': told }),
    };
    return judgeHead(answerOf(headers, status === undefined ? {} : { status }), wanted);
  };

  test.each([
    ociManifest,
    'application/vnd.oci.image.index.v1+json',
    'application/vnd.docker.distribution.manifest.v2+json',
    'application/vnd.docker.distribution.manifest.list.v2+json',
    `${ociManifest}; charset=utf-8`,
    ociManifest.toUpperCase(),
  ])('%s is an image', (type) => {
    expect(judge(type, digest)).toEqual({ kind: 'found', digest });
  });

  test('a digest that was asked for is confirmed', () => {
    expect(judge(ociManifest, digest, { wanted: digest })).toEqual({ kind: 'found', digest });
    expect(() => judge(ociManifest, other, { wanted: digest })).toThrow(
      `it answers with ${other} where ${digest} was asked for`,
    );
  });

  test.each([
    ['without a digest', judge(ociManifest, undefined)],
    ['without a type', judge(undefined, digest)],
    ['by another algorithm', judge(ociManifest, digest, { wanted: hash('sha512') })],
    ['from one who does not know the question', judge(undefined, undefined, { status: 405 })],
  ])('is undecided %s', (_case, answer) => {
    expect(answer).toEqual({ kind: 'undecided' });
  });

  test.each([
    ['text/html', 'it answers with text/html that is not an image'],
    ['application/octet-stream', 'it answers with application/octet-stream that is not an image'],
    ['application/vnd.docker.distribution.manifest.v1+prettyjws', 'the old format, schema 1'],
  ])('%s is nonsense', (type, why) => {
    expect(() => judge(type, digest)).toThrow(why);
  });

  test.each(['', 'abc', 'sha256:abc', `${digest}, ${digest}`, digest.toUpperCase()])(
    '%j is no digest',
    (told) => {
      expect(() => judge(ociManifest, told)).toThrow('the digest that it tells is not one');
    },
  );
});

describe.each([
  ['headers', judgeHead],
  ['the manifest', judgeManifest],
])('the status, with %s', (_what, judge) => {
  const judgeStatus = (status: number, type = 'application/json'): unknown =>
    judge(answerOf({ 'content-type': type }, { status }), undefined);

  test('404 and 410: there is none', () => {
    expect(judgeStatus(404)).toEqual({ kind: 'missing' });
    expect(judgeStatus(404, '')).toEqual({ kind: 'missing' });
    expect(judgeStatus(410)).toEqual({ kind: 'missing' });
  });

  test('a web page says nothing about images', () => {
    expect(() => judgeStatus(404, 'text/html; charset=utf-8')).toThrow(
      'it answers 404 with a web page',
    );
  });

  test('401 and 403: it refuses', () => {
    for (const status of [401, 403]) {
      expect(() => judgeStatus(status)).toThrow(
        expect.objectContaining({ kind: 'refused', message: `it answers ${status}` }),
      );
    }
  });

  test.each([204, 206, 304, 402, 406, 418])('%d is nonsense', (status) => {
    expect(() => judgeStatus(status)).toThrow(
      expect.objectContaining({ kind: 'nonsense', message: `it answers ${status}` }),
    );
  });
});

describe('from the manifest itself', () => {
  const judge = (
    headers: Readonly<Record<string, string>>,
    body = manifest,
    wanted?: string,
  ): unknown => judgeManifest(answerOf(headers, { body }), wanted);
  const typed = { 'content-type': ociManifest };

  test('its digest is computed', () => {
    expect(judge(typed)).toEqual({ kind: 'found', digest });
  });

  test('and has to be the one that is told', () => {
    expect(judge({ ...typed, 'docker-content-digest': digest })).toEqual({ kind: 'found', digest });
    const long = hash('sha512');
    expect(judge({ ...typed, 'docker-content-digest': long })).toEqual({
      kind: 'found',
      digest: long,
    });
    expect(() => judge({ ...typed, 'docker-content-digest': other })).toThrow(
      `the manifest that it gives for ${other} is ${digest}`,
    );
    expect(() => judge({ ...typed, 'docker-content-digest': 'abc' })).toThrow('is not one');
  });

  test('and the one that was asked for', () => {
    const long = hash('sha512');
    expect(judge(typed, manifest, long)).toEqual({ kind: 'found', digest: long });
    expect(judge({ ...typed, 'docker-content-digest': digest }, manifest, long)).toEqual({
      kind: 'found',
      digest: long,
    });
    expect(() => judge(typed, manifest, other)).toThrow(`for ${other} is ${digest}`);
  });

  test('its type may be in it', () => {
    expect(judge({})).toEqual({ kind: 'found', digest });
    expect(judge({ 'content-type': 'application/json' })).toEqual({ kind: 'found', digest });
    expect(() => judge({}, '{"schemaVersion": 2}')).toThrow(
      'it answers with something that is not',
    );
  });

  test.each(['', '<html></html>', '[]', 'null', '7', '{}', `${manifest}}`])(
    '%j is none',
    (body) => {
      expect(() => judge(typed, body)).toThrow('its answer is not a manifest');
    },
  );

  test('a web page is none', () => {
    expect(() => judge({ 'content-type': 'text/html' })).toThrow('text/html that is not an image');
  });
});
