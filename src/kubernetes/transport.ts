import type { RequestOptions } from 'node:https';

import type { KubeConfig } from './kube-config.js';
import { Agent, ProxyAgent, request, type Dispatcher } from 'undici';

import { ApiError, UnreachableError } from './api-error.js';

/** Credentials may rotate under us (projected tokens, exec plugins), so they are read anew this often. */
const credentialsFreshMs = 10_000;
/** Bookmarks arrive about once a minute; a stream that is silent for longer than this is dead. */
const silentStreamMs = 120_000;
const answerWithinMs = 30_000;
/** Of calls that are answered at once; streams hold theirs for as long as they last, and have others. */
const mostConnections = 16;

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  readonly contentType?: string;
  /** @default 'application/json' */
  readonly accept?: string;
  /** The answer may begin late: of a log that is followed, with its next line. */
  readonly beginsLate?: boolean;
  readonly signal?: AbortSignal;
}

/** Connections, apart by how long they are held: however many watches there are, a call finds one. */
interface Dispatchers {
  readonly calls: Dispatcher;
  readonly streams: Dispatcher;
}

interface Credentials {
  readonly headers: Record<string, string>;
  readonly dispatchers: Dispatchers;
  readonly tlsKey: string;
  readonly readAtMs: number;
}

/**
 * HTTP to one apiserver, over connections that stay open. The official client opens a connection,
 * with its TLS handshake, for each call; its knowledge of kubeconfigs and credentials is used here.
 */
export class Transport {
  private credentials: Credentials | undefined;

  constructor(
    private readonly config: KubeConfig,
    readonly server: string,
  ) {}

  async json<T>(call: Call): Promise<T> {
    let { code, text } = await this.ask(call);
    if (code === 403) {
      await this.verifyReady(text);
      ({ code, text } = await this.ask(call));
    }
    if (code >= 400) throw this.toError(code, text);
    return (text === '' ? {} : JSON.parse(text)) as T;
  }

  /**
   * Yields one line at a time until the server ends the stream or the signal aborts it. What comes after the
   * last line break is a line of a text, but only a part of one of a stream of objects.
   */
  async *lines(call: Call, isText = false): AsyncGenerator<string> {
    const response = await this.send(call, 'streams');
    if (response.statusCode >= 400) {
      throw this.toError(response.statusCode, await response.body.text());
    }
    response.body.setEncoding('utf8');
    let rest = '';
    for await (const chunk of response.body as AsyncIterable<string>) {
      const parts = (rest + chunk).split('\n');
      rest = parts.pop() ?? '';
      yield* isText ? parts : parts.filter((part) => part !== '');
    }
    if (isText && rest !== '') yield rest;
  }

  async close(): Promise<void> {
    const { dispatchers } = this.credentials ?? {};
    await Promise.all([dispatchers?.calls.destroy(), dispatchers?.streams.destroy()]);
    this.credentials = undefined;
  }

  private async ask(call: Call): Promise<{ readonly code: number; readonly text: string }> {
    const { statusCode, body } = await this.send(call, 'calls');
    return { code: statusCode, text: await body.text() };
  }

  /**
   * An apiserver that has just started forbids everything until it has read its own rules. What it forbids
   * before it is ready says nothing, and nobody must act upon it.
   */
  private async verifyReady(refusal: string): Promise<void> {
    const { code } = await this.ask({ method: 'GET', path: '/readyz' });
    if (code < 400 || code === 404) return;
    const { message } = ApiError.fromBody(403, refusal);
    const problem = `the cluster at ${this.server} is not ready yet: ${message}`;
    throw new ApiError(503, 'ServiceUnavailable', problem);
  }

  private toError(code: number, body: string): ApiError {
    // Credentials that are not taken any more are read anew for the next call.
    if (code === 401 && this.credentials !== undefined) {
      this.credentials = { ...this.credentials, readAtMs: 0 };
    }
    return ApiError.fromBody(code, body);
  }

  private async send(call: Call, over: keyof Dispatchers): Promise<Dispatcher.ResponseData> {
    const { headers, dispatchers } = await this.currentCredentials();
    const url = new URL(this.server.replace(/\/$/, '') + call.path);
    for (const [key, value] of Object.entries(call.query ?? {})) {
      if (value !== undefined) url.searchParams.set(key, String(value));
    }
    try {
      return await request(url, {
        method: call.method,
        dispatcher: dispatchers[over],
        headersTimeout: call.beginsLate === true ? silentStreamMs : answerWithinMs,
        bodyTimeout: over === 'streams' ? silentStreamMs : answerWithinMs,
        headers: {
          accept: call.accept ?? 'application/json',
          'user-agent': 'slipway',
          ...headers,
          ...(call.body === undefined
            ? {}
            : { 'content-type': call.contentType ?? 'application/json' }),
        },
        ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
        ...(call.signal === undefined ? {} : { signal: call.signal }),
      });
    } catch (error) {
      call.signal?.throwIfAborted();
      throw new UnreachableError(this.server, error);
    }
  }

  private async currentCredentials(): Promise<Credentials> {
    const known = this.credentials;
    const nowMs = Date.now();
    if (known !== undefined && nowMs - known.readAtMs < credentialsFreshMs) return known;
    const options: RequestOptions = {};
    await this.config.applyToHTTPSOptions(options);
    const tls = {
      ca: options.ca,
      cert: options.cert,
      key: options.key,
      rejectUnauthorized: options.rejectUnauthorized,
      servername: options.servername,
    };
    const tlsKey = JSON.stringify(tls, (_key, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
    );
    const dispatchers =
      known?.tlsKey === tlsKey ? known.dispatchers : this.renewDispatchers(tls, known?.dispatchers);
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(options.headers ?? {})) {
      if (value !== undefined) headers[name.toLowerCase()] = String(value);
    }
    if (typeof options.auth === 'string') {
      headers['authorization'] = `Basic ${Buffer.from(options.auth).toString('base64')}`;
    }
    this.credentials = { headers, dispatchers, tlsKey, readAtMs: nowMs };
    return this.credentials;
  }

  private renewDispatchers(tls: object, replaced: Dispatchers | undefined): Dispatchers {
    // Requests under way on the old connections end by themselves; new ones use the new credentials.
    void replaced?.calls.close();
    void replaced?.streams.close();
    return {
      calls: this.createDispatcher(tls, mostConnections),
      streams: this.createDispatcher(tls, null),
    };
  }

  private createDispatcher(tls: object, connections: number | null): Dispatcher {
    const proxy = this.config.getCurrentCluster()?.proxyUrl;
    const options = { connections, keepAliveTimeout: 30_000 };
    return proxy === undefined || proxy === ''
      ? new Agent({ ...options, connect: { timeout: 5_000, ...tls } })
      : new ProxyAgent({ ...options, uri: proxy, requestTls: tls });
  }
}
