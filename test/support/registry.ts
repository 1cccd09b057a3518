import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Agent, request, type Dispatcher } from 'undici';

import { createProgress } from '../../src/client/terminal/progress.js';
import { createAuthority, issueCertificate } from '../../src/dev/pki/issue-certificate.js';
import { loopback, pickFreePort } from '../../src/dev/stack/ports.js';
import { ensureToolchain } from '../../src/dev/toolchain/ensure-toolchain.js';
import { RegistryWriter } from './registry-writer.js';
import { startServerProcess } from './server-process.js';
import type { TokenServer } from './token-server.js';

export interface RegistryOptions {
  /** Who may do what. @default everybody may do all */
  readonly auth?: 'password' | TokenServer;
  /** @default false */
  readonly tls?: boolean;
  /** Where it tells of what happens in it. */
  readonly notifications?: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
  };
}

export interface RegistryServer {
  /** As images are named. Example: 127.0.0.1:20123 */
  readonly host: string;
  /** What to trust, where it speaks TLS. */
  readonly authority: string | undefined;
  /** Puts images into it, and takes them out. */
  readonly writer: RegistryWriter;
  /** The file in which it notes each request. */
  readonly log: string;
  /** Stops it and leaves its images, so that it can be started again at the same place. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops it and leaves nothing behind. */
  remove(): Promise<void>;
}

/** Who is let in where the registry wants a password; it knows it only as bcrypt has made it. */
export const registryUser = { username: 'robin', password: 'secret words' } as const;
const htpasswdLine = `${registryUser.username}:$2b$05$abcdefghijklmnopqrstuuqYWJzDGhfhlP.9mT5jl1vGUfaiH1IM.\n`;

/** A registry of the distribution project, with a folder and a port of its own. */
export async function startRegistry(options: RegistryOptions = {}): Promise<RegistryServer> {
  const { registry: program } = await ensureToolchain({
    tools: ['registry'],
    progress: createProgress(process.stderr),
  });
  const folder = await mkdtemp(join(tmpdir(), 'slipway-registry-'));
  const port = await pickFreePort();
  const host = `${loopback}:${port}`;
  const tls = options.tls === true ? await writeCertificate(folder) : undefined;
  const configPath = join(folder, 'config.yml');
  await writeFile(join(folder, 'htpasswd'), htpasswdLine);
  await writeFile(configPath, JSON.stringify(await buildConfig(options, folder, host, tls)));
  const dispatcher = new Agent(tls === undefined ? {} : { connect: { ca: tls.authority } });
  const base = `${tls === undefined ? 'http' : 'https'}://${host}`;
  const log = join(folder, 'registry.log');
  const launch = () =>
    startServerProcess({
      name: 'the registry',
      // Without a collector for its traces it would complain of that alone.
      command: {
        program,
        arguments: ['serve', configPath],
        environment: { OTEL_TRACES_EXPORTER: 'none' },
      },
      log,
      isReady: () => isUp(base, dispatcher),
    });
  let running = await launch();
  const authorize = chooseAuthorization(options.auth);
  return {
    host,
    authority: tls?.authority,
    writer: new RegistryWriter(base, dispatcher, authorize),
    log,
    stop: () => running.stop(),
    start: async () => {
      running = await launch();
    },
    remove: async () => {
      await running.stop();
      await dispatcher.destroy();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface TlsFiles {
  readonly certificate: string;
  readonly key: string;
  readonly authority: string;
}

async function writeCertificate(folder: string): Promise<TlsFiles> {
  const authority = await createAuthority('slipway test registries');
  const issued = await issueCertificate(authority, {
    commonName: 'registry',
    usages: ['server'],
    hosts: [loopback],
  });
  const files = { certificate: join(folder, 'tls.crt'), key: join(folder, 'tls.key') };
  await writeFile(files.certificate, issued.certificate);
  await writeFile(files.key, issued.key.export({ type: 'pkcs8', format: 'pem' }));
  return { ...files, authority: authority.certificate };
}

/** JSON is YAML, which is what the registry reads. */
async function buildConfig(
  { auth, notifications }: RegistryOptions,
  folder: string,
  host: string,
  tls: TlsFiles | undefined,
): Promise<object> {
  return {
    version: 0.1,
    log: { level: 'info' },
    storage: {
      filesystem: { rootdirectory: join(folder, 'images') },
      delete: { enabled: true },
    },
    http: {
      addr: host,
      secret: randomBytes(16).toString('hex'),
      ...(tls === undefined ? {} : { tls: { certificate: tls.certificate, key: tls.key } }),
    },
    ...(auth === 'password'
      ? { auth: { htpasswd: { realm: 'test', path: join(folder, 'htpasswd') } } }
      : {}),
    ...(typeof auth === 'object' ? { auth: { token: await writeTrust(auth, folder) } } : {}),
    ...(notifications === undefined
      ? {}
      : {
          notifications: {
            endpoints: [
              {
                name: 'test',
                url: notifications.url,
                headers: Object.fromEntries(
                  Object.entries(notifications.headers).map(([name, value]) => [name, [value]]),
                ),
                timeout: '1s',
                threshold: 5,
                backoff: '100ms',
              },
            ],
          },
        }),
  };
}

async function writeTrust(server: TokenServer, folder: string): Promise<object> {
  const jwks = join(folder, 'jwks.json');
  await writeFile(jwks, JSON.stringify(server.keys));
  return { realm: server.realm, service: server.service, issuer: server.issuer, jwks };
}

function chooseAuthorization(
  auth: RegistryOptions['auth'],
): ((repository: string) => string) | undefined {
  if (auth === undefined) return undefined;
  if (auth === 'password') {
    const { username, password } = registryUser;
    const encoded = Buffer.from(`${username}:${password}`).toString('base64');
    return () => `Basic ${encoded}`;
  }
  return (repository) => `Bearer ${auth.issue(repository, ['pull', 'push', 'delete'])}`;
}

async function isUp(base: string, dispatcher: Dispatcher): Promise<boolean> {
  const { statusCode, body } = await request(`${base}/v2/`, { dispatcher });
  await body.dump();
  return statusCode === 200 || statusCode === 401;
}
