import { createHash, timingSafeEqual } from 'node:crypto';

import { isNotFound } from '../../../kubernetes/api-error.js';
import type { KubernetesClient } from '../../../kubernetes/client.js';
import type { ImageRepository } from '../../../kubernetes/image-repositories/objects.js';
import type { KubernetesObject } from '../../../kubernetes/objects.js';
import { resources } from '../../../kubernetes/resources.js';
import { ExpiringCache } from '../caller/expiring-cache.js';
import { readBearer } from '../caller/read-bearer.js';
import { HttpProblem } from '../problem.js';
import { LatestRead } from './latest-read.js';

interface Secret extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
}

interface Opened {
  readonly repository: ImageRepository;
  readonly secret: string;
}

/** The key of the Secret that a registry has to know. */
const secretKey = 'token';
/** Whoever guesses makes the cluster be read no more often than this. */
const allHoldMs = 2_000;

/** Lets in those who know the secret of an ImageRepository; one that names none takes no notifications. */
export class NotificationGate {
  private readonly known = new ExpiringCache<readonly Opened[]>({ forMs: allHoldMs, limit: 1 });
  private readonly latest = new LatestRead(() => this.readAll());

  constructor(private readonly client: KubernetesClient) {}

  async admitTo(
    authorization: string | undefined,
    namespace: string,
    name: string,
  ): Promise<ImageRepository> {
    const token = readBearer(authorization);
    const type = resources.imageRepositories;
    const repository = await this.client.get<ImageRepository>(type, namespace, name);
    const secret = await this.readSecret(namespace, repository.spec.notificationSecret?.name);
    if (secret !== undefined && isSame(token, secret)) return repository;
    throw new HttpProblem(
      403,
      `the token is not the one that spec.notificationSecret of ImageRepository "${name}" names`,
    );
  }

  /** The way to all ImageRepositories that the token opens: as they are when they are asked for. */
  async admit(
    authorization: string | undefined,
  ): Promise<() => Promise<readonly ImageRepository[]>> {
    const token = readBearer(authorization);
    const known = await this.known.get('', () => this.readAll());
    if (findOpened(known, token).length > 0) {
      return async () => findOpened(await this.latest.get(), token);
    }
    throw new HttpProblem(403, 'the token is not the one of any ImageRepository');
  }

  private async readAll(): Promise<readonly Opened[]> {
    const { items } = await this.client.list<ImageRepository>(resources.imageRepositories);
    const reading = new Map<string, Promise<string | undefined>>();
    const opened = items.map(async (repository): Promise<Opened[]> => {
      const { namespace = '' } = repository.metadata;
      const name = repository.spec.notificationSecret?.name;
      const id = `${namespace}/${name ?? ''}`;
      const known = reading.get(id) ?? this.readSecret(namespace, name);
      reading.set(id, known);
      const secret = await known;
      return secret === undefined ? [] : [{ repository, secret }];
    });
    return (await Promise.all(opened)).flat();
  }

  private async readSecret(namespace: string, name = ''): Promise<string | undefined> {
    if (name === '') return undefined;
    try {
      const { data } = await this.client.get<Secret>(resources.secrets, namespace, name);
      // Files that were made by an editor end with a line break, which no header can carry.
      const text = Buffer.from(data?.[secretKey] ?? '', 'base64')
        .toString('utf8')
        .trim();
      return text === '' ? undefined : text;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}

const findOpened = (all: readonly Opened[], token: string): readonly ImageRepository[] =>
  all.filter(({ secret }) => isSame(token, secret)).map(({ repository }) => repository);

/** Takes as long for a near miss as for any other. */
function isSame(given: string, secret: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(secret));
}
