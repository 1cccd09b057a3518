import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';

export const loopback = '127.0.0.1';

/**
 * Below the range from which systems take the ports of outgoing connections, and below Kubernetes'
 * node ports: a port chosen here stays free until it is used, and is mostly free again next time.
 */
const lowest = 20_000;
const highest = 29_999;
const tries = 200;

export async function pickFreePort(): Promise<number> {
  for (let count = 0; count < tries; count += 1) {
    const port = randomInt(lowest, highest + 1);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port was found on ${loopback} between ${lowest} and ${highest}`);
}

export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => {
      resolve(false);
    });
    server.listen({ port, host: loopback, exclusive: true }, () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
}

/** Whether someone listens. */
export function answers(port: number, withinMs = 1_000): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: loopback, timeout: withinMs });
    const end = (answer: boolean) => (): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false));
  });
}
