import { describe, expect, test } from '@jest/globals';

import type { HttpAnswer, HttpQuestion } from '../../src/registry/exchange.js';
import { parseChallenges } from '../../src/registry/parse-challenges.js';
import {
  buildTokenQuestion,
  requestToken,
  type TokenRequest,
} from '../../src/registry/request-token.js';

const password = { kind: 'password', username: 'robin', password: 'secret words' } as const;

function wantedBy(header: string, changes: Partial<TokenRequest> = {}): TokenRequest {
  const [challenge] = parseChallenges(header);
  return {
    challenge: challenge!,
    scope: 'repository:app:pull',
    credentials: undefined,
    insecure: false,
    ...changes,
  };
}

const usual = wantedBy('Bearer realm="https://auth.example/token?x=1",service="my registry"');

describe('the question for a token', () => {
  test('as anybody', () => {
    const { method, url, authorization, redirects } = buildTokenQuestion(usual);
    expect(url.href).toBe(
      'https://auth.example/token?x=1&service=my+registry&scope=repository%3Aapp%3Apull',
    );
    expect({ method, authorization, redirects }).toEqual({
      method: 'GET',
      authorization: undefined,
      redirects: 'same-host',
    });
  });

  test('with a password, which is in no address', () => {
    const { url, authorization } = buildTokenQuestion({ ...usual, credentials: password });
    expect(authorization).toBe(`Basic ${Buffer.from('robin:secret words').toString('base64')}`);
    expect(url.href).not.toContain('secret');
  });

  test('with an identity token', () => {
    const credentials = { kind: 'identity-token', token: 'a+b' } as const;
    const { method, url, body, authorization } = buildTokenQuestion({ ...usual, credentials });
    expect(method).toBe('POST');
    expect(url.href).toBe('https://auth.example/token?x=1');
    expect(authorization).toBeUndefined();
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      grant_type: 'refresh_token',
      client_id: 'slipway',
      service: 'my registry',
      scope: 'repository:app:pull',
      refresh_token: 'a+b',
    });
  });

  test('for what the registry says', () => {
    const { url } = buildTokenQuestion(
      wantedBy('Bearer realm="https://a.io/",scope="repository:x:pull repository:y:pull"'),
    );
    expect(url.searchParams.getAll('scope')).toEqual(['repository:x:pull', 'repository:y:pull']);
    expect(url.searchParams.has('service')).toBe(false);
  });

  test.each([
    ['Bearer service="x"', 'does not say where to get one'],
    ['Bearer realm="auth.example/token"', 'does not say where to get one'],
    [
      'Bearer realm="http://auth.example/token"',
      'its token server http://auth.example is not HTTPS',
    ],
    ['Bearer realm="file:///etc/passwd"', 'is not HTTPS'],
  ])('is not asked: %s', (header, why) => {
    expect(() => buildTokenQuestion(wantedBy(header))).toThrow(why);
  });

  test('may go without TLS where the registry does', () => {
    const header = 'Bearer realm="http://auth.example/token"';
    expect(buildTokenQuestion(wantedBy(header, { insecure: true })).url.protocol).toBe('http:');
    expect(() =>
      buildTokenQuestion(wantedBy('Bearer realm="file:///etc/passwd"', { insecure: true })),
    ).toThrow('is not HTTPS');
  });
});

describe('the answer', () => {
  const asked = (status: number, body: string, wanted: TokenRequest = usual): Promise<unknown> => {
    const send = ({ url }: HttpQuestion): Promise<HttpAnswer> =>
      Promise.resolve({ status, headers: new Map(), body: Buffer.from(body), origin: url.origin });
    return requestToken(wanted, send);
  };

  test.each([
    ['{"token": "abc", "expires_in": 300}', { token: 'abc', lastsMs: 300_000 }],
    ['{"access_token": "abc"}', { token: 'abc', lastsMs: 60_000 }],
    ['{"token": "", "access_token": "abc"}', { token: 'abc', lastsMs: 60_000 }],
    ['{"token": "abc", "expires_in": -1}', { token: 'abc', lastsMs: 60_000 }],
    ['{"token": "abc", "expires_in": "soon"}', { token: 'abc', lastsMs: 60_000 }],
  ])('%s', async (body, token) => {
    expect(await asked(200, body)).toEqual(token);
  });

  test.each(['', '<html>', '[]', 'null', '{}', '{"token": 7}', '{"token": "a\\r\\nb: c"}'])(
    '%j is none',
    async (body) => {
      await expect(asked(200, body)).rejects.toMatchObject({
        kind: 'nonsense',
        message: 'its token server auth.example answers without a token',
      });
    },
  );

  test('says when credentials are refused, and not which', async () => {
    const failure = { kind: 'refused', message: expect.not.stringContaining('secret') as unknown };
    for (const status of [401, 403]) {
      await expect(asked(status, '')).rejects.toMatchObject({
        kind: 'refused',
        message: 'its token server auth.example wants credentials, and there are none for it',
      });
      await expect(asked(status, '', { ...usual, credentials: password })).rejects.toMatchObject(
        failure,
      );
    }
    const credentials = { kind: 'identity-token', token: 'secret' } as const;
    await expect(asked(400, '', { ...usual, credentials })).rejects.toMatchObject(failure);
  });

  test('of another kind is nonsense', async () => {
    await expect(asked(404, '')).rejects.toMatchObject({
      kind: 'nonsense',
      message: 'its token server auth.example answers 404',
    });
  });
});
