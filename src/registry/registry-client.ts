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
import { acceptedManifests, judgeHead, judgeManifest } from './judge-manifest.js';
import { judgeTags } from './judge-tags.js';
import { defaultLimits, type RegistryLimits } from './limits.js';
import { refused, RegistryFailure, toProblem, unreachable } from './registry-failure.js';
import { isOpenToAll, sendAuthorized, type Attempt } from './send-authorized.js';

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
  /**
   * What is missing is so only where the registry shows its repository to the one who asks: some registries call
   * missing what one may not see. Without such a sight of it the answer is `refused`.
   * @default false
   */
  readonly provesMissing?: boolean;
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
    const { credentials = [], insecure = false, provesMissing = false, signal: outer } = access;
    return withinTime({ name, wholeMs: limits.wholeMs, outer }, (untilMs, signal) => {
      const shared = { name, insecure, limits, untilMs, signal, dispatcher, authorizations };
      return tryCredentials({ ...shared, reference, provesMissing }, credentials);
    });
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

interface Question extends Omit<Attempt, 'credentials' | 'path' | 'accept'> {
  /** A tag or a digest. */
  readonly reference: string;
  readonly provesMissing: boolean;
}

/** What one try has led to. */
interface Tried {
  readonly credentials: RegistryCredentials | undefined;
  readonly answer: RegistryAnswer;
}

/**
 * As kubelet does: one after the other until one opens it, and never as anybody where there are some. What
 * they may not see, some registries call missing.
 */
async function tryCredentials(
  question: Question,
  all: readonly RegistryCredentials[],
): Promise<RegistryAnswer> {
  const tried: Tried[] = [];
  for (const credentials of all.length === 0 ? [undefined] : all) {
    const answer = await failSoftly(question.name, askForManifest(question, credentials));
    if (answer.kind !== 'refused' && answer.kind !== 'missing') return answer;
    tried.push({ credentials, answer });
  }
  const [first] = tried;
  assert(first !== undefined, 'there was at least one try');
  return question.provesMissing ? proveMissing(question, tried) : first.answer;
}

/** Missing, if one of those who were told so is shown the repository; else why that is not known. */
async function proveMissing(question: Question, tried: readonly Tried[]): Promise<RegistryAnswer> {
  let doubt: RegistryAnswer | undefined;
  for (const { credentials, answer } of tried) {
    const proof =
      answer.kind === 'missing'
        ? await failSoftly(question.name, askForTags(question, credentials))
        : answer;
    if (proof.kind === 'missing') return proof;
    doubt ??= proof;
  }
  assert(doubt !== undefined, 'there was at least one try');
  return doubt;
}

async function failSoftly(
  name: RepositoryName,
  asking: Promise<RegistryAnswer>,
): Promise<RegistryAnswer> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof RegistryFailure) return toProblem(error, name);
    throw error;
  }
}

async function askForManifest(
  question: Question,
  credentials: RegistryCredentials | undefined,
): Promise<RegistryAnswer> {
  const { reference } = question;
  const path = `manifests/${reference}`;
  const attempt = { ...question, credentials, path, accept: acceptedManifests };
  const wanted = isDigest(reference) ? reference : undefined;
  const brief = judgeHead(await sendAuthorized('HEAD', attempt), wanted);
  if (brief.kind !== 'undecided') return brief;
  return judgeManifest(await sendAuthorized('GET', attempt), wanted);
}

/** What is missing of a repository whose tags are told, or of a registry that is open to all, is missing indeed. */
async function askForTags(
  question: Question,
  credentials: RegistryCredentials | undefined,
): Promise<RegistryAnswer> {
  // One is enough to be shown something.
  const attempt = { ...question, credentials, path: 'tags/list?n=1', accept: 'application/json' };
  const { kind } = judgeTags(await sendAuthorized('GET', attempt));
  if (kind === 'shown' || (await isOpenToAll(attempt))) return { kind: 'missing' };
  throw refused('it shows nothing of it, as registries do that hide what one may not see');
}
