import { isOver } from '../../domain/deployment-config/observation.js';
import { configAnnotations } from '../../kubernetes/deployment-configs/annotations.js';
import type {
  DeploymentConfig,
  ReplicationController,
} from '../../kubernetes/deployment-configs/objects.js';
import { resources } from '../../kubernetes/resources.js';
import type { Subject } from '../handling.js';
import { listVersions, phaseOfVersion, versionOf } from '../tree/describe-version.js';

/** The versions of a config that are still there, newest first. */
export async function readVersions({
  session,
  object: { metadata },
}: Subject<DeploymentConfig>): Promise<ReplicationController[]> {
  const { items } = await session.cluster.client.list<ReplicationController>(
    resources.replicationControllers,
    metadata.namespace,
    { labelSelector: `${configAnnotations.configName}=${metadata.name}` },
  );
  return listVersions(metadata.uid ?? '', items);
}

/** The version that is being rolled out, if one is. */
export const findUnderWay = (
  versions: readonly ReplicationController[],
): ReplicationController | undefined =>
  versions.find((version) => !isOver(phaseOfVersion(version)));

/** Example: version 3 is complete */
export function describeStand(versions: readonly ReplicationController[]): string {
  const [newest] = versions;
  if (newest === undefined) return 'it has no version yet';
  const phase = phaseOfVersion(newest);
  const words = { New: 'is new', Pending: 'is about to begin', Running: 'is running' } as const;
  const name = `version ${versionOf(newest)}`;
  if (phase === 'Complete') return `${name} is complete`;
  return phase === 'Failed' ? `${name} has failed` : `${name} ${words[phase]}`;
}

/** Writes on the very version that was looked at. */
export async function annotateVersion(
  { session }: Subject,
  { metadata: { namespace, name, uid } }: ReplicationController,
  annotations: Readonly<Record<string, string>>,
): Promise<void> {
  const body = { metadata: { uid, annotations } };
  const type = resources.replicationControllers;
  await session.cluster.client.patch(type, namespace, name, 'merge', body);
}
