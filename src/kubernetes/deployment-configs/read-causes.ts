import { configAnnotations } from './annotations.js';
import type { DeploymentCause, ReplicationController } from './objects.js';

/** Why a version was made, as it is written on its controller; nothing where somebody has spoilt that. */
export function readCauses({ metadata }: ReplicationController): readonly DeploymentCause[] {
  try {
    const causes: unknown = JSON.parse(metadata.annotations?.[configAnnotations.causes] ?? '[]');
    if (!Array.isArray(causes)) return [];
    return causes.filter(
      (cause): cause is DeploymentCause => typeof cause === 'object' && cause !== null,
    );
  } catch {
    return [];
  }
}
