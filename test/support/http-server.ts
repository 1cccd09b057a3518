import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { loopback } from '../../src/dev/stack/ports.js';

export interface HttpServer {
  /** Example: http://127.0.0.1:34567 */
  readonly url: string;
  readonly host: string;
  /** With all its connections. */
  stop(): Promise<void>;
}

/** A server of a test's own, for what it has to hear, and for answers that no good server gives. */
export async function startHttpServer(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void> | void,
  address = loopback,
): Promise<HttpServer> {
  const server = createServer((request, response) => {
    void (async () => {
      await answer(request, response);
    })();
  });
  server.listen(0, address);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const host = `${address}:${port}`;
  return {
    url: `http://${host}`,
    host,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
