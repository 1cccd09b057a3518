import { describe, expect, test } from '@jest/globals';

import { digestAlgorithm } from '../../../src/domain/images/digest.js';
import {
  formatImage,
  isLoopback,
  isSameRepository,
  parseImage,
  parseRepository,
  registryHost,
  type ImageName,
} from '../../../src/domain/images/parse-image.js';

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;
const longDigest = `sha512:${'0123456789abcdef'.repeat(8)}`;

function read(text: string): ImageName {
  const parsed = parseImage(text);
  if (parsed.kind === 'invalid') throw new Error(parsed.problem);
  return parsed.value;
}

function problemOf(parsed: ReturnType<typeof parseRepository>): string {
  return parsed.kind === 'invalid' ? parsed.problem : 'none';
}

describe('an image', () => {
  const cases: readonly (readonly [string, ImageName])[] = [
    ['nginx', { registry: 'docker.io', repository: 'library/nginx' }],
    ['nginx:1.29', { registry: 'docker.io', repository: 'library/nginx', tag: '1.29' }],
    ['team/app', { registry: 'docker.io', repository: 'team/app' }],
    ['docker.io/nginx', { registry: 'docker.io', repository: 'library/nginx' }],
    ['docker.io/team/app:v1', { registry: 'docker.io', repository: 'team/app', tag: 'v1' }],
    ['index.docker.io/nginx', { registry: 'docker.io', repository: 'library/nginx' }],
    ['quay.io/team/app', { registry: 'quay.io', repository: 'team/app' }],
    ['quay.io/app', { registry: 'quay.io', repository: 'app' }],
    ['Quay.IO/app', { registry: 'quay.io', repository: 'app' }],
    ['localhost/app', { registry: 'localhost', repository: 'app' }],
    ['localhost:5000/app:v1', { registry: 'localhost:5000', repository: 'app', tag: 'v1' }],
    ['registry:5000/a/b/c', { registry: 'registry:5000', repository: 'a/b/c' }],
    // As Docker reads it: without a slash, what looks like a port is a tag.
    ['localhost:5000', { registry: 'docker.io', repository: 'library/localhost', tag: '5000' }],
    ['Registry/app', { registry: 'registry', repository: 'app' }],
    ['10.0.0.1/app', { registry: '10.0.0.1', repository: 'app' }],
    ['[fd00::1]:5000/app:v1', { registry: '[fd00::1]:5000', repository: 'app', tag: 'v1' }],
    ['[fd00::1]/app', { registry: '[fd00::1]', repository: 'app' }],
    [`nginx@${digest}`, { registry: 'docker.io', repository: 'library/nginx', digest }],
    [`quay.io/app:v1@${digest}`, { registry: 'quay.io', repository: 'app', tag: 'v1', digest }],
    [
      `quay.io:443/app@${longDigest}`,
      { registry: 'quay.io:443', repository: 'app', digest: longDigest },
    ],
    ['quay.io/a.b_c__d---e/f1', { registry: 'quay.io', repository: 'a.b_c__d---e/f1' }],
    [
      `quay.io/app:_${'x'.repeat(127)}`,
      { registry: 'quay.io', repository: 'app', tag: `_${'x'.repeat(127)}` },
    ],
  ];
  test.each(cases)('%s', (text, image) => {
    expect(read(text)).toEqual(image);
  });

  test.each([
    ['', 'it is empty'],
    ['my app', 'it has white space in it'],
    ['nginx\n', 'it has white space in it'],
    ['https://quay.io/app', 'leave out "https://"'],
    ['quay.io/', 'the name of the repository is missing'],
    [':v1', 'the name of the repository is missing'],
    ['/app', 'a part of the name is empty'],
    ['quay.io//app', 'a part of the name is empty'],
    ['quay.io/app/', 'a part of the name is empty'],
    ['quay.io/Team/app', '"Team" must be in lower case'],
    ['quay.io/team/APP', '"APP" must be in lower case'],
    ['quay.io/-app', '"-app" may have'],
    ['quay.io/a..b', '"a..b" may have'],
    ['quay.io/a___b', '"a___b" may have'],
    ['quay.io/../../x', '".." may have'],
    ['quay.io/a%2fb', '"a%2fb" may have'],
    ['quay.io/app?x=1', '"app?x=1" may have'],
    ['quay.io/app:', 'the tag "" must have'],
    ['quay.io/app:-v1', 'the tag "-v1" must have'],
    [`quay.io/app:${'x'.repeat(129)}`, 'must have 1 to 128'],
    ['quay.io/app@', 'the digest "" must be'],
    ['quay.io/app@sha256:abc', 'the digest "sha256:abc" must be'],
    [`quay.io/app@${digest.toUpperCase()}`, 'must be sha256:'],
    [`quay.io/app@${digest}0`, 'must be sha256:'],
    [`quay.io/app@md5:${'0'.repeat(32)}`, 'must be sha256:'],
    [`quay.io/app@${digest}@${digest}`, 'more than one "@"'],
    ['quay.io:port/app', 'has no valid port'],
    ['quay.io:0/app', 'has no valid port'],
    ['quay.io:65536/app', 'has no valid port'],
    ['-quay.io/app', 'the registry "-quay.io" is no host name'],
    ['user@quay.io/app', 'the digest "quay.io/app" must be'],
    ['[fd00::1/app', 'is no host name'],
    ['0'.repeat(64), 'could also be the id'],
    [`quay.io/${'a'.repeat(248)}`, 'more than 255 characters'],
  ])('%j is none', (text, why) => {
    const parsed = parseImage(text);
    expect(parsed).toEqual({
      kind: 'invalid',
      problem: expect.stringMatching(/^".*" is not an image: /s),
    });
    expect(problemOf(parsed)).toContain(why);
  });
});

