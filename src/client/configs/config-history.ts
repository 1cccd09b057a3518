import { versionWorkflowId } from '../../contracts/workflow-ids.js';
import type { Revision } from '../../domain/shared/revision.js';
import { decodeConfig } from '../../kubernetes/deployment-configs/build-controller.js';
import type {
  DeploymentConfig,
  ReplicationController,
} from '../../kubernetes/deployment-configs/objects.js';
import { badInput } from '../failure.js';
import type { History, Snapshot, Snapshots, Subject } from '../handling.js';
import type { HistoryEntry } from '../history/history-entry.js';
import { versionOf } from '../tree/describe-version.js';
import { describeVersions } from './config-entries.js';
import { readVersions } from './versions.js';

/** The versions of a config, as its ReplicationControllers keep them. */
export async function readConfigHistory(subject: Subject<DeploymentConfig>): Promise<History> {
  const { object } = subject;
  const versions = await readVersions(subject);
  const { namespace = '', name } = object.metadata;
  return {
    entries: describeVersions(object, versions),
    workflowIds: (cluster) =>
      versions.map((version) =>
        versionWorkflowId({ cluster, namespace, name }, versionOf(version)),
      ),
  };
}

/** The configs as they were. */
export async function readConfigSnapshots(subject: Subject<DeploymentConfig>): Promise<Snapshots> {
  const { ref, object } = subject;
  const versions = await readVersions(subject);
  const entries = describeVersions(object, versions);
  return {
    pick: (wanted) => {
      const entry = entries.find(({ revision }) => revision === wanted);
      return toSnapshot(ref, pickVersion(ref, versions, wanted), entry);
    },
    current: object.spec,
    compared: 'specs',
  };
}

/** The version of that number; a sentence with those there are when it isn't one of them. */
export function pickVersion(
  ref: string,
  versions: readonly ReplicationController[],
  wanted: Revision,
): ReplicationController {
  const found = versions.find((version) => versionOf(version) === wanted);
  if (found !== undefined) return found;
  const known = versions.map(versionOf).join(', ');
  throw badInput(
    `${ref}: version ${wanted} is not in its history, which has ${known === '' ? 'none' : known}`,
  );
}

function toSnapshot(
  ref: string,
  controller: ReplicationController,
  entry: HistoryEntry | undefined,
): Snapshot {
  const version = versionOf(controller);
  const config = decodeConfig(controller);
  if (config === undefined) {
    throw badInput(`${ref}: somebody has spoilt the snapshot of version ${version}`);
  }
  return {
    title: `version ${version}`,
    holder: controller.metadata.name,
    content: config,
    document: { ...entry, config },
    value: config.spec,
  };
}
