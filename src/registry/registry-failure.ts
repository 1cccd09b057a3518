import { formatRepository, type RepositoryName } from '../domain/images/parse-image.js';
import type { RegistryProblem } from '../domain/images/registry-answer.js';

/** Why a question has no answer. The message is the second half of a sentence, and has no credentials in it. */
export class RegistryFailure extends Error {
  override readonly name = 'RegistryFailure';

  constructor(
    readonly kind: RegistryProblem['kind'],
    message: string,
    /** Whether the same question may be answered a moment later, and when the registry wants it. */
    readonly again: { readonly mayPass: boolean; readonly afterMs?: number } = { mayPass: false },
  ) {
    super(message);
  }
}

export const refused = (why: string): RegistryFailure => new RegistryFailure('refused', why);
export const nonsense = (why: string): RegistryFailure => new RegistryFailure('nonsense', why);
export const unreachable = (
  why: string,
  again?: { readonly mayPass: boolean; readonly afterMs?: number },
): RegistryFailure => new RegistryFailure('unreachable', why, again);

const sentenceBegins: Readonly<Record<RegistryProblem['kind'], (name: RepositoryName) => string>> =
  {
    refused: ({ registry, repository }) => `${registry} refuses to tell about ${repository}`,
    unreachable: ({ registry, repository }) => `${registry} can't be asked about ${repository}`,
    nonsense: (name) => `there is no usable answer about ${formatRepository(name)}`,
  };

/** The whole sentence, for the repository that was asked about. */
export function toProblem(
  { kind, message }: RegistryFailure,
  name: RepositoryName,
): RegistryProblem {
  return { kind, problem: `${sentenceBegins[kind](name)}: ${message}` };
}

/** Why there was no answer at all, from what the connection said. */
export function explainConnectionFailure(error: unknown): RegistryFailure {
  const code = codeOf(error);
  const known = connectionFailures.find(({ codes }) => codes.test(code));
  if (known !== undefined) {
    return new RegistryFailure(known.kind ?? 'unreachable', known.why(code), {
      mayPass: known.mayPass,
    });
  }
  return unreachable(`the connection failed (${code})`, { mayPass: true });
}

interface KnownFailure {
  readonly codes: RegExp;
  /** @default 'unreachable' */
  readonly kind?: RegistryProblem['kind'];
  readonly why: (code: string) => string;
  readonly mayPass: boolean;
}

const connectionFailures: readonly KnownFailure[] = [
  { codes: /^ECONNREFUSED$/, why: () => 'the connection was refused', mayPass: true },
  { codes: /^ENOTFOUND$/, why: () => 'its host name is unknown', mayPass: false },
  { codes: /^EAI_AGAIN$/, why: () => "its host name can't be looked up", mayPass: true },
  {
    codes: /^(UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|ETIMEDOUT)$/,
    why: () => 'it did not answer in time',
    mayPass: true,
  },
  { codes: /^E(HOST|NET)UNREACH$/, why: () => 'there is no way to its network', mayPass: true },
  {
    codes: /^(ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/,
    why: () => 'it closed the connection in the middle of an answer',
    mayPass: true,
  },
  {
    codes: /^(ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG|EPROTO)$/,
    why: () => 'it does not speak TLS, and only a registry marked as insecure may do without',
    mayPass: false,
  },
  {
    codes: /CERT|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/,
    why: (code) => `its certificate is not trusted (${code})`,
    mayPass: false,
  },
  {
    codes: /^(HPE_|HTTPParserError|UND_ERR_HEADERS_OVERFLOW)/,
    kind: 'nonsense',
    why: () => 'what it answers is not HTTP',
    mayPass: false,
  },
];

/** What tells failures apart: Node's and undici's codes, and the name of the one that has none. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  if ('cause' in error && error.cause !== undefined) return codeOf(error.cause);
  return 'name' in error && typeof error.name === 'string' ? error.name : '';
}
