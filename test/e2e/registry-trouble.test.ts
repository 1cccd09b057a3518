import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';

import { afterEach, describe, expect, test } from '@jest/globals';

import type { RegistryAnswer } from '../../src/domain/images/registry-answer.js';
import type { RegistryCredentials } from '../../src/registry/credentials.js';
import { createRegistryClient, type RegistryAccess } from '../../src/registry/registry-client.js';
import { startHttpServer, type HttpServer } from '../support/http-server.js';
import { manifestTypes } from '../support/registry-writer.js';

// What no good registry does: each of these servers misbehaves in one way.

const password: RegistryCredentials = { kind: 'password', username: 'robin', password: 'secret' };
const manifest = JSON.stringify({ schemaVersion: 2, mediaType: manifestTypes.oci, layers: [] });
const digest = `sha256:${createHash('sha256').update(manifest).digest('hex')}`;
const otherDigest = `sha256:${'0'.repeat(64)}`;
const manifestHeaders = { 'content-type': manifestTypes.oci };
const goodHeaders = { ...manifestHeaders, 'docker-content-digest': digest };

const client = createRegistryClient({
  limits: { silentMs: 500, wholeMs: 1_500, firstPauseMs: 10, manifestBytes: 10_000 },
});
const servers: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
  count: number,
) => Promise<void> | void;

interface Trouble extends HttpServer {
  readonly seen: { readonly method: string; readonly path: string; readonly secret?: string }[];
}

/** A server that does what it is told to, and what it has seen. */
async function start(handler: Handler): Promise<Trouble> {
  const seen: { method: string; path: string; secret?: string }[] = [];
  const server = await startHttpServer((request, response) => {
    const { method = '', url: path = '' } = request;
    const secret = request.headers.authorization;
    seen.push({ method, path, ...(secret === undefined ? {} : { secret }) });
    return handler(request, response, seen.length);
  });
  servers.push(server);
  return { ...server, seen };
}

const ask = (
  { host: registry }: { readonly host: string },
  access: RegistryAccess = {},
): Promise<RegistryAnswer> =>
  client.resolveTag({ registry, repository: 'app' }, 'v1', { insecure: true, ...access });

const unreachable = ({ host }: { readonly host: string }, why: string): RegistryAnswer => ({
  kind: 'unreachable',
  problem: `${host} can't be asked about app: ${why}`,
});
const nonsense = ({ host }: { readonly host: string }, why: string): RegistryAnswer => ({
  kind: 'nonsense',
  problem: `there is no usable answer about ${host}/app: ${why}`,
});

describe('a registry that hardly answers', () => {
  test('never: it is given up after a while', async () => {
    const server = await start(() => undefined);
    const startMs = Date.now();
    expect(await ask(server)).toEqual(unreachable(server, 'it took longer than 1.5 s'));
    expect(Date.now() - startMs).toBeLessThan(10_000);
    expect(server.seen.length).toBeGreaterThan(1);
  });

  test('drop by drop: neither', async () => {
    const server = await start((request, response) => {
      response.writeHead(200, manifestHeaders);
      if (request.method === 'HEAD') {
        response.end();
        return;
      }
      const timer = setInterval(() => response.write(' '), 100);
      response.on('close', () => {
        clearInterval(timer);
      });
    });
    expect(await ask(server)).toEqual(unreachable(server, 'it took longer than 1.5 s'));
  });

  test('by closing the connection: it is asked three times', async () => {
    const server = await start((request) => {
      request.socket.destroy();
    });
    expect(await ask(server)).toEqual(
      unreachable(server, 'it closed the connection in the middle of an answer'),
    );
    expect(server.seen).toHaveLength(3);
  });

  test('by half of an answer', async () => {
    const server = await start((request, response) => {
      response.writeHead(200, { ...manifestHeaders, 'content-length': manifest.length });
      if (request.method === 'HEAD') response.end();
      else response.write(manifest.slice(0, 20), () => request.socket.destroy());
    });
    expect(await ask(server)).toEqual(
      unreachable(server, 'it closed the connection in the middle of an answer'),
    );
  });

  test('by nothing that is HTTP', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end('220 mail.example ready\r\n');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      expect(await ask({ host })).toEqual(nonsense({ host }, 'what it answers is not HTTP'));
    } finally {
      server.close();
    }
  });

  test('under a name that nobody knows', async () => {
    const host = 'registry.invalid';
    const answer = await ask({ host });
    expect(answer.kind).toBe('unreachable');
    expect('problem' in answer ? answer.problem : '').toMatch(
      /its host name (is unknown|can't be)/,
    );
  });

  test('a caller who has had enough is let go at once, with their own reason', async () => {
    const controller = new AbortController();
    const server = await start(() => {
      controller.abort(new Error('called off'));
    });
    await expect(ask(server, { signal: controller.signal })).rejects.toThrow('called off');
    await expect(ask(server, { signal: controller.signal })).rejects.toThrow('called off');
    expect(server.seen).toHaveLength(1);
  });
});

