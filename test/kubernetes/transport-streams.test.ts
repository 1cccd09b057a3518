import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { KubernetesClient } from '../../src/kubernetes/client.js';
import { KubeConfig } from '../../src/kubernetes/kube-config.js';
import { resources } from '../../src/kubernetes/resources.js';
import { Transport } from '../../src/kubernetes/transport.js';
import { startHttpServer, type HttpServer } from '../support/http-server.js';

let server: HttpServer;
let client: KubernetesClient;
const asked: string[] = [];

beforeAll(async () => {
  server = await startHttpServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    asked.push(`${pathname}?${searchParams.toString()}`);
    if (searchParams.get('watch') === 'true') {
      response.end('{"type":"ADDED","object":{}}\n\n{"type":"ADD');
    } else if (pathname.includes('forbidden')) {
      response.statusCode = 403;
      response.end(JSON.stringify({ kind: 'Status', reason: 'Forbidden', message: 'no' }));
    } else if (searchParams.get('follow') === 'true') {
      // The first line, then nothing until whoever reads has had enough.
      response.write('one\n');
    } else response.end('one\n\nthr');
  });
  const config = new KubeConfig();
  const named = { name: 'x', cluster: 'x', user: 'x' };
  config.loadFromOptions({
    clusters: [{ name: 'x', server: server.url, skipTLSVerify: true }],
    users: [{ name: 'x' }],
    contexts: [named],
    currentContext: 'x',
  });
  client = new KubernetesClient(new Transport(config, server.url));
});
afterAll(async () => {
  await client.close();
  await server.stop();
});

async function collect<T>(stream: AsyncGenerator<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of stream) all.push(each);
  return all;
}

describe('a log', () => {
  test('is read line by line, with empty ones and the last one', async () => {
    const options = { container: 'main', tailLines: 5, timestamps: true };
    expect(await collect(client.readLog('shop', 'web-1', options))).toEqual(['one', '', 'thr']);
    expect(asked.at(-1)).toBe(
      '/api/v1/namespaces/shop/pods/web-1/log?container=main&tailLines=5&timestamps=true',
    );
  });

  test('that is followed comes as it is written, until its reader has had enough', async () => {
    const enough = new AbortController();
    const seen: string[] = [];
    const reading = (async () => {
      const options = { follow: true, signal: enough.signal };
      for await (const line of client.readLog('shop', 'web-1', options)) {
        seen.push(line);
        enough.abort();
      }
    })();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
    expect(seen).toEqual(['one']);
  });

  test('that one may not read is an error like any other', async () => {
    const reading = collect(client.readLog('shop', 'forbidden'));
    await expect(reading).rejects.toMatchObject({ code: 403, reason: 'Forbidden' });
  });
});

test('half an object at the end of a watch is none', async () => {
  const type = { apiVersion: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
  const events = await collect(client.watch(type, 'shop', {}));
  expect(events).toEqual([{ type: 'ADDED', object: {} }]);
});

test('streams leave room for calls, however many they are', async () => {
  const enough = new AbortController();
  const streams = Array.from({ length: 40 }, () =>
    client.readLog('shop', 'web-1', { follow: true, signal: enough.signal }),
  );
  try {
    expect(await Promise.all(streams.map((stream) => stream.next()))).toHaveLength(40);
    expect(await collect(client.readLog('shop', 'web-2'))).toHaveLength(3);
    await expect(client.get(resources.secrets, 'shop', 'forbidden')).rejects.toThrow('no');
  } finally {
    enough.abort();
    await Promise.allSettled(streams.map((stream) => stream.next()));
  }
});
