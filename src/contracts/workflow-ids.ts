import { fnv1a32 } from '../domain/shared/template-hash.js';

export const workflowTypes = {
  deployment: 'deployment',
  deploymentConfig: 'deploymentConfig',
  hook: 'hook',
  rollback: 'rollback',
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

/** Longer lists of names are cut, and told apart by a hash. */
const longestNames = 250;

/**
 * Example: web and db of shop -> rollback/local/shop/web+db, and to see what it would mean ->
 * rollback-dry-run/local/shop/web+db
 */
export function rollbackWorkflowId(
  { cluster, namespace }: Omit<ObjectRef, 'name'>,
  names: readonly string[],
  dryRun = false,
): string {
  const prefix = dryRun ? `${workflowTypes.rollback}-dry-run` : workflowTypes.rollback;
  return `${prefix}/${cluster}/${namespace}/${joinNames(names)}`;
}

/** Example: web+db, in the order in which they are given; it stands for all of them in lists, too. */
export function joinNames(names: readonly string[]): string {
  const all = names.join('+');
  if (all.length <= longestNames) return all;
  return `${all.slice(0, longestNames)}~${fnv1a32(all).toString(16)}`;
}

export const watchWorkflowId = (cluster: string): string => `${workflowTypes.watch}/${cluster}`;
