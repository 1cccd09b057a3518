import { createServer, type Server } from 'node:http';

export interface HttpServerOptions {
  readonly address: string;
  readonly isReady: () => boolean;
  /** Prometheus' text format. */
  readonly metrics: () => Promise<string>;
}

/** What probes and Prometheus ask the worker. */
export async function startHttpServer(options: HttpServerOptions): Promise<Server> {
  const server = createServer((request, response) => {
    const reply = (status: number, body: string): void => {
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(body);
    };
    switch (request.method === 'GET' ? request.url : undefined) {
      case '/healthz':
        reply(200, 'ok\n');
        break;
      case '/readyz':
        if (options.isReady()) reply(200, 'ok\n');
        else reply(503, 'not polling yet\n');
        break;
      case '/metrics':
        options.metrics().then(
          (text) => {
            reply(200, text);
          },
          (error: unknown) => {
            reply(500, `${error instanceof Error ? error.message : String(error)}\n`);
          },
        );
        break;
      default:
        reply(404, 'not found\n');
    }
  });
  const at = options.address.lastIndexOf(':');
  const host = options.address.slice(0, at).replace(/^\[|\]$/g, '');
  const port = Number(options.address.slice(at + 1));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}
