export const workflowTypes = {
  deployment: 'deployment',
  deploymentConfig: 'deploymentConfig',
  watch: 'watch',
} as const;

/** Which object a run is about. */
export interface ObjectRef {
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
}

export const deploymentWorkflowId = ({ cluster, namespace, name }: ObjectRef): string =>
  `${workflowTypes.deployment}/${cluster}/${namespace}/${name}`;

/** Example: version 3 of web -> deploymentConfig/local/shop/web-3 */
export const versionWorkflowId = (
  { cluster, namespace, name }: ObjectRef,
  version: number,
): string => `${workflowTypes.deploymentConfig}/${cluster}/${namespace}/${name}-${version}`;

export const watchWorkflowId = (cluster: string): string => `${workflowTypes.watch}/${cluster}`;