describe('a registry that is busy', () => {
  test('is asked again', async () => {
    const server = await start((_request, response, count) => {
      response.writeHead(count < 3 ? 503 : 200, goodHeaders).end();
    });
    expect(await ask(server)).toEqual({ kind: 'found', digest });
    expect(server.seen).toHaveLength(3);
  });

  test.each([429, 500, 502, 503, 504])('for good, with %d, is unreachable', async (status) => {
    const server = await start((_request, response) => {
      response.writeHead(status).end();
    });
    expect(await ask(server)).toEqual(unreachable(server, `it answers ${status}`));
    expect(server.seen).toHaveLength(3);
  });

  test('may say when to come again', async () => {
    const times: number[] = [];
    const server = await start((_request, response, count) => {
      times.push(Date.now());
      if (count === 1) response.writeHead(429, { 'retry-after': '1' }).end();
      else response.writeHead(200, goodHeaders).end();
    });
    expect(await ask(server)).toEqual({ kind: 'found', digest });
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(990);
  });

  test('for longer than there is time is not asked again', async () => {
    const server = await start((_request, response) => {
      response.writeHead(429, { 'retry-after': '3600' }).end();
    });
    expect(await ask(server)).toEqual(unreachable(server, 'it answers 429'));
    expect(server.seen).toHaveLength(1);
  });

  test('what is not there is asked for once', async () => {
    const server = await start((_request, response) => {
      response.writeHead(404).end();
    });
    expect(await ask(server)).toEqual({ kind: 'missing' });
    expect(server.seen).toHaveLength(1);
  });
});

describe('a registry that tells no digest', () => {
  test.each([
    ['by its headers', 200],
    ['because it does not know the question', 405],
  ])('%s: it is computed', async (_why, headStatus) => {
    const server = await start((request, response) => {
      response.writeHead(request.method === 'HEAD' ? headStatus : 200, manifestHeaders);
      response.end(manifest);
    });
    expect(await ask(server)).toEqual({ kind: 'found', digest });
    expect(server.seen.map(({ method }) => method)).toEqual(['HEAD', 'GET']);
  });
});

describe('a registry that talks nonsense', () => {
  /** Answers a GET alone, as one would that tells no digest before. */
  const body =
    (headers: Record<string, string>, text: string): Handler =>
    (request, response) => {
      response.writeHead(200, request.method === 'HEAD' ? manifestHeaders : headers);
      response.end(request.method === 'HEAD' ? undefined : text);
    };
  const head =
    (status: number, headers: Record<string, string>): Handler =>
    (_request, response) => {
      response.writeHead(status, headers).end();
    };

  const cases: readonly (readonly [string, Handler, string])[] = [
    [
      'a web page',
      head(200, { 'content-type': 'text/html', 'docker-content-digest': digest }),
      'it answers with text/html that is not an image',
    ],
    [
      'a web page instead of "not found"',
      head(404, { 'content-type': 'text/html' }),
      'it answers 404 with a web page',
    ],
    [
      'a digest that is none',
      head(200, { ...manifestHeaders, 'docker-content-digest': 'latest' }),
      'the digest that it tells is not one',
    ],
    [
      'a digest of something else',
      body({ ...manifestHeaders, 'docker-content-digest': otherDigest }, manifest),
      `the manifest that it gives for ${otherDigest} is ${digest}`,
    ],
    ['no manifest', body(manifestHeaders, '<html></html>'), 'its answer is not a manifest'],
    [
      'without end',
      body(manifestHeaders, ' '.repeat(10_001)),
      'its answer is longer than 10000 bytes',
    ],
    ['a teapot', head(418, {}), 'it answers 418'],
    ['a redirect to nowhere', head(302, {}), 'it answers 302 and does not say where to go'],
    [
      'a redirect to a file',
      head(302, { location: 'file:///etc/passwd' }),
      'it redirects to file://, which is not HTTPS',
    ],
    ['redirects for ever', head(302, { location: '/again' }), 'it redirects more than 5 times'],
    [
      'a token from a file',
      head(401, { 'www-authenticate': 'Bearer realm="file:///token"' }),
      'its token server file:// is not HTTPS',
    ],
  ];
  test.each(cases)('%s', async (_what, handler, why) => {
    const server = await start(handler);
    expect(await ask(server)).toEqual(nonsense(server, why));
  });

  test('another digest than the one that was asked for', async () => {
    const server = await start(head(200, goodHeaders));
    const name = { registry: server.host, repository: 'app' };
    expect(await client.findDigest(name, otherDigest, { insecure: true })).toEqual(
      nonsense(server, `it answers with ${digest} where ${otherDigest} was asked for`),
    );
  });

  test('a way of being convinced that nobody knows', async () => {
    const server = await start(head(401, { 'www-authenticate': 'Riddle realm="x"' }));
    expect(await ask(server, { credentials: [password] })).toEqual({
      kind: 'refused',
      problem: `${server.host} refuses to tell about app: it wants to be convinced in a way that is not known here`,
    });
  });

  test('refusals for ever', async () => {
    const server = await start(head(401, { 'www-authenticate': 'Basic realm="x"' }));
    expect((await ask(server, { credentials: [password] })).kind).toBe('refused');
    expect(server.seen).toHaveLength(2);
  });
});

