import type { IncomingMessage } from 'node:http';

import { findJsonFault } from './find-json-fault.js';
import { HttpProblem } from './problem.js';
import type { BodyRules } from './route.js';

const bodyWithinMs = 15_000;

/** Reads and parses a body by a route's rules, and keeps no more of it than those allow. */
export async function readJsonBody(
  request: IncomingMessage,
  { types, limitBytes }: BodyRules,
  withinMs = bodyWithinMs,
): Promise<unknown> {
  checkType(request, types);
  const bytes = await readBytes(request, limitBytes, withinMs);
  let json: string;
  try {
    json = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new HttpProblem(400, 'the body is not UTF-8');
  }
  try {
    return JSON.parse(json) as unknown;
  } catch {
    const where = findJsonFault(json) ?? 'a place that is not known';
    throw new HttpProblem(400, `the body is not JSON: see ${where}`);
  }
}

function checkType({ headers }: IncomingMessage, types: readonly string[]): void {
  const refuse = (what: string): never => {
    throw new HttpProblem(415, `${what}: send ${types.join(' or ')}`);
  };
  const [type = '', ...parameters] = (headers['content-type'] ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  if (!types.includes(type)) {
    refuse(
      type === '' ? 'the Content-Type is missing' : 'the Content-Type is not one that is read',
    );
  }
  const charset = parameters.find((part) => part.startsWith('charset='))?.slice(8);
  if (charset !== undefined && !/^"?utf-?8"?$/.test(charset)) refuse('the charset is not UTF-8');
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') refuse('the body is compressed');
}

/** What comes after the limit is let pass unread, so that the sender gets to see the answer. */
function readBytes(
  request: IncomingMessage,
  limitBytes: number,
  withinMs: number,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (act: () => void): void => {
      clearTimeout(timer);
      request.off('data', take).off('end', finish).off('close', breakOff);
      act();
    };
    const fail = (problem: HttpProblem): void => {
      end(() => {
        request.resume();
        reject(problem);
      });
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limitBytes) fail(tooLarge(limitBytes));
      else chunks.push(chunk);
    };
    const finish = (): void => {
      end(() => {
        resolve(Buffer.concat(chunks));
      });
    };
    const breakOff = (): void => {
      fail(new HttpProblem(400, 'the body was cut off'));
    };
    const timer = setTimeout(() => {
      fail(new HttpProblem(408, `the body did not come within ${withinMs / 1_000} s`));
    }, withinMs);
    if (Number(request.headers['content-length'] ?? 0) > limitBytes) fail(tooLarge(limitBytes));
    else request.on('data', take).once('end', finish).once('close', breakOff);
  });
}

const tooLarge = (limitBytes: number): HttpProblem =>
  new HttpProblem(413, `the body has more than ${limitBytes} bytes`);
