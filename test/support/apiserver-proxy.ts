import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { pkiFiles } from '../../src/dev/pki/pki-files.js';
import { layoutOf } from '../../src/dev/stack/layout.js';
import { loopback } from '../../src/dev/stack/ports.js';
import { readState } from '../../src/dev/stack/state.js';
import type { LocalStack } from './local-stack.js';

/** A write on its way to the apiserver. */
export interface Write {
  readonly method: string;
  /** Such as pods. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly body: unknown;
}

export interface Interruption {
  /** The write that it is about. */
  readonly at: (write: Write) => boolean;
  /** Whether that write gets through, and only its answer does not. */
  readonly isThrough: boolean;
  /** Whether it is left without an answer; else its connection is cut. */
  readonly isHeld: boolean;
  /** What does not get through either from then on. */
  readonly then: (write: Write) => boolean;
}

interface Armed extends Interruption {
  /** The write has come; what follows it is kept from getting through. */
  isMet: boolean;
  /** And is where it is to be. */
  isReached: boolean;
}

interface Exchange {
  readonly asked: IncomingMessage;
  readonly answer: ServerResponse;
  readonly body: Buffer;
}

const retryMs = 20;

/**
 * Stands between the worker and the apiserver, with the apiserver's certificate and the worker's rights, and
 * cuts what is said between them where a test wants it cut. What comes while the apiserver is down is passed
 * on in the first moment in which it listens.
 */
export class ApiserverProxy {
  readonly kubeconfig: string;
  private armed: Armed[] = [];
  private readonly held = new Map<ServerResponse, () => void>();
  private readonly agent: Agent;

  private constructor(
    private readonly server: Server,
    private readonly target: number,
    { stateDir, workerKubeconfig }: Pick<LocalStack, 'stateDir' | 'workerKubeconfig'>,
  ) {
    const pki = pkiFiles(layoutOf(stateDir).pki);
    this.agent = new Agent({
      keepAlive: true,
      ca: readFileSync(pki.clusterAuthority),
      cert: readFileSync(pki.worker.certificate),
      key: readFileSync(pki.worker.key),
    });
    const { port } = server.address() as AddressInfo;
    this.kubeconfig = join(stateDir, 'proxied.kubeconfig');
    const direct = readFileSync(workerKubeconfig, 'utf8');
    writeFileSync(
      this.kubeconfig,
      direct.replace(/server: .*/, `server: https://${loopback}:${port}`),
      { mode: 0o600 },
    );
  }

  static async start(stack: LocalStack): Promise<ApiserverProxy> {
    const layout = layoutOf(stack.stateDir);
    const { apiserver } = pkiFiles(layout.pki);
    const server = createServer({
      cert: readFileSync(apiserver.certificate),
      key: readFileSync(apiserver.key),
    });
    server.keepAliveTimeout = 0;
    server.listen(0, loopback);
    await once(server, 'listening');
    const target = readState(layout).ports['kube-apiserver']?.['https'] ?? 0;
    const proxy = new ApiserverProxy(server, target, stack);
    server.on('request', (asked: IncomingMessage, answer: ServerResponse) => {
      proxy.serve(asked, answer).catch(() => {
        answer.destroy();
      });
    });
    return proxy;
  }

  /** Returns whether it has come to that write. */
  interrupt(interruption: Interruption): () => boolean {
    const armed: Armed = { ...interruption, isMet: false, isReached: false };
    this.armed.push(armed);
    return () => armed.isReached;
  }

  /** Everything gets through again, but for what is held. */
  disarm(): void {
    this.armed = [];
  }

  /** Everything gets through again; what was held goes its way as well. */
  letThrough(): void {
    this.disarm();
    for (const [answer, goOn] of this.held) if (!answer.destroyed) goOn();
    this.held.clear();
  }

  /** Everything gets through again; what was held is lost. */
  cutHeld(): void {
    for (const answer of this.held.keys()) answer.destroy();
    this.held.clear();
    this.letThrough();
  }

  async stop(): Promise<void> {
    this.cutHeld();
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    this.agent.destroy();
    await closed;
  }

  private async serve(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    if (asked.method === 'GET') {
      await this.pass(asked, answer, undefined);
      return;
    }
    const body = await readAll(asked);
    const write = readWrite(asked, body);
    const armed = this.armed.find((each) => each.at(write) || (each.isMet && each.then(write)));
    if (armed === undefined) await this.pass(asked, answer, body);
    else await this.hinder(armed, { asked, answer, body });
  }

  private async hinder(armed: Armed, { asked, answer, body }: Exchange): Promise<void> {
    const goesThrough = armed.isThrough && !armed.isMet;
    armed.isMet = true;
    let goOn = (): void => {
      this.pass(asked, answer, body).catch(() => answer.destroy());
    };
    if (goesThrough) {
      const given = await this.send(asked, body);
      const text = await readAll(given);
      goOn = () => {
        answer.writeHead(given.statusCode ?? 500, given.headers).end(text);
      };
      // What was refused has changed nothing, and will come again.
      if ((given.statusCode ?? 500) >= 400) {
        armed.isMet = false;
        goOn();
        return;
      }
    }
    armed.isReached = true;
    if (!this.armed.includes(armed)) goOn();
    else if (armed.isHeld) this.held.set(answer, goOn);
    else answer.destroy();
  }

  private async pass(
    asked: IncomingMessage,
    answer: ServerResponse,
    body: Buffer | undefined,
  ): Promise<void> {
    const given = await this.send(asked, body, answer);
    answer.writeHead(given.statusCode ?? 500, given.headers);
    answer.flushHeaders();
    given.pipe(answer);
    given.once('close', () => {
      if (!given.complete) answer.destroy();
    });
    answer.once('close', () => {
      given.destroy();
    });
  }

  /** Waits until there is somebody to send it to, as long as the one who asks waits. */
  private async send(
    asked: IncomingMessage,
    body: Buffer | undefined,
    answer?: ServerResponse,
  ): Promise<IncomingMessage> {
    while (true) {
      try {
        return await this.sendOnce(asked, body, answer);
      } catch (error) {
        const isDown = (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
        if (!isDown || asked.socket.destroyed) throw error;
        await delay(retryMs);
      }
    }
  }

  private sendOnce(
    asked: IncomingMessage,
    body: Buffer | undefined,
    answer: ServerResponse | undefined,
  ): Promise<IncomingMessage> {
    const { method, url, headers } = asked;
    return new Promise((resolve, reject) => {
      const { agent, target: port } = this;
      const sent: ClientRequest = request(
        { agent, host: loopback, port, method, path: url, headers },
        resolve,
      );
      sent.once('error', reject);
      answer?.once('close', () => sent.destroy());
      sent.end(body);
    });
  }
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const form = /\/namespaces\/([^/]+)\/([^/]+)(?:\/([^/]+))?/;

function readWrite({ method = '', url = '' }: IncomingMessage, body: Buffer): Write {
  const { pathname } = new URL(url, 'https://apiserver');
  const [, namespace = '', resource = '', named] = form.exec(pathname) ?? [];
  const sent: unknown = body.length === 0 ? undefined : JSON.parse(body.toString());
  const { metadata } = (sent ?? {}) as { readonly metadata?: { readonly name?: string } };
  return { method, namespace, resource, name: named ?? metadata?.name ?? '', body: sent };
}
