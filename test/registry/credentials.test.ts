import { describe, expect, test } from '@jest/globals';

import { parseRepository } from '../../src/domain/images/parse-image.js';
import {
  pickCredentials,
  readPullSecrets,
  type Keyring,
  type PullSecret,
} from '../../src/registry/credentials.js';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

function secretOf(auths: unknown, name = 'pull'): PullSecret {
  return {
    metadata: { name },
    type: 'kubernetes.io/dockerconfigjson',
    data: { '.dockerconfigjson': base64(JSON.stringify({ auths })) },
  };
}

function keyringOf(...secrets: readonly PullSecret[]): Keyring {
  const reading = readPullSecrets(secrets);
  if (reading.kind === 'invalid') throw new Error(reading.problem);
  return reading.keyring;
}

/** Entries whose user names tell which is which. */
const entries = (...places: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(places.map((place) => [place, { username: place, password: 'x' }]));

/** The user names of what may open a repository, in order. */
function pick(keyring: Keyring, repository: string): readonly string[] {
  const name = parseRepository(repository);
  if (name.kind === 'invalid') throw new Error(name.problem);
  return pickCredentials(keyring, name.value).map((credentials) =>
    credentials.kind === 'password' ? credentials.username : credentials.token,
  );
}

describe('credentials are read', () => {
  const password = { kind: 'password', username: 'robin', password: 'secret:words' } as const;

  test('from a user name and a password', () => {
    const secret = secretOf({ 'quay.io': { username: 'robin', password: 'secret:words' } });
    expect(keyringOf(secret)).toEqual([{ location: 'quay.io', credentials: password }]);
  });

  test('from both in one, which wins', () => {
    const auth = base64('robin:secret:words');
    for (const entry of [
      { auth },
      { auth: auth.replace(/=+$/, '') },
      { auth: ` ${auth}\n` },
      { auth, username: 'other', password: 'other' },
    ]) {
      expect(keyringOf(secretOf({ 'quay.io': entry }))[0]?.credentials).toEqual(password);
    }
  });

  test('from an identity token, which wins over all', () => {
    const secret = secretOf({
      'quay.io': { auth: base64('00000000-0000:'), identitytoken: 'long token' },
    });
    expect(keyringOf(secret)[0]?.credentials).toEqual({
      kind: 'identity-token',
      token: 'long token',
    });
  });

  test('from the older type of Secret', () => {
    const secret = {
      type: 'kubernetes.io/dockercfg',
      data: { '.dockercfg': base64(JSON.stringify(entries('quay.io'))) },
    };
    expect(pick(keyringOf(secret), 'quay.io/app')).toEqual(['quay.io']);
  });

  test('of Secrets that are for something else there is nothing to read', () => {
    const { data = {} } = secretOf(entries('quay.io'));
    for (const secret of [
      { type: 'Opaque', data },
      { type: 'kubernetes.io/dockercfg', data },
      { type: '__proto__', data },
      { data },
      { type: 'kubernetes.io/dockerconfigjson' },
      { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': '' } },
      secretOf(undefined),
      secretOf({}),
      secretOf({ 'quay.io': {} }),
      secretOf({ '': { username: 'a', password: 'b' } }),
    ]) {
      expect(keyringOf(secret)).toEqual([]);
    }
  });

  test.each([
    [
      { '.dockerconfigjson': base64('{"auths": ') },
      'data[".dockerconfigjson"] is not a JSON object',
    ],
    [{ '.dockerconfigjson': base64('[]') }, 'data[".dockerconfigjson"] is not a JSON object'],
    [{ '.dockerconfigjson': base64('{"auths": [1]}') }, '"auths" in data[".dockerconfigjson"]'],
    [
      { '.dockerconfigjson': base64('{"auths": {"a.io": 1}}') },
      'the entry "a.io" is not an object',
    ],
    [{ '.dockerconfigjson': base64('{"auths": {"a.io": {"auth": "%"}}}') }, 'is not base64'],
    [
      { '.dockerconfigjson': base64('{"auths": {"a.io": {"auth": "c2VjcmV0"}}}') },
      'the entry "a.io" has an "auth" that is not a user name, ":" and a password',
    ],
  ])('what is malformed is said, without what it is: %#', (data, why) => {
    const reading = readPullSecrets([
      { metadata: { name: 'pull' }, type: 'kubernetes.io/dockerconfigjson', data },
    ]);
    const problem = reading.kind === 'invalid' ? reading.problem : '';
    expect(problem).toContain('the Secret "pull" has no usable credentials: ');
    expect(problem).toContain(why);
    expect(problem).not.toContain('c2VjcmV0');
    expect(problem).not.toContain('secret');
  });
});

describe('credentials are picked', () => {
  test('for their registry alone', () => {
    const keyring = keyringOf(secretOf(entries('quay.io', 'quay.io:8443', 'other.io')));
    expect(pick(keyring, 'quay.io/team/app')).toEqual(['quay.io']);
    expect(pick(keyring, 'quay.io:8443/team/app')).toEqual(['quay.io:8443']);
    expect(pick(keyring, 'quay.io:443/team/app')).toEqual([]);
    expect(pick(keyring, 'sub.quay.io/team/app')).toEqual([]);
    expect(pick(keyring, 'notquay.io/team/app')).toEqual([]);
    expect(pick(keyring, 'nginx')).toEqual([]);
  });

  test('the most particular first, and then the others', () => {
    const keyring = keyringOf(
      secretOf(entries('*.example.com', 'reg.example.com', 'reg.example.com/team/app')),
      secretOf(entries('reg.example.com/team', 'reg.example.com/other')),
    );
    expect(pick(keyring, 'reg.example.com/team/app')).toEqual([
      'reg.example.com/team/app',
      'reg.example.com/team',
      'reg.example.com',
      '*.example.com',
    ]);
    expect(pick(keyring, 'reg.example.com/team/web')).toEqual([
      'reg.example.com/team',
      'reg.example.com',
      '*.example.com',
    ]);
    expect(pick(keyring, 'eu.example.com/team/app')).toEqual(['*.example.com']);
  });

  test('in the order of the Secrets where they are for the same', () => {
    const keyring = keyringOf(
      secretOf({ 'quay.io': { username: 'old', password: 'x' } }),
      secretOf({ 'https://quay.io/v2/': { username: 'new', password: 'x' } }),
    );
    expect(pick(keyring, 'quay.io/app')).toEqual(['old', 'new']);
  });

  test('for Docker Hub by any of its names', () => {
    for (const place of ['https://index.docker.io/v1/', 'index.docker.io', 'docker.io']) {
      const keyring = keyringOf(secretOf(entries(place)));
      expect(pick(keyring, 'nginx')).toEqual([place]);
      expect(pick(keyring, 'docker.io/team/app')).toEqual([place]);
      expect(pick(keyring, 'quay.io/nginx')).toEqual([]);
    }
  });
});
