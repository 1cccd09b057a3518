import { parseImage, type ImageName } from '../domain/images/parse-image.js';
import type { RegistryAnswer } from '../domain/images/registry-answer.js';
import type { ImageFinding } from '../domain/rollback/judge-images.js';
import type { RegistryLimits } from './limits.js';
import type { RegistryAccess, RegistryClient } from './registry-client.js';

const limitsWithin = (wholeMs: number): Partial<RegistryLimits> => ({
  connectMs: 5_000,
  silentMs: wholeMs,
  wholeMs,
  tries: 2,
});

/** For somebody who waits for what is found: no answer is an answer, too, and soon. */
export const hastyLimits = limitsWithin(5_000);

/** Before something is done about it: a registry that is merely slow must not hide that an image is gone. */
export const patientLimits = limitsWithin(15_000);

const usualTag = 'latest';

/** Whether images are in their registries, by digest where they have one, else by tag; all asked side by side. */
export async function findImages(
  client: Pick<RegistryClient, 'resolveTag' | 'findDigest'>,
  images: readonly string[],
  accessTo: (name: ImageName) => Promise<RegistryAccess>,
): Promise<ReadonlyMap<string, ImageFinding>> {
  const answers = await Promise.all(
    [...new Set(images)].map(
      async (image) => [image, await findImage(client, image, accessTo)] as const,
    ),
  );
  return new Map(answers);
}

async function findImage(
  client: Pick<RegistryClient, 'resolveTag' | 'findDigest'>,
  image: string,
  accessTo: (name: ImageName) => Promise<RegistryAccess>,
): Promise<ImageFinding> {
  const parsed = parseImage(image);
  if (parsed.kind === 'invalid') return { kind: 'unknown', why: parsed.problem };
  const { value: name } = parsed;
  // Nodes may have credentials of their own, so what is hidden from us is not gone.
  const access = { ...(await accessTo(name)), provesMissing: true };
  const answer = await (name.digest === undefined
    ? client.resolveTag(name, name.tag ?? usualTag, access)
    : client.findDigest(name, name.digest, access));
  return toFinding(answer, name);
}

function toFinding(answer: RegistryAnswer, { registry }: ImageName): ImageFinding {
  switch (answer.kind) {
    case 'found':
      return { kind: 'there' };
    case 'missing':
      return { kind: 'gone', registry };
    case 'refused':
    case 'unreachable':
    case 'nonsense':
      return { kind: 'unknown', why: answer.problem };
  }
}
