export const workflowTypes = {
  deployment: 'deployment',
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

export const watchWorkflowId = (cluster: string): string => `${workflowTypes.watch}/${cluster}`;
