import { EnvHttpProxyAgent } from 'undici';

import { isDigest } from '../domain/images/digest.js';
import {
  formatRepository,
  isTag,
  parseRepository,
  type RepositoryName,
} from '../domain/images/parse-image.js';
import type { RegistryAnswer } from '../domain/images/registry-answer.js';
import { assert } from '../domain/shared/assert.js';
import { createAuthorizations } from './authorizations.js';
import type { RegistryCredentials } from './credentials.js';
import { judgeHead, judgeManifest } from './judge-manifest.js';
import { defaultLimits, type RegistryLimits } from './limits.js';
import { RegistryFailure, toProblem, unreachable } from './registry-failure.js';
import { sendAuthorized, type Attempt } from './send-authorized.js';

export interface RegistryClient {
  /** What a tag stands for now. */
  resolveTag(name: RepositoryName, tag: string, access?: RegistryAccess): Promise<RegistryAnswer>;
  /** Whether a manifest is there. */
  findDigest(
    name: RepositoryName,
    digest: string,
    access?: RegistryAccess,
  ): Promise<RegistryAnswer>;
  close(): Promise<void>;
}

/** How a registry may be asked. */
export interface RegistryAccess {
  /** Without TLS. */
  readonly insecure?: boolean;
  /** Tried one after the other; without any, as anybody. */
  readonly credentials?: readonly RegistryCredentials[];
  /** Ends the question with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface RegistryClientOptions {
  readonly limits?: Partial<RegistryLimits>;
  /** Certificates, as PEM, to trust instead of those that the system trusts. */
  readonly authority?: string;
}

export function createRegistryClient(options: RegistryClientOptions = {}): RegistryClient {
  const limits = { ...defaultLimits, ...options.limits };
  const tls = options.authority === undefined ? {} : { ca: options.authority };
  const dispatcher = new EnvHttpProxyAgent({
    connect: { timeout: limits.connectMs, ...tls },
    requestTls: tls,
    keepAliveTimeout: 10_000,
  });
  const authorizations = createAuthorizations();
  const ask = (
    name: RepositoryName,
    reference: string,
    access: RegistryAccess = {},
  ): Promise<RegistryAnswer> => {
    assert(parseRepository(formatRepository(name)).kind === 'valid', 'the repository is parsed');
    const { credentials = [], insecure = false, signal: outer } = access;
    return withinTime({ name, wholeMs: limits.wholeMs, outer }, (untilMs, signal) =>
      tryCredentials(
        { name, reference, insecure, limits, untilMs, signal, dispatcher, authorizations },
        credentials,
      ),
    );
  };
  return {
    resolveTag: (name, tag, access) => {
      assert(isTag(tag), 'the tag is checked');
      return ask(name, tag, access);
    },
    findDigest: (name, digest, access) => {
      assert(isDigest(digest), 'the digest is checked');
      return ask(name, digest, access);
    },
    close: () => dispatcher.destroy(),
  };
}

interface Bounds {
  readonly name: RepositoryName;
  readonly wholeMs: number;
  readonly outer: AbortSignal | undefined;
}

/** Every failure becomes an answer; only the caller's own signal is an error. */
async function withinTime(
  { name, wholeMs, outer }: Bounds,
  action: (untilMs: number, signal: AbortSignal) => Promise<RegistryAnswer>,
): Promise<RegistryAnswer> {
  outer?.throwIfAborted();
  const controller = new AbortController();
  const stop = (): void => {
    controller.abort();
  };
  const timer = setTimeout(stop, wholeMs);
  outer?.addEventListener('abort', stop);
  try {
    return await action(Date.now() + wholeMs, controller.signal);
  } catch (error) {
    outer?.throwIfAborted();
    if (!controller.signal.aborted) throw error;
    return toProblem(unreachable(`it took longer than ${wholeMs / 1_000} s`), name);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', stop);
  }
}

/**
 * As kubelet does: one after the other until one opens it, and never as anybody where there are some. What
 * they may not see, some registries call missing.
 */
async function tryCredentials(
  question: Omit<Attempt, 'credentials'>,
  all: readonly RegistryCredentials[],
): Promise<RegistryAnswer> {
  const answers: RegistryAnswer[] = [];
  for (const credentials of all.length === 0 ? [undefined] : all) {
    const answer = await askOnce({ ...question, credentials });
    if (answer.kind !== 'refused' && answer.kind !== 'missing') return answer;
    answers.push(answer);
  }
  const [first] = answers;
  assert(first !== undefined, 'there was at least one try');
  return first;
}

async function askOnce(attempt: Attempt): Promise<RegistryAnswer> {
  try {
    return await askForManifest(attempt);
  } catch (error) {
    if (error instanceof RegistryFailure) return toProblem(error, attempt.name);
    throw error;
  }
}

async function askForManifest(attempt: Attempt): Promise<RegistryAnswer> {
  const wanted = isDigest(attempt.reference) ? attempt.reference : undefined;
  const brief = judgeHead(await sendAuthorized('HEAD', attempt), wanted);
  if (brief.kind !== 'undecided') return brief;
  return judgeManifest(await sendAuthorized('GET', attempt), wanted);
}
