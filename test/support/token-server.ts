import { generateKeyPairSync, randomUUID, sign, type JsonWebKey } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

import { startHttpServer, type HttpServer } from './http-server.js';
import { registryUser } from './registry.js';

export interface TokenServerOptions {
  /** Whose images anybody may pull. */
  readonly publicRepositories?: readonly string[];
  /** How long a token is good; the registry itself adds a minute for clocks that differ. */
  readonly goodForSeconds?: number;
  /** How long the server says that it is good. */
  readonly saysSeconds?: number;
}

export interface TokenRequestSeen {
  readonly method: string;
  readonly authorization: string | undefined;
  readonly service: string | null;
  readonly scopes: readonly string[];
}

/** Gives tokens that a registry trusts because it has been told the keys. */
export interface TokenServer {
  readonly realm: string;
  readonly service: string;
  readonly issuer: string;
  readonly keys: { readonly keys: readonly JsonWebKey[] };
  readonly seen: readonly TokenRequestSeen[];
  issue(repository: string, actions: readonly string[]): string;
  stop(): Promise<void>;
}

/** What a login would have left behind. */
export const identityToken = 'left by a login';

const service = 'test registry';
const issuer = 'test token server';
const keyId = 'test-key';

export async function startTokenServer(options: TokenServerOptions = {}): Promise<TokenServer> {
  const { publicRepositories = [], goodForSeconds = 300, saysSeconds = 300 } = options;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const seen: TokenRequestSeen[] = [];

  const issueFor = (access: readonly object[]): string => {
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      iss: issuer,
      sub: '',
      aud: service,
      exp: now + goodForSeconds,
      nbf: now - 600,
      iat: now - 600,
      jti: randomUUID(),
      access,
    };
    const signed = [{ typ: 'JWT', alg: 'ES256', kid: keyId }, claims].map(encode).join('.');
    const signature = sign('sha256', Buffer.from(signed), {
      key: privateKey,
      dsaEncoding: 'ieee-p1363',
    });
    return `${signed}.${signature.toString('base64url')}`;
  };

  const server: HttpServer = await startHttpServer(async (incoming, response) => {
    const asked = await readTokenRequest(incoming);
    seen.push(asked.seen);
    if (asked.isWrong) {
      response.writeHead(401).end();
      return;
    }
    const granted = asked.seen.scopes
      .map(readScope)
      .filter(({ name }) => asked.isUser || publicRepositories.includes(name))
      .map((scope) => (asked.isUser ? scope : { ...scope, actions: ['pull'] }));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ token: issueFor(granted), expires_in: saysSeconds }));
  });

  return {
    realm: `${server.url}/token`,
    service,
    issuer,
    keys: {
      keys: [{ ...publicKey.export({ format: 'jwk' }), kid: keyId, alg: 'ES256', use: 'sig' }],
    },
    seen,
    issue: (name, actions) => issueFor([{ type: 'repository', name, actions }]),
    stop: () => server.stop(),
  };
}

interface TokenRequest {
  readonly seen: TokenRequestSeen;
  readonly isUser: boolean;
  /** Whoever says nothing is anybody; whoever says something wrong is refused. */
  readonly isWrong: boolean;
}

async function readTokenRequest(incoming: IncomingMessage): Promise<TokenRequest> {
  const { method = '', url = '' } = incoming;
  const { authorization } = incoming.headers;
  const query = new URL(url, 'http://token').searchParams;
  const values = method === 'POST' ? new URLSearchParams(await text(incoming)) : query;
  const { username, password } = registryUser;
  const expected = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const refreshToken = values.get('refresh_token');
  const isUser = authorization === expected || refreshToken === identityToken;
  const isAnonymous = authorization === undefined && refreshToken === null;
  const scopes = values.getAll('scope').flatMap((scope) => scope.split(' '));
  return {
    seen: { method, authorization, service: values.get('service'), scopes },
    isUser,
    isWrong: !isUser && !isAnonymous,
  };
}

function readScope(scope: string): {
  readonly type: string;
  readonly name: string;
  readonly actions: readonly string[];
} {
  const [type = '', name = '', actions = ''] = scope.split(':');
  return { type, name, actions: actions.split(',') };
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
