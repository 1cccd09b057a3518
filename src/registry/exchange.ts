import { request, type Dispatcher } from 'undici';

import {
  explainConnectionFailure,
  nonsense,
  RegistryFailure,
  unreachable,
} from './registry-failure.js';

export interface HttpQuestion {
  readonly method: 'HEAD' | 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Goes to the host of `url` alone, never to one that it redirects to. */
  readonly authorization?: string | undefined;
  readonly body?: string;
  /** A longer answer is none. */
  readonly maxBytes: number;
  /** @default 'anywhere' */
  readonly redirects?: 'anywhere' | 'same-host';
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  /** Of answers with status 200 to a GET or POST only. */
  readonly body: Buffer;
  /** Who has answered, after all redirects. */
  readonly origin: string;
}

export interface ExchangeSettings {
  readonly dispatcher: Dispatcher;
  /** A registry without TLS; its redirects and token servers may do without, too. */
  readonly insecure: boolean;
  /** Silence for longer than this is the end. */
  readonly silentMs: number;
  readonly signal: AbortSignal;
}

const mostRedirects = 5;
const redirecting = [301, 302, 303, 307, 308];
/** What a server says when it is busy, or when those behind it are away. */
const passing = [408, 429, 500, 502, 503, 504];
/** Read of an answer that nobody wants, to keep its connection. */
const discardedBytes = 64 * 1024;

/** One question and its answer, over as many hosts as it takes. Every other end is a RegistryFailure. */
export async function exchange(
  question: HttpQuestion,
  settings: ExchangeSettings,
): Promise<HttpAnswer> {
  let { url } = question;
  for (let count = 0; count <= mostRedirects; count += 1) {
    const isAtHome = url.origin === question.url.origin;
    const answer = await sendOnce(
      { ...question, url, authorization: isAtHome ? question.authorization : undefined },
      settings,
    );
    if (passing.includes(answer.status)) {
      throw unreachable(`it answers ${answer.status}`, {
        mayPass: true,
        ...readRetryAfter(answer),
      });
    }
    if (!redirecting.includes(answer.status) || question.method === 'POST') return answer;
    url = readRedirect(answer, url, settings);
    if (question.redirects === 'same-host' && url.origin !== question.url.origin) {
      throw nonsense(
        `${question.url.host} redirects to ${url.host}, which may not be told the same`,
      );
    }
  }
  throw nonsense(`it redirects more than ${mostRedirects} times`);
}

/** Whether credentials, or a question that leads to them, may go there. */
export const isAllowedUrl = (url: URL, insecure: boolean): boolean =>
  url.protocol === 'https:' || (insecure && url.protocol === 'http:');

function readRedirect(answer: HttpAnswer, from: URL, { insecure }: ExchangeSettings): URL {
  const location = answer.headers.get('location') ?? '';
  if (location === '' || !URL.canParse(location, from.href)) {
    throw nonsense(`it answers ${answer.status} and does not say where to go`);
  }
  const url = new URL(location, from);
  if (isAllowedUrl(url, insecure)) return url;
  throw nonsense(`it redirects to ${url.protocol}//${url.host}, which is not HTTPS`);
}

/** Seconds, or a date: a date is rare, and not worth a clock that may differ. */
function readRetryAfter({ headers }: HttpAnswer): { readonly afterMs?: number } {
  const seconds = headers.get('retry-after') ?? '';
  return /^\d{1,6}$/.test(seconds) ? { afterMs: Number(seconds) * 1_000 } : {};
}

async function sendOnce(
  question: HttpQuestion,
  { dispatcher, silentMs, signal }: ExchangeSettings,
): Promise<HttpAnswer> {
  const { method, url, headers, authorization, body } = question;
  try {
    const response = await request(url, {
      method,
      dispatcher,
      signal,
      headersTimeout: silentMs,
      bodyTimeout: silentMs,
      headers: {
        'user-agent': 'slipway',
        ...headers,
        ...(authorization === undefined ? {} : { authorization }),
      },
      ...(body === undefined ? {} : { body }),
    });
    const isWanted = response.statusCode === 200 && method !== 'HEAD';
    return {
      status: response.statusCode,
      headers: flattenHeaders(response.headers),
      body: isWanted
        ? await readBody(response.body, question.maxBytes)
        : await discard(response.body, signal),
      origin: url.origin,
    };
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof RegistryFailure ? error : explainConnectionFailure(error);
  }
}

async function readBody(body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    // Leaving the loop ends the connection, so the rest is never read.
    if (length > maxBytes) throw nonsense(`its answer is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function discard(
  body: Dispatcher.ResponseData['body'],
  signal: AbortSignal,
): Promise<Buffer> {
  await body.dump({ limit: discardedBytes, signal });
  return Buffer.alloc(0);
}

function flattenHeaders(headers: Dispatcher.ResponseData['headers']): ReadonlyMap<string, string> {
  const flat = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return flat;
}
