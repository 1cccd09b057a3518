import { judgeFailedVersion } from '../../domain/deployment-config/judge-failed-version.js';
import { markStayed } from '../../domain/deployment-config/mark-refused.js';
import type { VersionObservation } from '../../domain/deployment-config/observation.js';
import { ourselves } from '../../domain/shared/author.js';
import { canonicalJson } from '../../domain/shared/canonical-json.js';
import type { KubernetesClient } from '../../kubernetes/client.js';
import { configAnnotations } from '../../kubernetes/deployment-configs/annotations.js';
import type { DeploymentConfig } from '../../kubernetes/deployment-configs/objects.js';
import { resources } from '../../kubernetes/resources.js';
import type { EventRecorder } from '../events.js';

export interface FailureScene {
  readonly cluster: string;
  readonly client: KubernetesClient;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly config: DeploymentConfig;
  readonly seen: VersionObservation;
}

/**
 * Asks to go back where the latest version has failed and the config wants that; else says why not. The wish and
 * the note that it was made are one write, so that it is made once.
 */
export async function answerFailure(scene: FailureScene): Promise<void> {
  const { client, config, seen } = scene;
  const causes = config.status?.details?.causes ?? [];
  const isRollback = causes.some(({ type }) => type === 'Rollback');
  const verdict = judgeFailedVersion(seen, { isRollback });
  const { namespace, name, resourceVersion } = config.metadata;
  const type = resources.deploymentConfigs;
  const brief = { brief: true } as const;
  switch (verdict.kind) {
    case 'none':
      return;
    case 'rollBack': {
      const { release, notes } = verdict;
      const mark = { [configAnnotations.rolledBackFrom]: String(seen.config.latestVersion) };
      // Nobody has looked at what would change, so as many pods serve then as are needed now.
      const rollback = { release, notes, by: ourselves, keepsReplicas: true };
      const body = { metadata: { resourceVersion, annotations: mark }, rollback };
      await client.patch(type, namespace, name, 'merge', body, brief);
      tell(scene, 'RollingBack', `Going back to version ${release}: ${notes}`);
      return;
    }
    case 'stay': {
      const { conditions: before } = seen.config.status;
      const conditions = markStayed(before, verdict, seen.observedAtMs);
      if (canonicalJson({ conditions }) === canonicalJson({ conditions: before })) return;
      const body = { metadata: { resourceVersion }, status: { conditions } };
      await client.patch(type, namespace, name, 'merge', body, { ...brief, subresource: 'status' });
      tell(scene, verdict.reason, verdict.message);
    }
  }
}

function tell({ cluster, events, config }: FailureScene, reason: string, note: string): void {
  const about = { cluster, type: resources.deploymentConfigs, object: config };
  events.record(about, { type: 'Warning', reason, action: 'RollBack', note });
}
