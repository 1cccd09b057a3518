import { deploymentWorkflowId } from '../../contracts/workflow-ids.js';
import { annotations } from '../../kubernetes/deployments/annotations.js';
import type { Deployment } from '../../kubernetes/objects.js';
import type { History, Snapshot, Subject } from '../handling.js';
import { formatAge } from '../output/duration.js';
import { cleanText } from '../output/line.js';
import { renderTable } from '../output/table.js';
import {
  currentTemplate,
  imagesOf,
  pickRevision,
  readRevisions,
  triggersOf,
  type Revision,
} from '../revisions.js';

/** The revisions of a Deployment, as its ReplicaSets keep them. */
export async function readDeploymentHistory({
  session,
  ref,
  object,
}: Subject<Deployment>): Promise<History> {
  const revisions = await readRevisions(session.cluster.client, object);
  const entries = revisions.map((revision, index) => describeRevision(revision, index === 0));
  const { namespace = '', name } = object.metadata;
  return {
    document: { revisions: entries },
    render: (nowMs) => renderRevisions(entries, nowMs),
    workflowIds: (cluster) => [deploymentWorkflowId({ cluster, namespace, name })],
    pick: (wanted) => toSnapshot(pickRevision(ref, revisions, wanted)),
    current: currentTemplate(object, revisions),
    compared: 'templates',
  };
}

function toSnapshot(revision: Revision): Snapshot {
  const { template, replicaSet } = revision;
  return {
    title: `revision ${revision.revision}`,
    holder: replicaSet.metadata.name,
    content: template,
    document: { ...describeRevision(revision, false), template },
    value: template,
  };
}

type Entry = ReturnType<typeof describeRevision>;

function describeRevision({ revision, replicaSet, template }: Revision, current: boolean) {
  const { metadata, spec, status } = replicaSet;
  return {
    revision,
    current,
    replicaSet: metadata.name,
    created: metadata.creationTimestamp ?? null,
    /** The revisions that the same set has been before: it is as old as the first of them. */
    earlier: listEarlier(metadata.annotations?.[annotations.revisionHistory]),
    images: imagesOf(template),
    changeCause: metadata.annotations?.[annotations.changeCause] ?? null,
    triggers: triggersOf(replicaSet),
    failure: metadata.annotations?.[annotations.failed] ?? null,
    replicas: { desired: spec?.replicas ?? 1, ready: status?.readyReplicas ?? 0 },
  };
}

const listEarlier = (history = ''): string[] => history.split(',').filter((one) => one !== '');

/** Exported for tests. */
export function renderRevisions(entries: readonly Entry[], nowMs: number): string[] {
  if (entries.length === 0) return ['There are no revisions yet.'];
  const rows = entries.map((entry) => [
    `${entry.revision}${entry.current ? ' *' : ''}`,
    describeAge(entry, nowMs),
    `${entry.replicas.ready}/${entry.replicas.desired}`,
    entry.images.join(', '),
    entry.replicaSet,
    entry.triggers.length === 0 ? '-' : entry.triggers.join(', '),
    cleanText(entry.failure ?? entry.changeCause ?? '-'),
  ]);
  return renderTable(
    ['REVISION', 'AGE', 'READY', 'IMAGES', 'REPLICASET', 'TRIGGER', 'CHANGE-CAUSE'],
    rows,
  );
}

/** A set that was taken up again is older than its revision, and nobody noted when that was. */
function describeAge({ created, earlier }: Entry, nowMs: number): string {
  const age = formatAge(created ?? undefined, nowMs);
  const first = earlier[0];
  return first === undefined ? age : `${age}, as ${first}`;
}
