import { createServer } from 'node:net';

/** A port of the loopback address that nobody uses at this moment. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (typeof address === 'object' && address !== null) resolve(address.port);
        else reject(new Error('no port could be had on 127.0.0.1'));
      });
    });
  });
}