describe('a repository', () => {
  test('is a name in full', () => {
    expect(parseRepository('nginx')).toEqual({
      kind: 'valid',
      value: { registry: 'docker.io', repository: 'library/nginx' },
    });
    expect(parseRepository('quay.io:443/team/app')).toEqual({
      kind: 'valid',
      value: { registry: 'quay.io:443', repository: 'team/app' },
    });
  });

  test.each([
    ['nginx:1.29', '"nginx:1.29" is not a repository: it names the tag "1.29"'],
    [`nginx@${digest}`, 'it names a digest, which belongs to one image'],
    ['Nginx', '"Nginx" must be in lower case'],
    ['', '"" is not a repository: it is empty'],
  ])('%s is none', (text, why) => {
    expect(problemOf(parseRepository(text))).toContain(why);
  });

  test('is the same however it is written', () => {
    expect(isSameRepository(read('nginx:1'), read('index.docker.io/library/nginx'))).toBe(true);
    expect(isSameRepository(read('quay.io/app'), read('quay.io:443/app'))).toBe(false);
    expect(isSameRepository(read('quay.io/app'), read('quay.io/app2'))).toBe(false);
  });
});

test('formats are in full, and can be read again', () => {
  for (const text of ['nginx', 'localhost:5000/a/b:v1', `quay.io/app:v1@${digest}`]) {
    const image = read(text);
    expect(read(formatImage(image))).toEqual(image);
  }
  expect(formatImage(read('nginx'))).toBe('docker.io/library/nginx');
  expect(formatImage(read(`nginx:1@${digest}`))).toBe(`docker.io/library/nginx:1@${digest}`);
});

test("Docker Hub's API has a host of its own", () => {
  expect(registryHost('docker.io')).toBe('registry-1.docker.io');
  expect(registryHost('quay.io:443')).toBe('quay.io:443');
});

test('a digest says how it was made', () => {
  expect(digestAlgorithm(digest)).toBe('sha256');
  expect(digestAlgorithm(longDigest)).toBe('sha512');
  expect(digestAlgorithm(` ${digest}`)).toBeUndefined();
  expect(digestAlgorithm(`${digest}\n`)).toBeUndefined();
  expect(digestAlgorithm(`sha512:${'0'.repeat(64)}`)).toBeUndefined();
});

test.each([
  ['localhost', true],
  ['localhost:5000', true],
  ['127.0.0.1:20123', true],
  ['[::1]:5000', true],
  ['127.example.com', false],
  ['localhost.example.com', false],
  ['10.0.0.1:5000', false],
  ['docker.io', false],
])('whether a registry is on the machine itself: %s', (registry, expected) => {
  expect(isLoopback(registry)).toBe(expected);
});
