import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, describe, expect, test } from '@jest/globals';

import { connectCluster, type Cluster } from '../../src/kubernetes/connect.js';
import { resources } from '../../src/kubernetes/resources.js';
import { startHttpServer, type HttpServer } from '../support/http-server.js';

type Answer = readonly [code: number, body?: object];

let server: HttpServer | undefined;
let cluster: Cluster | undefined;
afterEach(async () => {
  await cluster?.client.close();
  await server?.stop();
});

/** An apiserver that gives these answers, one after another, for each path. */
async function answering(answers: Readonly<Record<string, readonly Answer[]>>): Promise<string[]> {
  const asked: string[] = [];
  const left = new Map(Object.entries(answers).map(([path, all]) => [path, [...all]]));
  server = await startHttpServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://apiserver').pathname;
    asked.push(`${request.method ?? ''} ${path}`);
    const [code, body] = left.get(path)?.shift() ?? [500];
    response.writeHead(code).end(JSON.stringify(body ?? {}));
  });
  const folder = mkdtempSync(join(tmpdir(), 'slipway-transport-'));
  const kubeconfig = join(folder, 'kubeconfig');
  const config = {
    clusters: [
      { name: 'local', cluster: { server: server.url, 'insecure-skip-tls-verify': true } },
    ],
    contexts: [{ name: 'local', context: { cluster: 'local' } }],
    'current-context': 'local',
  };
  writeFileSync(kubeconfig, JSON.stringify(config));
  cluster = connectCluster({ kubeconfig });
  rmSync(folder, { recursive: true });
  return asked;
}

const path = '/api/v1/namespaces/shop/pods';
const forbidden: Answer = [403, { reason: 'Forbidden', message: 'pods is forbidden' }];
const pod = { metadata: { name: 'web', namespace: 'shop' } };
const create = (): Promise<unknown> | undefined => cluster?.client.create(resources.pods, pod);

describe('what the apiserver forbids', () => {
  test('is forbidden when it is ready and says so again', async () => {
    const asked = await answering({ [path]: [forbidden, forbidden], '/readyz': [[200]] });
    await expect(create()).rejects.toMatchObject({ code: 403, message: 'pods is forbidden' });
    expect(asked).toEqual([`POST ${path}`, 'GET /readyz', `POST ${path}`]);
  });

  test('may have been so only until it was ready', async () => {
    await answering({ [path]: [forbidden, [201, pod]], '/readyz': [[200]] });
    expect(await create()).toEqual(pod);
  });

  test.each([403, 500])('says nothing as long as it is not ready (%d)', async (code) => {
    const asked = await answering({ [path]: [forbidden, [201]], '/readyz': [[code]] });
    await expect(create()).rejects.toMatchObject({
      code: 503,
      message: expect.stringMatching(/is not ready yet: pods is forbidden$/),
    });
    expect(asked).toEqual([`POST ${path}`, 'GET /readyz']);
  });

  test('counts where nobody can say whether it is ready', async () => {
    await answering({ [path]: [forbidden, forbidden], '/readyz': [[404]] });
    await expect(create()).rejects.toMatchObject({ code: 403 });
  });
});

test('other answers are taken as they are', async () => {
  const asked = await answering({ [path]: [[409, { reason: 'AlreadyExists' }]] });
  await expect(create()).rejects.toMatchObject({ code: 409, reason: 'AlreadyExists' });
  expect(asked).toEqual([`POST ${path}`]);
});
