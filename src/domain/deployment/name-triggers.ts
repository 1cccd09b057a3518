import type { DeploymentSummary, TemplateChange, Trigger } from './observation.js';

const triggersOf: Readonly<Record<TemplateChange, Trigger>> = {
  image: 'NewImage',
  config: 'ConfigChange',
  restart: 'Manual',
};

/**
 * What started a rollout: what whoever wrote the spec says, else what the template shows. Going back to
 * a set that is there, and a first rollout, are somebody's own wish; an automatic rollback is nobody's.
 */
export function nameRolloutTriggers(
  { statedTriggers = [], templateChanges = [], rolledBack }: DeploymentSummary,
  newSet: { readonly name: string } | undefined,
): readonly Trigger[] {
  if (newSet !== undefined) return rolledBack?.to === newSet.name ? [] : ['Manual'];
  if (statedTriggers.length > 0) return statedTriggers;
  const shown = new Set(templateChanges.map((change) => triggersOf[change]));
  return shown.size === 0 ? ['Manual'] : [...shown];
}

export const nameScalingTriggers = ({
  scaledBy = 'Manual',
}: DeploymentSummary): readonly Trigger[] => [scaledBy];
