import { versionWorkflowId } from '../../contracts/workflow-ids.js';
import type { Revision } from '../../domain/shared/revision.js';
import { decodeConfig } from '../../kubernetes/deployment-configs/build-controller.js';
import type {
  DeploymentConfig,
  ReplicationController,
} from '../../kubernetes/deployment-configs/objects.js';
import { badInput } from '../failure.js';
import type { History, Snapshot, Subject } from '../handling.js';
import { formatAge, formatDuration } from '../output/duration.js';
import { cleanText } from '../output/line.js';
import { renderTable } from '../output/table.js';
import { describeVersion, versionOf } from '../tree/describe-version.js';
import { shortenImage } from '../tree/shorten-image.js';
import type { VersionTree } from '../tree/tree.js';
import { readVersions } from './versions.js';

/** The versions of a config, as its ReplicationControllers keep them. */
export async function readConfigHistory(subject: Subject<DeploymentConfig>): Promise<History> {
  const { ref, object } = subject;
  const versions = await readVersions(subject);
  const latest = object.status?.latestVersion ?? 0;
  const entries = versions.map((version) => describeVersion(version, latest));
  const { namespace = '', name } = object.metadata;
  return {
    document: { versions: entries },
    render: (nowMs) => renderVersions(entries, nowMs),
    workflowIds: (cluster) =>
      entries.map(({ version }) => versionWorkflowId({ cluster, namespace, name }, version)),
    pick: (wanted) => toSnapshot(ref, pickVersion(ref, versions, wanted), latest),
    current: object.spec,
    compared: 'specs',
  };
}

function pickVersion(
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

function toSnapshot(ref: string, controller: ReplicationController, latest: number): Snapshot {
  const version = versionOf(controller);
  const config = decodeConfig(controller);
  if (config === undefined) {
    throw badInput(`${ref}: somebody has spoilt the snapshot of version ${version}`);
  }
  return {
    title: `version ${version}`,
    holder: controller.metadata.name,
    content: config,
    document: { ...describeVersion(controller, latest), config },
    value: config.spec,
  };
}

type Entry = Omit<VersionTree, 'jobs' | 'pods'>;

/** Exported for tests. */
export function renderVersions(entries: readonly Entry[], nowMs: number): string[] {
  if (entries.length === 0) return ['There are no versions yet.'];
  const rows = entries.map((entry) => [
    `${entry.version}${entry.current ? ' *' : ''}`,
    entry.phase === 'Failed' && entry.cancelled ? 'Cancelled' : entry.phase,
    formatAge(entry.created ?? undefined, nowMs),
    describeTime(entry, nowMs),
    `${entry.replicas.ready}/${entry.replicas.desired}`,
    entry.images.map(shortenImage).join(', '),
    entry.causes.length === 0 ? '-' : cleanText(entry.causes.join(', ')),
    cleanText(entry.by ?? '-'),
    cleanText(entry.reason ?? '-'),
  ]);
  return renderTable(
    ['VERSION', 'PHASE', 'AGE', 'TOOK', 'READY', 'IMAGES', 'CAUSE', 'BY', 'REASON'],
    rows,
  );
}

/** How long it ran, or runs already. */
function describeTime({ startedAt, endedAt }: Entry, nowMs: number): string {
  if (startedAt === null) return '-';
  const endMs = endedAt === null ? nowMs : Date.parse(endedAt);
  return formatDuration(endMs - Date.parse(startedAt));
}
