import { createHash } from 'node:crypto';

import { defined } from '../../../domain/shared/optional.js';
import type { KubernetesClient } from '../../../kubernetes/client.js';
import { resources } from '../../../kubernetes/resources.js';
import { HttpProblem, unavailable } from '../problem.js';
import type { ApiRequest } from '../route.js';
import { ExpiringCache } from './expiring-cache.js';
import { challenge, readBearer } from './read-bearer.js';

/** Who the cluster says that a token is. */
export interface Caller {
  readonly username: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** What a caller wants to do, in the words of the cluster's own rules. */
export interface Right {
  readonly verb: 'get' | 'update';
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

interface TokenStatus {
  readonly authenticated?: boolean;
  readonly user?: Partial<Caller>;
}

interface AccessStatus {
  readonly allowed?: boolean;
}

/** Who lost a right keeps it for so long. */
const holdMs = 5_000;
const limit = 1_000;

/** Has the cluster judge who calls and what they may do. What it can't be asked is not allowed. */
export class ClusterGate {
  private readonly tokens = new ExpiringCache<TokenStatus>({ forMs: holdMs, limit });
  private readonly rights = new ExpiringCache<AccessStatus>({ forMs: holdMs, limit });

  constructor(private readonly client: Pick<KubernetesClient, 'review'>) {}

  async admit(request: ApiRequest, right: Right): Promise<Caller> {
    const { caller, key } = await this.recognise(request);
    const { allowed } = await this.ask(() =>
      this.rights.get(`${key} ${JSON.stringify(right)}`, () =>
        this.client.review<AccessStatus>(resources.subjectAccessReviews, {
          ...writeUser(caller),
          resourceAttributes: { ...right, version: '*' },
        }),
      ),
    );
    if (allowed === true) return caller;
    const { verb, resource, group, namespace, name } = right;
    throw new HttpProblem(
      403,
      `${caller.username} may not ${verb} ${resource}.${group} "${name}" in namespace "${namespace}"`,
    );
  }

  /** Who calls, before it is known what they want: a body is read for those alone whom the cluster knows. */
  async identify(request: ApiRequest): Promise<Caller> {
    return (await this.recognise(request)).caller;
  }

  private async recognise(
    request: ApiRequest,
  ): Promise<{ readonly caller: Caller; readonly key: string }> {
    const token = readBearer(request.authorization);
    // The token itself is kept nowhere.
    const key = createHash('sha256').update(token).digest('base64');
    const caller = await this.review(token, key);
    request.note({ user: caller.username });
    return { caller, key };
  }

  private async review(token: string, key: string): Promise<Caller> {
    const { authenticated, user } = await this.ask(() =>
      this.tokens.get(key, () =>
        this.client.review<TokenStatus>(resources.tokenReviews, { token }),
      ),
    );
    const { username = '' } = user ?? {};
    if (authenticated === true && username !== '') return { ...user, username };
    throw badToken();
  }

  private async ask<T>(question: () => Promise<T>): Promise<T> {
    try {
      return await question();
    } catch (error) {
      throw unavailable("the cluster can't be asked right now who you are and what you may", error);
    }
  }
}

/** Not 401, which is for those who send no token, so that scripts can tell the two apart by the code. */
const badToken = (): HttpProblem =>
  new HttpProblem(400, 'the cluster does not know this token, or not any more', {
    reason: 'InvalidToken',
    headers: { 'www-authenticate': `${challenge}, error="invalid_token"` },
  });

const writeUser = ({ username, uid, groups, extra }: Caller): object => ({
  user: username,
  ...defined({ uid, groups, extra }),
});
