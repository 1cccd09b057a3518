import type { RegistryCredentials } from './credentials.js';
import { isAllowedUrl, type HttpAnswer, type HttpQuestion } from './exchange.js';
import type { Challenge } from './parse-challenges.js';
import { nonsense, refused } from './registry-failure.js';

export interface IssuedToken {
  readonly token: string;
  readonly lastsMs: number;
}

export interface TokenRequest {
  readonly challenge: Challenge;
  /** What is asked for where the challenge does not say. */
  readonly scope: string;
  /** None: the token is for whoever asks. */
  readonly credentials: RegistryCredentials | undefined;
  readonly insecure: boolean;
}

const longestAnswerBytes = 256 * 1024;
/** What a header can carry. */
const tokenPattern = /^[\x21-\x7e]{1,65536}$/;
/** As the protocol says, of servers that don't say it. */
const defaultLastsSeconds = 60;
const clientId = 'slipway';

/**
 * Has the token server that a registry names give a token. It is given the credentials, as the protocol
 * wants it: who has them anyway, the registry, says where it is. It may not pass them on.
 */
export async function requestToken(
  wanted: TokenRequest,
  send: (question: HttpQuestion) => Promise<HttpAnswer>,
): Promise<IssuedToken> {
  const question = buildTokenQuestion(wanted);
  const { host } = question.url;
  const answer = await send(question);
  const isOldGrant = question.method === 'POST' && answer.status === 400;
  if (answer.status === 401 || answer.status === 403 || isOldGrant) {
    throw refused(
      wanted.credentials === undefined
        ? `its token server ${host} wants credentials, and there are none for it`
        : `its token server ${host} does not accept the credentials`,
    );
  }
  if (answer.status !== 200) throw nonsense(`its token server ${host} answers ${answer.status}`);
  return readToken(answer.body, host);
}

export function buildTokenQuestion(wanted: TokenRequest): HttpQuestion {
  const { challenge, credentials } = wanted;
  const url = readRealm(wanted);
  const service = challenge.parameters.get('service');
  const scopes = (challenge.parameters.get('scope') ?? wanted.scope).split(' ');
  const shared = { maxBytes: longestAnswerBytes, redirects: 'same-host' } as const;
  if (credentials?.kind === 'identity-token') {
    const form = new URLSearchParams({ grant_type: 'refresh_token', client_id: clientId });
    if (service !== undefined) form.set('service', service);
    form.set('scope', scopes.join(' '));
    form.set('refresh_token', credentials.token);
    return {
      ...shared,
      method: 'POST',
      url,
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    };
  }
  if (service !== undefined) url.searchParams.set('service', service);
  for (const scope of scopes) url.searchParams.append('scope', scope);
  return {
    ...shared,
    method: 'GET',
    url,
    headers: { accept: 'application/json' },
    authorization: credentials === undefined ? undefined : basicAuthorization(credentials),
  };
}

export function basicAuthorization({
  username,
  password,
}: {
  readonly username: string;
  readonly password: string;
}): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

function readRealm({ challenge, insecure }: TokenRequest): URL {
  const realm = challenge.parameters.get('realm') ?? '';
  if (!URL.canParse(realm)) throw nonsense('it wants a token and does not say where to get one');
  const url = new URL(realm);
  if (isAllowedUrl(url, insecure)) return url;
  throw nonsense(`its token server ${url.protocol}//${url.host} is not HTTPS`);
}

function readToken(body: Buffer, host: string): IssuedToken {
  const { token, access_token: accessToken, expires_in: lasts } = parseObject(body);
  const given = token === undefined || token === '' ? accessToken : token;
  if (typeof given !== 'string' || !tokenPattern.test(given)) {
    throw nonsense(`its token server ${host} answers without a token`);
  }
  const isTime = typeof lasts === 'number' && Number.isFinite(lasts) && lasts > 0;
  return { token: given, lastsMs: (isTime ? lasts : defaultLastsSeconds) * 1_000 };
}

function parseObject(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
