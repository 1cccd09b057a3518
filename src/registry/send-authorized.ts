import { setTimeout as delay } from 'node:timers/promises';

import type { Dispatcher } from 'undici';

import { registryHost, type RepositoryName } from '../domain/images/parse-image.js';
import { authorizationKey, type Authorizations } from './authorizations.js';
import type { RegistryCredentials } from './credentials.js';
import { exchange, type HttpAnswer, type HttpQuestion } from './exchange.js';
import type { RegistryLimits } from './limits.js';
import { parseChallenges } from './parse-challenges.js';
import { refused, RegistryFailure } from './registry-failure.js';
import { basicAuthorization, requestToken } from './request-token.js';

/** One try to be let in: with these credentials, or as anybody. */
export interface Attempt {
  readonly name: RepositoryName;
  /** What of the repository is asked for. Example: manifests/v1 */
  readonly path: string;
  /** The types of answers that can be read. */
  readonly accept: string;
  readonly credentials: RegistryCredentials | undefined;
  /** Without TLS. */
  readonly insecure: boolean;
  readonly limits: RegistryLimits;
  readonly untilMs: number;
  readonly signal: AbortSignal;
  readonly dispatcher: Dispatcher;
  readonly authorizations: Authorizations;
}

/** Each pause before another try is this much longer than the last. */
const pauseGrowth = 4;

/** With what the registry wanted to hear last time; where it wants something else, with that, once. */
export async function sendAuthorized(
  method: 'HEAD' | 'GET',
  attempt: Attempt,
): Promise<HttpAnswer> {
  const { name, path, accept, limits, authorizations, credentials } = attempt;
  const url = new URL(`${rootOf(attempt)}${name.repository}/${path}`);
  const ask = (authorization: string | undefined): Promise<HttpAnswer> =>
    send(attempt, {
      method,
      url,
      headers: { accept },
      authorization,
      maxBytes: limits.manifestBytes,
    });
  const key = authorizationKey(url.origin, name.repository, credentials);
  const first = await ask(authorizations.find(key));
  if (first.status !== 401) return first;
  authorizations.forget(key);
  if (first.origin !== url.origin) {
    throw refused(`it redirects to ${first.origin}, which wants credentials of its own`);
  }
  const { authorization, lastsMs } = await answerChallenge(first, attempt);
  const second = await ask(authorization);
  if (second.status === 401) {
    throw refused(
      credentials === undefined
        ? 'it wants credentials, and there are none for it'
        : 'it does not accept the credentials',
    );
  }
  authorizations.keep(key, authorization, lastsMs);
  return second;
}

/** Whether a registry asks nobody who they are, so that it hides nothing either. */
export async function isOpenToAll(attempt: Attempt): Promise<boolean> {
  const { accept, limits } = attempt;
  const { status } = await send(attempt, {
    method: 'GET',
    url: new URL(rootOf(attempt)),
    headers: { accept },
    authorization: undefined,
    maxBytes: limits.manifestBytes,
  });
  return status === 200;
}

const rootOf = ({ name, insecure }: Attempt): string =>
  `${insecure ? 'http' : 'https'}://${registryHost(name.registry)}/v2/`;

async function answerChallenge(
  answer: HttpAnswer,
  attempt: Attempt,
): Promise<{ readonly authorization: string; readonly lastsMs: number }> {
  const { credentials, name, insecure } = attempt;
  const challenges = parseChallenges(answer.headers.get('www-authenticate') ?? '');
  const bearer = challenges.find(({ scheme }) => scheme === 'bearer');
  if (bearer !== undefined) {
    const scope = `repository:${name.repository}:pull`;
    const { token, lastsMs } = await requestToken(
      { challenge: bearer, scope, credentials, insecure },
      (question) => send(attempt, question),
    );
    return { authorization: `Bearer ${token}`, lastsMs };
  }
  if (credentials === undefined) throw refused('it wants credentials, and there are none for it');
  const takesPasswords = challenges.some(({ scheme }) => scheme === 'basic');
  if (takesPasswords && credentials.kind === 'password') {
    return { authorization: basicAuthorization(credentials), lastsMs: Infinity };
  }
  throw refused(
    takesPasswords
      ? 'it wants a user name and a password, and there is only an identity token'
      : 'it wants to be convinced in a way that is not known here',
  );
}

/** Asks again where that may help, as long as there is time. */
async function send(attempt: Attempt, question: HttpQuestion): Promise<HttpAnswer> {
  const { dispatcher, limits, signal, untilMs, insecure } = attempt;
  const settings = { dispatcher, insecure, silentMs: limits.silentMs, signal };
  for (let count = 1; ; count += 1) {
    try {
      return await exchange(question, settings);
    } catch (error) {
      if (!(error instanceof RegistryFailure) || !error.again.mayPass) throw error;
      const pauseMs = error.again.afterMs ?? limits.firstPauseMs * pauseGrowth ** (count - 1);
      if (count >= limits.tries || Date.now() + pauseMs >= untilMs) throw error;
      await delay(pauseMs, undefined, { signal });
    }
  }
}
