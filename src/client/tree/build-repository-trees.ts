import type { ImageRepository } from '../../kubernetes/image-repositories/objects.js';
import { describeRepository } from './describe-repository.js';
import type { RepositoryTree } from './tree.js';

export function buildRepositoryTrees(repositories: readonly ImageRepository[]): RepositoryTree[] {
  return repositories.map((repository) => {
    const { metadata, spec, status } = repository;
    const { phase, message } = describeRepository(repository);
    return {
      apiVersion: repository.apiVersion ?? 'slipway.dev/v1alpha1',
      kind: 'ImageRepository',
      namespace: metadata.namespace ?? '',
      name: metadata.name,
      phase,
      message,
      repository: spec.repository,
      lastCheckedAt: status?.lastCheckedAt ?? null,
      tags: (status?.tags ?? []).map(({ tag, digest, image, resolvedAt }) => ({
        tag,
        digest: digest ?? null,
        image: image ?? null,
        resolvedAt: resolvedAt ?? null,
      })),
    };
  });
}
