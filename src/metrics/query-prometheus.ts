import { request, type Dispatcher } from 'undici';

import { readPrometheusAnswer, type QueryAnswer } from './read-prometheus-answer.js';

export interface QueryLimits {
  /** For one answer, with all that it takes. */
  readonly wholeMs: number;
  readonly bytes: number;
}

export const defaultQueryLimits: QueryLimits = { wholeMs: 5_000, bytes: 1024 * 1024 };

/**
 * Asks Prometheus for one number, by its HTTP API. Whatever goes wrong is an answer, too: a sentence that
 * names the server by its host alone, because an address may hold more than everybody should read.
 */
export async function queryPrometheus(
  { url, query }: { readonly url: string; readonly query: string },
  limits: QueryLimits = defaultQueryLimits,
): Promise<QueryAnswer> {
  if (!URL.canParse(url)) return { problem: 'its url is not one' };
  const target = new URL(url);
  target.pathname = `${target.pathname.replace(/\/+$/, '')}/api/v1/query`;
  const { host } = target;
  try {
    const response = await request(target, {
      method: 'POST',
      signal: AbortSignal.timeout(limits.wholeMs),
      headers: { 'user-agent': 'slipway', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ query }).toString(),
    });
    const body = await readBody(response.body, limits.bytes);
    if (body === undefined) {
      return { problem: `the answer of ${host} is longer than ${limits.bytes} bytes` };
    }
    return readPrometheusAnswer(host, response.statusCode, body);
  } catch (error) {
    return { problem: `${host} ${explain(error, limits)}` };
  }
}

/** Undefined when it is too long; the rest is never read then. */
async function readBody(
  body: Dispatcher.ResponseData['body'],
  most: number,
): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function explain(error: unknown, { wholeMs }: QueryLimits): string {
  const code = codeOf(error);
  if (code === 'TimeoutError') return `did not answer within ${wholeMs / 1_000} s`;
  if (code === 'ECONNREFUSED') return 'refuses the connection';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'is not a host that is known here';
  if (/CERT|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/.test(code)) {
    return `has a certificate that is not trusted (${code})`;
  }
  return `can't be reached (${code})`;
}

/** What tells failures apart: Node's and undici's codes, and the name of the one that has none. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  if ('cause' in error && error.cause !== undefined) return codeOf(error.cause);
  return 'name' in error && typeof error.name === 'string' ? error.name : '';
}
