import type { DeploymentConfigSpec, DeploymentTrigger } from './objects.js';

/**
 * What starts a deployment by itself, as `oc get dc` shows it. Example: config,image(web:latest), or
 * config (suspended) while it doesn't.
 */
export function describeTriggers({
  triggers,
  triggersSuspended,
}: Pick<DeploymentConfigSpec, 'triggers' | 'triggersSuspended'>): string {
  const effective: readonly DeploymentTrigger[] = triggers ?? [{ type: 'ConfigChange' }];
  const words = effective.flatMap((trigger) => describeTrigger(trigger));
  const all = [...new Set(words)].sort().join(',');
  return triggersSuspended === true && all !== '' ? `${all} (suspended)` : all;
}

function describeTrigger({ type, imageChangeParams }: DeploymentTrigger): string[] {
  if (type === 'ConfigChange') return ['config'];
  if (imageChangeParams?.automatic !== true) return [];
  const { from, repositoryName, tag } = imageChangeParams;
  const isTagged = tag !== undefined && tag !== null && tag !== '';
  const older = `${repositoryName ?? ''}:${isTagged ? tag : 'latest'}`;
  return [`image(${from?.name ?? older})`];
}
