import type { RequestOptions } from 'node:https';

import type { KubeConfig } from './kube-config.js';
import { Agent, ProxyAgent, request, type Dispatcher } from 'undici';

import { ApiError, UnreachableError } from './api-error.js';

/** Credentials may rotate under us (projected tokens, exec plugins), so they are read anew this often. */
const credentialsFreshMs = 10_000;
/** Bookmarks arrive about once a minute; a stream that is silent for longer than this is dead. */
const silentStreamMs = 120_000;
const answerWithinMs = 30_000;

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  readonly contentType?: string;
  /** @default 'application/json' */
  readonly accept?: string;
  readonly signal?: AbortSignal;
}

interface Credentials {
  readonly headers: Record<string, string>;
  readonly dispatcher: Dispatcher;
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
    const response = await this.send(call, answerWithinMs);
    const text = await response.body.text();
    if (response.statusCode >= 400) throw this.toError(response.statusCode, text);
    return (text === '' ? {} : JSON.parse(text)) as T;
  }

  /** Yields one line at a time until the server ends the stream or the signal aborts it. */
  async *lines(call: Call): AsyncGenerator<string> {
    const response = await this.send(call, silentStreamMs);
    if (response.statusCode >= 400) {
      throw this.toError(response.statusCode, await response.body.text());
    }
    response.body.setEncoding('utf8');
    let rest = '';
    for await (const chunk of response.body as AsyncIterable<string>) {
      const parts = (rest + chunk).split('\n');
      rest = parts.pop() ?? '';
      yield* parts.filter((part) => part !== '');
    }
  }

  async close(): Promise<void> {
    await this.credentials?.dispatcher.destroy();
    this.credentials = undefined;
  }

  private toError(code: number, body: string): ApiError {
    // Credentials that are not taken any more are read anew for the next call.
    if (code === 401 && this.credentials !== undefined) {
      this.credentials = { ...this.credentials, readAtMs: 0 };
    }
    return ApiError.fromBody(code, body);
  }

  private async send(call: Call, bodyTimeoutMs: number): Promise<Dispatcher.ResponseData> {
    const { headers, dispatcher } = await this.currentCredentials();
    const url = new URL(this.server.replace(/\/$/, '') + call.path);
    for (const [key, value] of Object.entries(call.query ?? {})) {
      if (value !== undefined) url.searchParams.set(key, String(value));
    }
    try {
      return await request(url, {
        method: call.method,
        dispatcher,
        headersTimeout: answerWithinMs,
        bodyTimeout: bodyTimeoutMs,
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
    const dispatcher =
      known?.tlsKey === tlsKey ? known.dispatcher : this.createDispatcher(tls, known?.dispatcher);
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(options.headers ?? {})) {
      if (value !== undefined) headers[name.toLowerCase()] = String(value);
    }
    if (typeof options.auth === 'string') {
      headers['authorization'] = `Basic ${Buffer.from(options.auth).toString('base64')}`;
    }
    this.credentials = { headers, dispatcher, tlsKey, readAtMs: nowMs };
    return this.credentials;
  }

  private createDispatcher(tls: object, replaced: Dispatcher | undefined): Dispatcher {
    // Requests under way on the old connections end by themselves; new ones use the new credentials.
    void replaced?.close();
    const proxy = this.config.getCurrentCluster()?.proxyUrl;
    const options = { connections: 16, keepAliveTimeout: 30_000 };
    return proxy === undefined || proxy === ''
      ? new Agent({ ...options, connect: { timeout: 5_000, ...tls } })
      : new ProxyAgent({ ...options, uri: proxy, requestTls: tls });
  }
}
