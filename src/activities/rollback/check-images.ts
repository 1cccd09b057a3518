import {
  isLoopback,
  isSameRepository,
  parseRepository,
  type ImageName,
} from '../../domain/images/parse-image.js';
import type { PodData } from '../../domain/rollback/config-data.js';
import type { ImageFinding } from '../../domain/rollback/judge-images.js';
import type { KubernetesClient } from '../../kubernetes/client.js';
import { findPullSecrets } from '../../kubernetes/image-repositories/find-pull-secrets.js';
import type {
  ImageRepository,
  ImageRepositorySpec,
} from '../../kubernetes/image-repositories/objects.js';
import { pickCredentials, readPullSecrets, type Keyring } from '../../registry/credentials.js';
import { findImages } from '../../registry/find-images.js';
import type { RegistryAccess, RegistryClient } from '../../registry/registry-client.js';

export interface ImageScene {
  readonly client: Pick<KubernetesClient, 'get'>;
  readonly registry: Pick<RegistryClient, 'resolveTag' | 'findDigest'>;
  readonly namespace: string;
  /** Those of the namespace: which registries may do without TLS, and what else opens them. */
  readonly repositories: readonly ImageRepository[];
}

/** The account that pods run as where none is named. */
const usualAccount = 'default';

/**
 * Asks registries for the images of pods, with what nodes would open them with: the pull secrets of the
 * template and of its ServiceAccount; then with what ImageRepositories name for the same repository.
 */
export async function checkImages(
  scene: ImageScene,
  images: readonly string[],
  { imagePullSecrets, serviceAccountName }: PodData,
): Promise<ReadonlyMap<string, ImageFinding>> {
  if (images.length === 0) return new Map();
  const ofPods = await readKeyring(scene, {
    pullSecrets: (imagePullSecrets ?? []).flatMap(({ name }) => (name ? [{ name }] : [])),
    serviceAccountName: (serviceAccountName ?? '') || usualAccount,
  });
  return findImages(scene.registry, images, (name) => findAccess(scene, name, ofPods));
}

async function findAccess(
  scene: ImageScene,
  name: ImageName,
  ofPods: Keyring,
): Promise<RegistryAccess> {
  const same = scene.repositories.filter(({ spec }) => {
    const parsed = parseRepository(spec.repository);
    return parsed.kind === 'valid' && isSameRepository(parsed.value, name);
  });
  const others = await Promise.all(same.map(({ spec }) => readKeyring(scene, spec)));
  return {
    insecure:
      same.length === 0
        ? isLoopback(name.registry)
        : same.some(({ spec }) => spec.insecure === true),
    credentials: [ofPods, ...others].flatMap((keyring) => pickCredentials(keyring, name)),
  };
}

/** What can't be read opens nothing; whether that matters, the registry says. */
async function readKeyring(
  { client, namespace }: ImageScene,
  spec: Pick<ImageRepositorySpec, 'pullSecrets' | 'serviceAccountName'>,
): Promise<Keyring> {
  const { secrets } = await findPullSecrets(client, namespace, spec);
  return secrets.flatMap((secret) => {
    const reading = readPullSecrets([secret]);
    return reading.kind === 'valid' ? reading.keyring : [];
  });
}
