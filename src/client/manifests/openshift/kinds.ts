import type { JsonMap } from '../json-value.js';

/** The groups that OpenShift's kinds moved to; its oldest manifests have them in `v1`. */
const groups: Readonly<Record<string, readonly string[]>> = {
  'apps.openshift.io': ['DeploymentConfig', 'DeploymentConfigRollback', 'DeploymentRequest'],
  'authorization.openshift.io': ['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'],
  'build.openshift.io': ['Build', 'BuildConfig', 'BuildRequest'],
  'image.openshift.io': [
    'Image',
    'ImageStream',
    'ImageStreamImage',
    'ImageStreamImport',
    'ImageStreamMapping',
    'ImageStreamTag',
  ],
  'oauth.openshift.io': ['OAuthClient'],
  'project.openshift.io': ['Project', 'ProjectRequest'],
  'route.openshift.io': ['Route'],
  'security.openshift.io': ['SecurityContextConstraints'],
  'template.openshift.io': ['Template', 'TemplateInstance'],
  'user.openshift.io': ['Group', 'Identity', 'User', 'UserIdentityMapping'],
};

const groupOfKind = new Map(
  Object.entries(groups).flatMap(([group, kinds]) => kinds.map((kind) => [kind, group] as const)),
);

/** Example: a Route of v1 -> route.openshift.io/v1; what Kubernetes itself has stays as it is. */
export function modernApiVersion(apiVersion: string, kind: string): string {
  const group = groupOfKind.get(kind);
  return apiVersion === 'v1' && group !== undefined ? `${group}/v1` : apiVersion;
}

const advice: Readonly<Record<string, string>> = {
  Route: 'an Ingress of networking.k8s.io/v1 does its work',
  BuildConfig: 'build the image in CI, and push it to a registry',
  Build: 'build the image in CI, and push it to a registry',
  ImageStreamTag: 'an ImageRepository of slipway.dev/v1alpha1 follows the tags of a registry',
  ImageStreamImport: 'an ImageRepository of slipway.dev/v1alpha1 follows the tags of a registry',
  Project: 'create a Namespace',
  ProjectRequest: 'create a Namespace',
  SecurityContextConstraints: 'Pod Security admission does its work, by labels of the namespace',
  TemplateInstance: 'give the Template itself to "slipway deploy"',
  Role: 'write it as one of rbac.authorization.k8s.io/v1',
  ClusterRole: 'write it as one of rbac.authorization.k8s.io/v1',
  ClusterRoleBinding: 'write it as one of rbac.authorization.k8s.io/v1',
};

/** Kinds that Slipway brings itself, so that a cluster without them needs `slipway install`. */
const ours = ['apps.openshift.io/v1 DeploymentConfig'];

/** What to do without a kind that only OpenShift serves; undefined when it is not one of those. */
export function adviseWithout(apiVersion: string, kind: string): string | undefined {
  const [group = ''] = apiVersion.split('/');
  if (!group.endsWith('.openshift.io') || ours.includes(`${apiVersion} ${kind}`)) return undefined;
  const what = advice[kind];
  return `this cluster doesn't have OpenShift's ${kind}${what === undefined ? '' : `; ${what}`}`;
}

const configVersions: readonly unknown[] = ['apps.openshift.io/v1', 'v1', 'v1beta3', 'v1beta1'];

/** Of any age; the first ones had neither a spec nor, often, a version. */
export const isDeploymentConfig = ({ apiVersion, kind, spec }: JsonMap): boolean =>
  kind === 'DeploymentConfig' &&
  (apiVersion === undefined ? spec === undefined : configVersions.includes(apiVersion));

export const isKind = (value: JsonMap, apiVersion: string, kind: string): boolean =>
  value['kind'] === kind &&
  typeof value['apiVersion'] === 'string' &&
  modernApiVersion(value['apiVersion'], kind) === apiVersion;
