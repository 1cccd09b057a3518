import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import type { Logger } from 'pino';

import { findRoute } from './find-route.js';
import { buildStatus, HttpProblem, toProblem } from './problem.js';
import { readJsonBody } from './read-body.js';
import { readQuery } from './read-query.js';
import type { Answer, ApiRequest, Route } from './route.js';

export interface HttpServerOptions {
  /** Example: 127.0.0.1:8080 */
  readonly address: string;
  readonly routes: readonly Route[];
  readonly logger: Pick<Logger, 'debug' | 'info' | 'error'>;
  /** @default 40 s */
  readonly answerWithinMs?: number;
}

export interface HttpServer {
  readonly port: number;
  /** Lets what is under way end, for a moment. */
  close(): Promise<void>;
}

const headersWithinMs = 10_000;
const requestWithinMs = 30_000;
const usualAnswerWithinMs = 40_000;
const closeWithinMs = 3_000;
const goodRequestId = /^[\w.-]{1,64}$/;
const longestLoggedPath = 200;

/** Serves the routes, and gives each request an answer and a line in the log. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const server = createServer(
    { headersTimeout: headersWithinMs, requestTimeout: requestWithinMs },
    (request, response) => {
      serve(options, request, response).catch((error: unknown) => {
        // One answer that can't be sent must not end the worker.
        options.logger.error({ err: error }, 'could not answer a request');
        response.destroy();
      });
    },
  );
  server.on('clientError', refuseUnreadable);
  const at = options.address.lastIndexOf(':');
  const host = options.address.slice(0, at).replace(/^\[|\]$/g, '');
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(Number(options.address.slice(at + 1)), host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    close: () => close(server),
  };
}

async function serve(
  options: HttpServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const startedMs = performance.now();
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && goodRequestId.test(given) ? given : randomUUID();
  const notes: Record<string, string> = {};
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  let isQuiet = false;
  let answer: Answer;
  let failure: unknown;
  try {
    const { route, params } = find(options.routes, request.method, path);
    isQuiet = route.isQuiet === true;
    answer = await answerInTime(options, route, request, response, { id, params, notes });
  } catch (error) {
    const problem = toProblem(error);
    failure = problem.code >= 500 ? (problem.cause ?? problem) : undefined;
    answer = { code: problem.code, headers: problem.headers, body: { json: buildStatus(problem) } };
  }
  send(response, id, answer);
  const line = {
    requestId: id,
    method: request.method,
    path: path.slice(0, longestLoggedPath),
    code: answer.code,
    ms: Math.round(performance.now() - startedMs),
    ...notes,
  };
  if (failure !== undefined) options.logger.error({ ...line, err: failure }, 'answered a request');
  else options.logger[isQuiet ? 'debug' : 'info'](line, 'answered a request');
}

function find(
  routes: readonly Route[],
  method: string | undefined,
  path: string,
): { readonly route: Route; readonly params: Readonly<Record<string, string>> } {
  const match = findRoute(routes, method, path);
  if (match.kind === 'found') return match;
  if (match.kind === 'none') {
    throw new HttpProblem(404, 'there is nothing at this path; /openapi.json lists all there is');
  }
  const allow = match.allowed.join(', ');
  throw new HttpProblem(405, `this path takes ${allow} only`, { headers: { allow } });
}

interface Known {
  readonly id: string;
  readonly params: Readonly<Record<string, string>>;
  readonly notes: Record<string, string>;
}

async function answerInTime(
  { answerWithinMs = usualAnswerWithinMs }: HttpServerOptions,
  route: Route,
  request: IncomingMessage,
  response: ServerResponse,
  { id, params, notes }: Known,
): Promise<Answer> {
  const query = readQuery(request.url ?? '', Object.keys(route.query ?? {}));
  const ended = new AbortController();
  const endIt = (): void => {
    ended.abort();
  };
  response.once('close', endIt);
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      ended.abort();
      reject(new HttpProblem(504, `there was no answer within ${answerWithinMs / 1_000} s`));
    }, answerWithinMs);
  });
  const asked: ApiRequest = {
    id,
    params,
    query,
    authorization: request.headers.authorization,
    signal: ended.signal,
    json: () =>
      route.body === undefined ? Promise.resolve(undefined) : readJsonBody(request, route.body),
    note: (fields) => Object.assign(notes, fields),
  };
  try {
    return await Promise.race([route.handle(asked), tooLate]);
  } finally {
    clearTimeout(timer);
    response.off('close', endIt);
  }
}

function send(response: ServerResponse, id: string, { code, headers, body }: Answer): void {
  const isText = 'text' in body;
  response
    .writeHead(code, {
      'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': id,
      ...headers,
    })
    .end(isText ? body.text : `${JSON.stringify(body.json)}\n`);
}

/** What is no HTTP, or too slow, never becomes a request. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const isLong = error.code === 'HPE_HEADER_OVERFLOW';
  const [line, problem] = isLate
    ? ['408 Request Timeout', new HttpProblem(408, 'the request did not come in time')]
    : isLong
      ? ['431 Request Header Fields Too Large', new HttpProblem(431, 'the headers are too long')]
      : ['400 Bad Request', new HttpProblem(400, 'this is not HTTP/1.1')];
  const body = `${JSON.stringify(buildStatus(problem))}\n`;
  const head = `HTTP/1.1 ${line}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`;
  socket.end(head + body);
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      server.closeAllConnections();
    }, closeWithinMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