describe('credentials stay where they belong', () => {
  /** Wants a password first, then does something else. */
  const afterPassword =
    (then: (request: IncomingMessage, response: ServerResponse) => void): Handler =>
    (request, response) => {
      if (request.headers.authorization !== undefined) then(request, response);
      else response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
    };
  const redirectTo =
    (location: string) =>
    (_request: IncomingMessage, response: ServerResponse): void => {
      response.writeHead(307, { location }).end();
    };

  test('a redirect to another host goes without them', async () => {
    const storage = await start((_request, response) => {
      response.writeHead(200, goodHeaders).end();
    });
    const server = await start(afterPassword(redirectTo(`${storage.url}/manifest`)));
    expect(await ask(server, { credentials: [password] })).toEqual({ kind: 'found', digest });
    expect(storage.seen).toEqual([{ method: 'HEAD', path: '/manifest' }]);
  });

  test('a host that is redirected to and wants some gets none', async () => {
    const thief = await start((_request, response) => {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
    });
    const server = await start(redirectTo(`${thief.url}/`));
    expect(await ask(server, { credentials: [password] })).toEqual({
      kind: 'refused',
      problem: `${server.host} refuses to tell about app: it redirects to ${thief.url}, which wants credentials of its own`,
    });
    expect(thief.seen).toEqual([{ method: 'HEAD', path: '/' }]);
  });

  test('a redirect within the same host goes with them', async () => {
    const server = await start(
      afterPassword((request, response) => {
        if (request.url === '/elsewhere') response.writeHead(200, goodHeaders).end();
        else redirectTo('/elsewhere')(request, response);
      }),
    );
    expect(await ask(server, { credentials: [password] })).toEqual({ kind: 'found', digest });
    expect(server.seen.at(-1)).toMatchObject({
      path: '/elsewhere',
      secret: expect.stringMatching(/^Basic /) as unknown,
    });
  });

  test.each([
    ['a password', password],
    ['an identity token', { kind: 'identity-token', token: 'secret' } as const],
  ])('a token server may not pass %s on', async (_what, credentials) => {
    const thief = await start((_request, response) => {
      response.writeHead(200).end('{"token": "x"}');
    });
    const tokens = await start(redirectTo(`${thief.url}/`));
    const server = await start((_request, response) => {
      const challenge = `Bearer realm="${tokens.url}/token",service="x"`;
      response.writeHead(401, { 'www-authenticate': challenge }).end();
    });
    const answer = await ask(server, { credentials: [credentials] });
    expect(answer.kind).toBe('nonsense');
    expect(tokens.seen).toHaveLength(1);
    expect(thief.seen).toEqual([]);
  });

  test('no problem tells them', async () => {
    for (const status of [401, 403, 404, 418, 500]) {
      const server = await start(
        afterPassword((_request, response) => {
          response.writeHead(status, { 'www-authenticate': 'Basic realm="x"' }).end();
        }),
      );
      const answer = JSON.stringify(await ask(server, { credentials: [password] }));
      expect(answer).not.toContain('secret');
      expect(answer).not.toContain(Buffer.from('robin:secret').toString('base64'));
    }
  });
});
