import { hookPodName, type HookMoment } from '../domain/shared/hook.js';

export const workflowTypes = {
  deployment: 'deployment',
  deploymentConfig: 'deploymentConfig',
  hook: 'hook',
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

/** Example: the pre hook of version 3 of web -> hook/local/shop/web-3-hook-pre */
export const hookWorkflowId = (
  { cluster, namespace, name }: ObjectRef,
  version: number,
  moment: HookMoment,
): string =>
  `${workflowTypes.hook}/${cluster}/${namespace}/${hookPodName(`${name}-${version}`, moment)}`;

export const watchWorkflowId = (cluster: string): string => `${workflowTypes.watch}/${cluster}`;
