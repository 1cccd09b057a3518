import { readFileSync } from 'node:fs';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { get as httpsGet } from 'node:https';

import type { CertificateFiles } from '../pki/pki-files.js';

const answerWithinMs = 2_000;

export interface ProbeTrust {
  readonly authority: string;
  readonly client?: CertificateFiles;
}

/** Whether a server on loopback answers a health question with "OK". */
export function probe(url: string, trust?: ProbeTrust): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const options = { timeout: answerWithinMs, agent: false as const };
    const onAnswer = (response: IncomingMessage): void => {
      response.resume();
      resolve(response.statusCode === 200);
    };
    const request =
      trust === undefined
        ? httpGet(url, options, onAnswer)
        : httpsGet(url, { ...options, ...readTrust(trust) }, onAnswer);
    request.on('timeout', () => request.destroy(new Error('no answer in time')));
    request.on('error', reject);
  });
}

function readTrust({ authority, client }: ProbeTrust): { ca: Buffer; cert?: Buffer; key?: Buffer } {
  return {
    ca: readFileSync(authority),
    ...(client === undefined
      ? {}
      : { cert: readFileSync(client.certificate), key: readFileSync(client.key) }),
  };
}
