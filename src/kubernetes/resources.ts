/** How one kind is addressed on the wire. */
export interface ResourceType {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

const resource = (
  apiVersion: string,
  kind: string,
  plural: string,
  namespaced = true,
): ResourceType => ({ apiVersion, kind, plural, namespaced });

export const resources = {
  namespaces: resource('v1', 'Namespace', 'namespaces', false),
  nodes: resource('v1', 'Node', 'nodes', false),
  pods: resource('v1', 'Pod', 'pods'),
  serviceAccounts: resource('v1', 'ServiceAccount', 'serviceaccounts'),
  secrets: resource('v1', 'Secret', 'secrets'),
  configMaps: resource('v1', 'ConfigMap', 'configmaps'),
  persistentVolumeClaims: resource('v1', 'PersistentVolumeClaim', 'persistentvolumeclaims'),
  services: resource('v1', 'Service', 'services'),
  events: resource('events.k8s.io/v1', 'Event', 'events'),
  replicaSets: resource('apps/v1', 'ReplicaSet', 'replicasets'),
  replicationControllers: resource('v1', 'ReplicationController', 'replicationcontrollers'),
  builtInDeployments: resource('apps/v1', 'Deployment', 'deployments'),
  slipwayDeployments: resource('slipway.dev/v1alpha1', 'Deployment', 'deployments'),
  deploymentConfigs: resource('apps.openshift.io/v1', 'DeploymentConfig', 'deploymentconfigs'),
  imageRepositories: resource('slipway.dev/v1alpha1', 'ImageRepository', 'imagerepositories'),
  customResourceDefinitions: resource(
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    'customresourcedefinitions',
    false,
  ),
  selfSubjectReviews: resource(
    'authentication.k8s.io/v1',
    'SelfSubjectReview',
    'selfsubjectreviews',
    false,
  ),
  roleBindings: resource('rbac.authorization.k8s.io/v1', 'RoleBinding', 'rolebindings'),
  clusterRoles: resource('rbac.authorization.k8s.io/v1', 'ClusterRole', 'clusterroles', false),
  clusterRoleBindings: resource(
    'rbac.authorization.k8s.io/v1',
    'ClusterRoleBinding',
    'clusterrolebindings',
    false,
  ),
  tokenReviews: resource('authentication.k8s.io/v1', 'TokenReview', 'tokenreviews', false),
  subjectAccessReviews: resource(
    'authorization.k8s.io/v1',
    'SubjectAccessReview',
    'subjectaccessreviews',
    false,
  ),
  selfSubjectAccessReviews: resource(
    'authorization.k8s.io/v1',
    'SelfSubjectAccessReview',
    'selfsubjectaccessreviews',
    false,
  ),
} as const;

export interface ObjectAddress {
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
}

/** Example: ReplicaSet web-1 in shop -> /apis/apps/v1/namespaces/shop/replicasets/web-1 */
export function resourcePath(type: ResourceType, address: ObjectAddress = {}): string {
  const root = type.apiVersion.includes('/')
    ? `/apis/${type.apiVersion}`
    : `/api/${type.apiVersion}`;
  const parts = [root];
  if (type.namespaced && address.namespace !== undefined) {
    parts.push('namespaces', encodeURIComponent(address.namespace));
  }
  parts.push(type.plural);
  if (address.name !== undefined) parts.push(encodeURIComponent(address.name));
  if (address.subresource !== undefined) parts.push(address.subresource);
  return parts.join('/');
}
