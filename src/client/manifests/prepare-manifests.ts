import { randomInt } from 'node:crypto';

import { ApiError, isForbidden, isNotFound } from '../../kubernetes/api-error.js';
import type { KubernetesClient } from '../../kubernetes/client.js';
import type { KubernetesObject } from '../../kubernetes/objects.js';
import { encodeSecret } from './encode-secret.js';
import { findTypes, readServedApis } from './find-types.js';
import type { JsonMap } from './json-value.js';
import { orderManifests } from './order-manifests.js';
import type { Manifest, ParsedManifests } from './parse-manifests.js';
import { placeManifests, type Placement } from './place-manifests.js';
import { fillMarks } from './templates/generated-value.js';
import { decideValues, findPlaces, type Existing } from './templates/recover-values.js';

export interface PreparedManifests {
  /** Complete, and in the order to apply them in. */
  readonly manifests: readonly Manifest[];
  /** A sentence for each thing that is not going to be applied. */
  readonly skipped: readonly string[];
  readonly mistakes: readonly string[];
}

/** What the cluster has to be asked before the objects can be checked; nothing is changed. */
export async function prepareManifests(
  client: KubernetesClient,
  parsed: ParsedManifests,
  placement: Placement,
): Promise<PreparedManifests> {
  const types = findTypes(parsed.drafts, await readServedApis(client, parsed.drafts));
  const { placed, mistakes } = placeManifests(types.manifests, placement);
  const skipped = [...parsed.notes, ...types.skipped];
  const problems = [...types.mistakes, ...mistakes];
  if (problems.length === 0 && placed.length === 0) {
    problems.push(...skipped, 'there is nothing in the files that this cluster can be given');
  }
  if (problems.length > 0) return { manifests: [], skipped, mistakes: problems };
  const places = findPlaces(placed);
  const using = [
    ...new Set(places.filter(({ isReadable }) => isReadable).map((one) => one.manifest)),
  ];
  const existing = new Map(
    await Promise.all(
      using.map(async (manifest) => [manifest, await readExisting(client, manifest)] as const),
    ),
  );
  const decided = decideValues(parsed.generated, places, existing, randomInt);
  const filled = placed.map((manifest) =>
    encodeSecret({ ...manifest, object: fillMarks(manifest.object, decided.values) }),
  );
  return { manifests: orderManifests(filled), skipped, mistakes: decided.mistakes };
}

async function readExisting(
  client: KubernetesClient,
  { type, object }: Manifest,
): Promise<Existing> {
  try {
    const { namespace, name } = object.metadata;
    const found = await client.get<KubernetesObject>(type, namespace, name);
    return found as unknown as JsonMap;
  } catch (error) {
    if (error instanceof ApiError && isForbidden(error)) return 'forbidden';
    if (isNotFound(error)) return 'absent';
    throw error;
  }
}
