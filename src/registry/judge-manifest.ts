import { createHash } from 'node:crypto';

import { digestAlgorithm, type DigestAlgorithm } from '../domain/images/digest.js';
import type { RegistryAnswer } from '../domain/images/registry-answer.js';
import type { HttpAnswer } from './exchange.js';
import { nonsense, refused } from './registry-failure.js';

/** What an image, or a list of one per platform, can be written as. */
const manifestTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
] as const;

/** Written in the days before digests named what they name today. */
const oldManifestType = /^application\/vnd\.docker\.distribution\.manifest\.v1\+/;

export const acceptedManifests = manifestTypes.join(', ');

/** Of servers that don't answer this kind of question at all. */
const headNotKnown = [400, 405, 501];

/** From the headers alone. `undecided`: the manifest itself has to be asked for. */
export function judgeHead(
  answer: HttpAnswer,
  wanted: string | undefined,
): RegistryAnswer | { readonly kind: 'undecided' } {
  if (headNotKnown.includes(answer.status)) return { kind: 'undecided' };
  const missing = judgeStatus(answer);
  if (missing !== undefined) return missing;
  const type = contentType(answer);
  const told = answer.headers.get('docker-content-digest');
  if (type === '' || told === undefined) return { kind: 'undecided' };
  checkType(type);
  const algorithm = readAlgorithm(told);
  if (wanted === undefined || told === wanted) return { kind: 'found', digest: told };
  // By another algorithm the same manifest has another digest.
  if (algorithm !== digestAlgorithm(wanted)) return { kind: 'undecided' };
  throw nonsense(`it answers with ${told} where ${wanted} was asked for`);
}

/** From the manifest itself, whose hash has to be what it goes by. */
export function judgeManifest(answer: HttpAnswer, wanted: string | undefined): RegistryAnswer {
  const missing = judgeStatus(answer);
  if (missing !== undefined) return missing;
  const { body } = answer;
  const type = contentType(answer);
  const isVague = type === '' || type === 'application/json';
  const { mediaType } = readManifest(body);
  checkType(isVague && typeof mediaType === 'string' ? mediaType.toLowerCase() : type);
  const told = answer.headers.get('docker-content-digest');
  for (const expected of [told, wanted]) {
    if (expected === undefined) continue;
    const actual = computeDigest(body, readAlgorithm(expected));
    if (actual !== expected) {
      throw nonsense(`the manifest that it gives for ${expected} is ${actual}`);
    }
  }
  return { kind: 'found', digest: wanted ?? told ?? computeDigest(body, 'sha256') };
}

/** That there is nothing of that name; undefined when there is. */
export function judgeStatus(answer: HttpAnswer): RegistryAnswer | undefined {
  const { status } = answer;
  if (status === 200) return undefined;
  if (status === 401 || status === 403) throw refused(`it answers ${status}`);
  const isPage = contentType(answer) === 'text/html';
  if ((status === 404 || status === 410) && !isPage) return { kind: 'missing' };
  throw nonsense(`it answers ${status}${isPage ? ' with a web page' : ''}`);
}

function checkType(type: string): void {
  if (manifestTypes.some((known) => known === type)) return;
  if (oldManifestType.test(type)) {
    throw nonsense('it has the image only in the old format, schema 1');
  }
  throw nonsense(`it answers with ${type === '' ? 'something' : type} that is not an image`);
}

function readAlgorithm(digest: string): DigestAlgorithm {
  const algorithm = digestAlgorithm(digest);
  if (algorithm === undefined) throw nonsense('the digest that it tells is not one');
  return algorithm;
}

const computeDigest = (body: Buffer, algorithm: DigestAlgorithm): string =>
  `${algorithm}:${createHash(algorithm).update(body).digest('hex')}`;

const contentType = ({ headers }: HttpAnswer): string =>
  (headers.get('content-type') ?? '').split(';', 1).join('').trim().toLowerCase();

function readManifest(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    if (typeof parsed === 'object' && parsed !== null && 'schemaVersion' in parsed) {
      return parsed;
    }
  } catch {
    // Said below, together with the other ways of not being a manifest.
  }
  throw nonsense('its answer is not a manifest');
}
