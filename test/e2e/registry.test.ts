import { json } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import type { RegistryAnswer } from '../../src/domain/images/registry-answer.js';
import {
  pickCredentials,
  readPullSecrets,
  type RegistryCredentials,
} from '../../src/registry/credentials.js';
import { readNotification, type PushNotice } from '../../src/registry/read-notification.js';
import {
  createRegistryClient,
  type RegistryAccess,
  type RegistryClient,
} from '../../src/registry/registry-client.js';
import { startHttpServer, type HttpServer } from '../support/http-server.js';
import { registryUser, startRegistry, type RegistryServer } from '../support/registry.js';
import { identityToken, startTokenServer, type TokenServer } from '../support/token-server.js';
import { waitFor } from '../support/wait-for.js';

/** The registry is no part of the stack, so it may have to be built by the first who needs it. */
const buildWithinMs = 900_000;

const password: RegistryCredentials = { kind: 'password', ...registryUser };
const wrong: RegistryCredentials = { kind: 'password', username: 'robin', password: 'wrong words' };

const hides = 'it shows nothing of it, as registries do that hide what one may not see';

const client = createRegistryClient();
afterAll(() => client.close());

/** Asks for a tag, over plain HTTP unless told otherwise. */
function resolve(
  { host: registry }: RegistryServer,
  repository: string,
  tag: string,
  access: RegistryAccess = {},
  by: RegistryClient = client,
): Promise<RegistryAnswer> {
  return by.resolveTag({ registry, repository }, tag, { insecure: true, ...access });
}

const problemOf = (answer: RegistryAnswer): string => ('problem' in answer ? answer.problem : '');

describe('a registry that lets everybody in', () => {
  let registry: RegistryServer;
  beforeAll(async () => {
    registry = await startRegistry();
  }, buildWithinMs);
  afterAll(() => registry.remove());

  test.each([
    ['an OCI image', 'pushImage', 'oci'],
    ['a Docker image', 'pushImage', 'docker'],
    ['an OCI index', 'pushIndex', 'oci'],
    ['a Docker list', 'pushIndex', 'docker'],
  ] as const)('%s is found by its tag and by its digest', async (what, push, form) => {
    const digest = await registry.writer[push]('team/app', `${push}-${form}`, what, form);
    expect(await resolve(registry, 'team/app', `${push}-${form}`)).toEqual({
      kind: 'found',
      digest,
    });
    const name = { registry: registry.host, repository: 'team/app' };
    expect(await client.findDigest(name, digest, { insecure: true })).toEqual({
      kind: 'found',
      digest,
    });
  });

  test('a tag that moves is followed', async () => {
    const first = await registry.writer.pushImage('moving', 'stable', 'one');
    expect(await resolve(registry, 'moving', 'stable')).toEqual({ kind: 'found', digest: first });
    const second = await registry.writer.pushImage('moving', 'stable', 'two');
    expect(second).not.toBe(first);
    expect(await resolve(registry, 'moving', 'stable')).toEqual({ kind: 'found', digest: second });
  });

  test('what is not there is missing', async () => {
    await registry.writer.pushImage('there', 'yes', 'x');
    expect(await resolve(registry, 'there', 'no')).toEqual({ kind: 'missing' });
    expect(await resolve(registry, 'nowhere', 'yes')).toEqual({ kind: 'missing' });
  });

  test('is missing for sure: a registry that asks nobody who they are hides nothing', async () => {
    const provesMissing = true;
    const last = await registry.writer.pushImage('emptied', 'v1', 'x');
    await registry.writer.pushImage('shown', 'yes', 'x');
    await registry.writer.deleteManifest('emptied', last);
    expect(await resolve(registry, 'shown', 'no', { provesMissing })).toEqual({ kind: 'missing' });
    expect(await resolve(registry, 'emptied', 'v1', { provesMissing })).toEqual({
      kind: 'missing',
    });
    expect(await resolve(registry, 'never', 'yes', { provesMissing })).toEqual({ kind: 'missing' });
  });

  test('a manifest that is deleted is missing, by its tag and by its digest', async () => {
    const digest = await registry.writer.pushImage('deleted', 'v1', 'x');
    await registry.writer.deleteManifest('deleted', digest);
    expect(await resolve(registry, 'deleted', 'v1')).toEqual({ kind: 'missing' });
    const name = { registry: registry.host, repository: 'deleted' };
    expect(await client.findDigest(name, digest, { insecure: true })).toEqual({ kind: 'missing' });
  });

  test('credentials that nobody wants do no harm', async () => {
    const digest = await registry.writer.pushImage('open', 'v1', 'x');
    const answer = await resolve(registry, 'open', 'v1', { credentials: [wrong] });
    expect(answer).toEqual({ kind: 'found', digest });
  });

  test('without being marked as insecure it has to speak TLS', async () => {
    const answer = await resolve(registry, 'open', 'v1', { insecure: false });
    expect(answer).toEqual({
      kind: 'unreachable',
      problem: `${registry.host} can't be asked about open: it does not speak TLS, and only a registry marked as insecure may do without`,
    });
  });

  test('while it is down it is unreachable, and later it is not', async () => {
    const digest = await registry.writer.pushImage('lasting', 'v1', 'x');
    await registry.stop();
    expect(await resolve(registry, 'lasting', 'v1')).toEqual({
      kind: 'unreachable',
      problem: `${registry.host} can't be asked about lasting: the connection was refused`,
    });
    await registry.start();
    expect(await resolve(registry, 'lasting', 'v1')).toEqual({ kind: 'found', digest });
  });
});

