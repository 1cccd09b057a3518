import { findTypes, type ServedKind } from '../../../src/client/manifests/find-types.js';
import { parseManifests, type Manifest } from '../../../src/client/manifests/parse-manifests.js';

const namespaced = (kind: string, name: string): ServedKind => ({ kind, name, namespaced: true });

/** What the tests' cluster serves, as its discovery would tell it. */
export const served = new Map<string, readonly ServedKind[] | undefined>([
  [
    'v1',
    [
      { kind: 'Namespace', name: 'namespaces', namespaced: false },
      namespaced('ConfigMap', 'configmaps'),
      namespaced('Pod', 'pods'),
      namespaced('PersistentVolumeClaim', 'persistentvolumeclaims'),
      namespaced('Secret', 'secrets'),
      namespaced('Service', 'services'),
      namespaced('Service', 'services/status'),
      namespaced('ServiceAccount', 'serviceaccounts'),
    ],
  ],
  ['networking.k8s.io/v1', [namespaced('Ingress', 'ingresses')]],
  ['rbac.authorization.k8s.io/v1', [namespaced('RoleBinding', 'rolebindings')]],
  ['slipway.dev/v1alpha1', [namespaced('ImageRepository', 'imagerepositories')]],
]);

/** The manifests of a text whose kinds the tests' cluster serves, not yet placed. */
export function manifestsOf(text: string, params: Record<string, string> = {}) {
  const parsed = parseManifests([{ name: 'web.yaml', text }], {
    params: new Map(Object.entries(params)),
  });
  const found = findTypes(parsed.drafts, served);
  return { parsed, ...found, mistakes: [...parsed.mistakes, ...found.mistakes] };
}

export const kindsOf = (manifests: readonly Manifest[]): readonly string[] =>
  manifests.map(({ type }) => type.kind);
