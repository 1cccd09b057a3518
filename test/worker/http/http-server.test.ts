import { connect } from 'node:net';
import { once } from 'node:events';

import { afterEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';

import { connectCluster } from '../../../src/kubernetes/connect.js';
import { startHttpServer, type HttpServer } from '../../../src/worker/http/http-server.js';
import { HttpProblem } from '../../../src/worker/http/problem.js';
import type { Route } from '../../../src/worker/http/route.js';
import { createRoutes } from '../../../src/worker/http/routes/create-routes.js';
import { unreachableKubeconfig } from './support/unreachable-cluster.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface Line {
  level: number;
  code: number;
  path: string;
  requestId: string;
  err?: { message: string };
}

async function open(routes: readonly Route[], answerWithinMs = 5_000) {
  const lines: string[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const server: HttpServer = await startHttpServer({
    address: '127.0.0.1:0',
    routes,
    logger,
    answerWithinMs,
  });
  closers.push(() => server.close());
  const url = `http://127.0.0.1:${server.port}`;
  return {
    url,
    port: server.port,
    log: () => lines.join(''),
    lines: () => lines.map((line) => JSON.parse(line) as Line),
  };
}

const echo: Route = {
  method: 'POST',
  path: '/echo/{name}',
  operationId: 'echo',
  summary: '',
  access: 'anyone',
  query: { namespace: '' },
  answers: {},
  body: { description: '', types: ['application/json'], limitBytes: 1_000, schema: {} },
  handle: async (request) => ({
    code: 200,
    body: { json: { params: request.params, query: request.query, body: await request.json() } },
  }),
};
const failing = (error: Error): Route => ({
  ...echo,
  method: 'GET',
  path: '/fail',
  handle: () => Promise.reject(error),
});

const json = { 'content-type': 'application/json' };
const post = (
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = json,
) => fetch(`${url}/echo/a`, { method: 'POST', body, headers });

/** The body of a refusal, which is always a Status that repeats the code. */
async function statusOf(response: Response): Promise<{ reason: string; message: string }> {
  expect(response.headers.get('content-type')).toBe('application/json');
  const status = (await response.json()) as Record<string, unknown>;
  expect(status).toMatchObject({
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    code: response.status,
  });
  return status as { reason: string; message: string };
}

describe('a request', () => {
  test('gets its answer, with an id that the log has, once', async () => {
    const { url, lines } = await open([echo]);
    const response = await fetch(`${url}/echo/a%20b?namespace=n`, {
      method: 'POST',
      body: '{"x": [1]}',
      headers: { ...json, 'x-request-id': 'mine-7' },
    });
    expect(await response.json()).toEqual({
      params: { name: 'a b' },
      query: { namespace: 'n' },
      body: { x: [1] },
    });
    expect(response.headers.get('x-request-id')).toBe('mine-7');
    expect(lines()).toEqual([
      expect.objectContaining({ requestId: 'mine-7', code: 200, path: '/echo/a%20b' }),
    ]);
  });

  test('whose id is no id gets one', async () => {
    const { url, lines } = await open([echo]);
    const response = await fetch(`${url}/x`, { headers: { 'x-request-id': '{"a": "b"}' } });
    const id = response.headers.get('x-request-id');
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(lines()[0]?.requestId).toBe(id);
  });

  test('to nowhere is 404, and with another method 405 with those that there are', async () => {
    const { url } = await open([echo]);
    const nowhere = await fetch(`${url}/nowhere`);
    expect([nowhere.status, (await statusOf(nowhere)).reason]).toEqual([404, 'NotFound']);
    const other = await fetch(`${url}/echo/a`, { method: 'DELETE' });
    expect([other.status, other.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await statusOf(other)).reason).toBe('MethodNotAllowed');
  });

  test.each([
    ['?namespce=a', 'the query has a parameter that is not known here: there is namespace'],
    ['?namespace=a&namespace=b', 'namespace: is there twice in the query'],
  ])('with %s is 400', async (query, message) => {
    const { url } = await open([echo]);
    const response = await fetch(`${url}/echo/a${query}`, { method: 'POST', headers: json });
    expect(response.status).toBe(400);
    expect((await statusOf(response)).message).toBe(message);
  });
});

test('an answer that can’t be sent ends its connection, and nothing else', async () => {
  const bad: Route = {
    ...echo,
    method: 'GET',
    path: '/bad',
    handle: () => ({ code: 200, headers: { warning: '299 - "€"' }, body: { text: '' } }),
  };
  const { url, lines } = await open([bad, echo]);
  await expect(fetch(`${url}/bad`)).rejects.toThrow('fetch failed');
  expect((await post(url, '{}')).status).toBe(200);
  expect(lines()[0]).toMatchObject({
    level: 50,
    err: { message: expect.stringContaining('header') },
  });
});

describe('a body', () => {
  test('that is no JSON is 400, which says where', async () => {
    const { url } = await open([echo]);
    const response = await post(url, '{\n  "a": 1,\n}');
    expect(response.status).toBe(400);
    expect((await statusOf(response)).message).toBe('the body is not JSON: see line 3, column 1');
  });

  test('that is no text is 400', async () => {
    const { url } = await open([echo]);
    const response = await post(url, new Uint8Array([0x22, 0xff, 0x22]));
    expect([response.status, (await statusOf(response)).message]).toEqual([
      400,
      'the body is not UTF-8',
    ]);
  });

  test.each<[string, Record<string, string>]>([
    ['another type', { 'content-type': 'application/yaml' }],
    ['another charset', { 'content-type': 'application/json; charset=latin1' }],
    ['a compression', { ...json, 'content-encoding': 'gzip' }],
  ])('of %s is 415', async (_what, headers) => {
    const { url } = await open([echo]);
    const response = await post(url, '{}', headers);
    expect([response.status, (await statusOf(response)).reason]).toEqual([
      415,
      'UnsupportedMediaType',
    ]);
  });

  test('of JSON with its charset is read', async () => {
    const { url } = await open([echo]);
    const type = { 'content-type': 'Application/JSON; charset=UTF-8' };
    expect((await post(url, '{}', type)).status).toBe(200);
  });

  test('that says that it is too large is 413 before it is read', async () => {
    const { url } = await open([echo]);
    const response = await post(url, 'x'.repeat(5_000_000));
    expect([response.status, (await statusOf(response)).reason]).toEqual([
      413,
      'RequestEntityTooLarge',
    ]);
  });

  test('that turns out to be too large is 413, and the connection stays good', async () => {
    const { url } = await open([echo]);
    const stream = new ReadableStream({
      start: (controller) => {
        for (let count = 0; count < 100; count += 1) controller.enqueue(new Uint8Array(1_000));
        controller.close();
      },
    });
    const response = await fetch(`${url}/echo/a`, {
      method: 'POST',
      body: stream,
      headers: json,
      duplex: 'half',
    });
    expect(response.status).toBe(413);
    expect((await post(url, '{}')).status).toBe(200);
  });

  test('is not read where nobody asks for it', async () => {
    const { url } = await open([{ ...echo, handle: () => ({ code: 200, body: { text: 'ok' } }) }]);
    expect((await post(url, 'no JSON')).status).toBe(200);
  });
});

describe('a failure', () => {
  test('of our own tells nothing but where to look', async () => {
    const { url, lines } = await open([failing(new Error('the password is 12345'))]);
    const response = await fetch(`${url}/fail`);
    expect(response.status).toBe(500);
    const text = JSON.stringify(await statusOf(response));
    expect(text).not.toMatch(/12345|stack|at /);
    expect(lines()[0]).toMatchObject({ level: 50, err: { message: 'the password is 12345' } });
  });

  test('of the caller is not ours: the log has no error of it', async () => {
    const { url, lines } = await open([failing(new HttpProblem(409, 'too late'))]);
    expect((await fetch(`${url}/fail`)).status).toBe(409);
    expect(lines()[0]).toMatchObject({ level: 30, code: 409 });
    expect(lines()[0]).not.toHaveProperty('err');
  });

  test('to answer in time is 504, and the work is called off', async () => {
    let signal: AbortSignal | undefined;
    const slow: Route = {
      ...echo,
      method: 'GET',
      path: '/slow',
      handle: (request) => {
        signal = request.signal;
        return new Promise(() => undefined);
      },
    };
    const { url } = await open([slow], 50);
    const response = await fetch(`${url}/slow`);
    expect([response.status, (await statusOf(response)).reason]).toEqual([504, 'Timeout']);
    expect(signal?.aborted).toBe(true);
  });

  test('to speak HTTP is answered like any other', async () => {
    const { port } = await open([echo]);
    const socket = connect(port, '127.0.0.1');
    socket.write('what is this?\r\n\r\n');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    await once(socket, 'close');
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(text).toContain('"kind":"Status"');
  });
});

describe('a worker whose cluster is gone', () => {
  const openAll = (isReady: () => boolean) => {
    const cluster = connectCluster({ kubeconfig: unreachableKubeconfig });
    closers.push(() => cluster.client.close());
    return open(createRoutes({ cluster, isReady, metrics: () => Promise.resolve('up 1\n') }));
  };

  test('still tells how it is, to anyone', async () => {
    let isReady = false;
    const { url, lines } = await openAll(() => isReady);
    expect(await (await fetch(`${url}/healthz`)).text()).toBe('ok\n');
    expect((await fetch(`${url}/readyz`)).status).toBe(503);
    isReady = true;
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const metrics = await fetch(`${url}/metrics`);
    expect([metrics.headers.get('content-type'), await metrics.text()]).toEqual([
      'text/plain; charset=utf-8',
      'up 1\n',
    ]);
    expect((await fetch(`${url}/openapi.json`)).status).toBe(200);
    // Probes come every few seconds.
    expect(lines()[0]?.level).toBe(20);
  });

  test.each([
    ['GET', '/generateDeploymentConfigs/web'],
    ['GET', '/deploymentConfigs/shop/web'],
    ['PUT', '/namespaces/shop/deploymentConfigs/web'],
    ['POST', '/notifications'],
    ['POST', '/notifications/shop/web'],
  ])('lets nobody %s %s: 401 without a token, else 503 with a time', async (method, path) => {
    const { url, log } = await openAll(() => true);
    const ask = (headers: Record<string, string>) =>
      fetch(url + path, {
        method,
        headers: { ...json, ...headers },
        ...(method === 'GET' ? {} : { body: '{}' }),
      });
    const stranger = await ask({});
    expect([stranger.status, stranger.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="slipway"',
    ]);
    const known = await ask({ authorization: 'Bearer very.secret.token' });
    expect([known.status, known.headers.get('retry-after')]).toEqual([503, '2']);
    expect(JSON.stringify(await statusOf(known)) + log()).not.toContain('very.secret.token');
  });

  test.each(['/deploymentConfigs/..', '/deploymentConfigs/%2e%2e/web', '/deploymentConfigs/a%2Fb'])(
    'takes %s for no name before it asks anyone',
    async (path) => {
      const { port } = await openAll(() => true);
      // By hand, since clients tidy such paths up.
      const socket = connect(port, '127.0.0.1');
      socket.write(
        `GET ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer a\r\nconnection: close\r\n\r\n`,
      );
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      await once(socket, 'close');
      expect(text).toMatch(/^HTTP\/1\.1 400 /);
    },
  );
});