describe('a registry that wants a password', () => {
  let registry: RegistryServer;
  let digest = '';
  beforeAll(async () => {
    registry = await startRegistry({ auth: 'password' });
    digest = await registry.writer.pushImage('team/app', 'v1', 'x');
  }, buildWithinMs);
  afterAll(() => registry.remove());
  const ask = (...credentials: RegistryCredentials[]): Promise<RegistryAnswer> =>
    resolve(registry, 'team/app', 'v1', { credentials });

  test('refuses those who have none, a wrong one or another kind', async () => {
    const refusal = `${registry.host} refuses to tell about team/app: `;
    expect(await ask()).toEqual({
      kind: 'refused',
      problem: `${refusal}it wants credentials, and there are none for it`,
    });
    expect(await ask(wrong)).toEqual({
      kind: 'refused',
      problem: `${refusal}it does not accept the credentials`,
    });
    expect(await ask({ kind: 'identity-token', token: identityToken })).toEqual({
      kind: 'refused',
      problem: `${refusal}it wants a user name and a password, and there is only an identity token`,
    });
  });

  test('lets in who has it, also as the second of two', async () => {
    expect(await ask(password)).toEqual({ kind: 'found', digest });
    expect(await ask(wrong, password)).toEqual({ kind: 'found', digest });
    expect(await ask(password)).toEqual({ kind: 'found', digest });
    expect(await resolve(registry, 'team/app', 'v2', { credentials: [password] })).toEqual({
      kind: 'missing',
    });
  });

  test('one who was let in does not open it for others', async () => {
    expect(await ask(password)).toEqual({ kind: 'found', digest });
    expect((await ask()).kind).toBe('refused');
    expect((await ask(wrong)).kind).toBe('refused');
  });

  test('is opened by a Secret', async () => {
    const auths = { [registry.host]: registryUser };
    const data = Buffer.from(JSON.stringify({ auths })).toString('base64');
    const reading = readPullSecrets([
      { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': data } },
    ]);
    const keyring = reading.kind === 'valid' ? reading.keyring : [];
    const name = { registry: registry.host, repository: 'team/app' };
    expect(await ask(...pickCredentials(keyring, name))).toEqual({ kind: 'found', digest });
  });
});

describe('a registry that calls missing what one may not see', () => {
  let registry: RegistryServer;
  let front: HttpServer;
  let digest = '';
  beforeAll(async () => {
    registry = await startRegistry({ auth: 'password' });
    digest = await registry.writer.pushImage('team/app', 'v1', 'x');
    // Who says who they are and is not let in hears that there is nothing.
    front = await startHttpServer(async ({ method = 'GET', url = '', headers }, response) => {
      const { authorization } = headers;
      const answer = await fetch(`http://${registry.host}${url}`, {
        method,
        headers: {
          accept: headers.accept ?? '',
          ...(authorization === undefined ? {} : { authorization }),
        },
      });
      const isHidden = answer.status === 401 && authorization !== undefined;
      const body = Buffer.from(await answer.arrayBuffer());
      response.writeHead(isHidden ? 404 : answer.status, Object.fromEntries(answer.headers));
      response.end(body);
    });
  }, buildWithinMs);
  afterAll(async () => {
    await front.stop();
    await registry.remove();
  });
  const ask = (tag: string, ...credentials: RegistryCredentials[]): Promise<RegistryAnswer> =>
    client.resolveTag({ registry: front.host, repository: 'team/app' }, tag, {
      insecure: true,
      credentials,
      provesMissing: true,
    });

  test('is not believed by those to whom it shows nothing', async () => {
    expect(await ask('v1', wrong)).toEqual({
      kind: 'refused',
      problem: `${front.host} refuses to tell about team/app: ${hides}`,
    });
  });

  test('may hide a whole repository also from those whom it lets in', async () => {
    const never = { registry: front.host, repository: 'team/never' };
    const access = { insecure: true, credentials: [password], provesMissing: true };
    expect(await client.resolveTag(never, 'v1', access)).toEqual({
      kind: 'refused',
      problem: `${front.host} refuses to tell about team/never: ${hides}`,
    });
  });

  test('is asked by all who may be let in before anything is missing', async () => {
    expect(await ask('v1', wrong, password)).toEqual({ kind: 'found', digest });
    expect(await ask('v2', wrong, password)).toEqual({ kind: 'missing' });
    expect(await ask('v2', password, wrong)).toEqual({ kind: 'missing' });
  });
});

describe('a registry with TLS', () => {
  let registry: RegistryServer;
  let digest = '';
  beforeAll(async () => {
    registry = await startRegistry({ tls: true });
    digest = await registry.writer.pushImage('app', 'v1', 'x');
  }, buildWithinMs);
  afterAll(() => registry.remove());

  test('is asked where its certificate is trusted', async () => {
    const trusting = createRegistryClient({ authority: registry.authority ?? '' });
    try {
      const answer = await resolve(registry, 'app', 'v1', { insecure: false }, trusting);
      expect(answer).toEqual({ kind: 'found', digest });
    } finally {
      await trusting.close();
    }
  });

  test('is not asked where it is not', async () => {
    const answer = await resolve(registry, 'app', 'v1', { insecure: false });
    expect(answer.kind).toBe('unreachable');
    expect(problemOf(answer)).toContain('its certificate is not trusted');
  });

  test('has no use for plain HTTP', async () => {
    const answer = await resolve(registry, 'app', 'v1');
    expect(answer.kind).toBe('nonsense');
    expect(problemOf(answer)).toContain(`about ${registry.host}/app: it answers 400`);
  });
});

describe('a registry that wants tokens', () => {
  let tokens: TokenServer;
  let registry: RegistryServer;
  let digest = '';
  beforeAll(async () => {
    tokens = await startTokenServer({ publicRepositories: ['public'] });
    registry = await startRegistry({ auth: tokens });
    digest = await registry.writer.pushImage('private', 'v1', 'x');
    await registry.writer.pushImage('public', 'v1', 'x');
  }, buildWithinMs);
  afterAll(async () => {
    await registry.remove();
    await tokens.stop();
  });
  /** Each with a client that has seen nothing yet. */
  async function askFresh(
    repository: string,
    credentials: readonly RegistryCredentials[] = [],
  ): Promise<RegistryAnswer> {
    const fresh = createRegistryClient();
    try {
      return await resolve(registry, repository, 'v1', { credentials }, fresh);
    } finally {
      await fresh.close();
    }
  }

  test('tells everybody what everybody may know', async () => {
    expect(await askFresh('public')).toEqual({ kind: 'found', digest });
    expect(tokens.seen.at(-1)).toEqual({
      method: 'GET',
      authorization: undefined,
      service: tokens.service,
      scopes: ['repository:public:pull'],
    });
    const refusal = `${registry.host} refuses to tell about private: `;
    expect(await askFresh('private')).toEqual({
      kind: 'refused',
      problem: `${refusal}it wants credentials, and there are none for it`,
    });
  });

  test('tells those who have credentials, of either kind', async () => {
    expect(await askFresh('private', [password])).toEqual({ kind: 'found', digest });
    expect(tokens.seen.at(-1)?.authorization).toMatch(/^Basic /);
    const identity: RegistryCredentials = { kind: 'identity-token', token: identityToken };
    expect(await askFresh('private', [identity])).toEqual({ kind: 'found', digest });
    expect(tokens.seen.at(-1)).toMatchObject({ method: 'POST', authorization: undefined });
  });

  test('refuses those whose credentials are wrong', async () => {
    const host = new URL(tokens.realm).host;
    const refusal = `${registry.host} refuses to tell about private: `;
    for (const credentials of [wrong, { kind: 'identity-token', token: 'made up' } as const]) {
      expect(await askFresh('private', [credentials])).toEqual({
        kind: 'refused',
        problem: `${refusal}its token server ${host} does not accept the credentials`,
      });
    }
    expect(await askFresh('private', [wrong, password])).toEqual({ kind: 'found', digest });
  });

  test('one token serves until it is old, for one repository and one user', async () => {
    const asker = createRegistryClient();
    const before = tokens.seen.length;
    const ask = (repository: string, credentials: readonly RegistryCredentials[] = []) =>
      resolve(registry, repository, 'v1', { credentials }, asker);
    try {
      for (let count = 0; count < 3; count += 1) {
        expect(await ask('private', [password])).toEqual({ kind: 'found', digest });
      }
      expect(tokens.seen.length - before).toBe(1);
      expect(await ask('public', [password])).toEqual({ kind: 'found', digest });
      expect(tokens.seen.length - before).toBe(2);
      expect((await ask('private')).kind).toBe('refused');
      expect(tokens.seen.length - before).toBe(3);
    } finally {
      await asker.close();
    }
  });
});

describe('a token that gets old', () => {
  /** Asks until another token was needed, and every answer has to be right. */
  async function askUntilRenewed(tokens: TokenServer): Promise<void> {
    const registry = await startRegistry({ auth: tokens });
    const asker = createRegistryClient();
    try {
      const digest = await registry.writer.pushImage('app', 'v1', 'x');
      const ask = (): Promise<RegistryAnswer> =>
        resolve(registry, 'app', 'v1', { credentials: [password] }, asker);
      expect(await ask()).toEqual({ kind: 'found', digest });
      expect(tokens.seen).toHaveLength(1);
      await waitFor('a second token to be asked for', async () => {
        expect(await ask()).toEqual({ kind: 'found', digest });
        return tokens.seen.length > 1 ? true : undefined;
      });
    } finally {
      await asker.close();
      await registry.remove();
      await tokens.stop();
    }
  }

  test('is renewed when its time is over', async () => {
    await askUntilRenewed(await startTokenServer({ saysSeconds: 1 }));
  });

  test('is renewed when the registry takes it no more, whatever was said of it', async () => {
    // The registry takes a token for a minute longer than it is good: this one for a few seconds.
    await askUntilRenewed(await startTokenServer({ goodForSeconds: -56, saysSeconds: 3_600 }));
  });
});

test(
  'what a registry tells of pushes can be read',
  async () => {
    const heard: { readonly pushes: readonly PushNotice[]; readonly secret: unknown }[] = [];
    const listener = await startHttpServer(async (request, response) => {
      const reading = readNotification(await json(request));
      if (reading.kind === 'invalid') throw new Error(reading.problem);
      heard.push({ pushes: reading.pushes, secret: request.headers['authorization'] });
      response.writeHead(200).end();
    });
    const registry = await startRegistry({
      notifications: { url: listener.url, headers: { Authorization: 'Bearer known to both' } },
    });
    try {
      const digest = await registry.writer.pushImage('team/app', 'v1', 'x');
      const index = await registry.writer.pushIndex('team/app', 'all', 'y');
      const pushes = await waitFor('both pushes to be told', () => {
        const all = heard.flatMap((notice) => notice.pushes);
        return all.length >= 2 ? all : undefined;
      });
      const shared = { host: registry.host, repository: 'team/app' };
      expect(pushes).toEqual([
        { ...shared, tag: 'v1', digest },
        { ...shared, tag: 'all', digest: index },
      ]);
      expect(new Set(heard.map(({ secret }) => secret))).toEqual(new Set(['Bearer known to both']));
    } finally {
      await registry.remove();
      await listener.stop();
    }
  },
  buildWithinMs,
);
