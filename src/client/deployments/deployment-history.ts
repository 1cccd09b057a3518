import { deploymentWorkflowId } from '../../contracts/workflow-ids.js';
import type { Deployment } from '../../kubernetes/objects.js';
import type { History, Snapshot, Snapshots, Subject } from '../handling.js';
import type { HistoryEntry } from '../history/history-entry.js';
import { currentTemplate, pickRevision, readRevisions, type Revision } from '../revisions.js';
import { describeRevisions } from './deployment-entries.js';

/** The revisions of a Deployment, as its ReplicaSets keep them. */
export async function readDeploymentHistory({
  session,
  object,
}: Subject<Deployment>): Promise<History> {
  const revisions = await readRevisions(session.cluster.client, object);
  const { namespace = '', name } = object.metadata;
  return {
    entries: describeRevisions(object, revisions),
    workflowIds: (cluster) => [deploymentWorkflowId({ cluster, namespace, name })],
  };
}

/** The templates that they had. */
export async function readDeploymentSnapshots({
  session,
  ref,
  object,
}: Subject<Deployment>): Promise<Snapshots> {
  const revisions = await readRevisions(session.cluster.client, object);
  const entries = describeRevisions(object, revisions);
  return {
    pick: (wanted) => {
      const entry = entries.find(({ revision }) => revision === wanted);
      return toSnapshot(wanted, pickRevision(ref, revisions, wanted), entry);
    },
    current: currentTemplate(object, revisions),
    compared: 'templates',
  };
}

function toSnapshot(
  wanted: Revision['revision'],
  { template, replicaSet }: Revision,
  entry: HistoryEntry | undefined,
): Snapshot {
  return {
    title: `revision ${wanted}`,
    holder: replicaSet.metadata.name,
    content: template,
    document: { ...entry, template },
    value: template,
  };
}
