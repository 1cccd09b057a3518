import { Command, Option } from 'commander';

import { deploymentWorkflowId } from '../../contracts/workflow-ids.js';
import { annotations } from '../../kubernetes/deployments/annotations.js';
import {
  addClusterOptions,
  withCluster,
  type ClusterOptions,
  type ClusterSession,
} from '../cluster-session.js';
import { withExamples } from '../examples.js';
import { findDeployment, readRevisions, type FoundDeployment } from '../find-object.js';
import { listRuns, type Run } from '../list-runs.js';
import { formatAge, formatDuration } from '../output/duration.js';
import { cleanText } from '../output/line.js';
import {
  formatDocument,
  formatYaml,
  outputOption,
  type OutputFormat,
} from '../output/structured.js';
import { renderTable } from '../output/table.js';
import { parseRef } from '../parse-ref.js';
import { parseRevision } from '../revision-option.js';
import { imagesOf, pickRevision, triggersOf, type Revision } from '../revisions.js';

interface HistoryOptions extends ClusterOptions {
  readonly revision?: number;
  readonly output?: OutputFormat;
  readonly clusterName?: string;
  readonly temporal?: string;
  readonly temporalNamespace?: string;
}

export function historyCommand(): Command {
  const command = new Command('history')
    .summary('list the revisions and runs of an object')
    .description(
      'Lists the revisions of a Deployment, newest first, and the runs of its workflow when Temporal can be ' +
        'reached. With --revision it shows the pod template of one of them.',
    )
    .argument('<kind/name>', 'the object, such as deployment/web')
    .option('--revision <n>', 'show the pod template of this revision', (text: string) =>
      parseRevision(text),
    )
    .addOption(outputOption())
    .option('--temporal <address>', 'where Temporal listens; by default $TEMPORAL_ADDRESS')
    .option('--temporal-namespace <namespace>', 'its namespace; by default $TEMPORAL_NAMESPACE')
    .addOption(
      new Option(
        '--cluster-name <name>',
        'what the worker calls this cluster; by default its name in the kubeconfig',
      ).env('SLIPWAY_CLUSTER_NAME'),
    )
    .action(history);
  return withExamples(addClusterOptions(command), [
    ['history deployment/web', 'Revisions and runs'],
    ['history deployment/web --revision 3', 'The pod template of revision 3'],
  ]);
}

async function history(text: string, options: HistoryOptions): Promise<void> {
  const ref = parseRef(text);
  await withCluster(options, async (session) => {
    const found = await findDeployment(session.cluster, session.namespace, ref);
    const revisions = await readRevisions(session.cluster, found.deployment);
    if (options.revision !== undefined) {
      printRevision(found, pickRevision(found.ref, revisions, options.revision), options.output);
      return;
    }
    const entries = revisions.map((revision, index) => describeRevision(revision, index === 0));
    // Temporal may take a while to answer, or not to, and the revisions are known already.
    if (options.output === undefined) print(renderRevisions(entries, Date.now()));
    const runs = await readRuns(session, found, options);
    if (options.output !== undefined) {
      const document = { revisions: entries, runs: runs ?? null };
      process.stdout.write(formatDocument(document, options.output));
    } else if (runs !== undefined && runs.length > 0) print(['', ...renderRuns(runs, Date.now())]);
  });
}

/** A history without its runs is better than none, so what is amiss with Temporal is only a remark. */
async function readRuns(
  { cluster, temporalAddress }: ClusterSession,
  { deployment }: FoundDeployment,
  { clusterName, temporal, temporalNamespace }: HistoryOptions,
): Promise<Run[] | undefined> {
  const id = deploymentWorkflowId({
    cluster: clusterName ?? cluster.name,
    namespace: deployment.metadata.namespace ?? '',
    name: deployment.metadata.name,
  });
  const options = {
    address: temporal,
    namespace: temporalNamespace,
    defaultAddress: temporalAddress,
  };
  try {
    return await listRuns(options, id);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    process.stderr.write(`slipway: the runs are not shown: ${cleanText(why)}\n`);
    return undefined;
  }
}

type Entry = ReturnType<typeof describeRevision>;

function describeRevision({ revision, replicaSet, template }: Revision, current: boolean) {
  const { metadata, spec, status } = replicaSet;
  return {
    revision,
    current,
    replicaSet: metadata.name,
    created: metadata.creationTimestamp ?? null,
    images: imagesOf(template),
    changeCause: metadata.annotations?.[annotations.changeCause] ?? null,
    triggers: triggersOf(replicaSet),
    failure: metadata.annotations?.[annotations.failed] ?? null,
    replicas: { desired: spec?.replicas ?? 1, ready: status?.readyReplicas ?? 0 },
  };
}

/** Exported for tests. */
export function renderRevisions(entries: readonly Entry[], nowMs: number): string[] {
  if (entries.length === 0) return ['There are no revisions yet.'];
  const rows = entries.map((entry) => [
    `${entry.revision}${entry.current ? ' *' : ''}`,
    formatAge(entry.created ?? undefined, nowMs),
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

/** Exported for tests. */
export function renderRuns(runs: readonly Run[], nowMs: number): string[] {
  const rows = runs.map((run) => describeRun(run, nowMs));
  return renderTable(['STARTED', 'TOOK', 'REVISION', 'STATUS', 'RUN'], rows);
}

function describeRun({ started, ended, revision, status, phase, runId }: Run, nowMs: number) {
  const endMs = ended === null ? nowMs : Date.parse(ended);
  return [
    `${formatAge(started, nowMs)} ago`,
    formatDuration(endMs - Date.parse(started)),
    revision === null ? '-' : String(revision),
    phase === null ? status : `${status}: ${phase}`,
    runId,
  ];
}

function printRevision(
  { ref }: FoundDeployment,
  revision: Revision,
  output: OutputFormat | undefined,
): void {
  const { template, replicaSet } = revision;
  if (output !== undefined) {
    process.stdout.write(
      formatDocument({ ...describeRevision(revision, false), template }, output),
    );
    return;
  }
  process.stdout.write(`# ${ref}, revision ${revision.revision}, ${replicaSet.metadata.name}\n`);
  process.stdout.write(formatYaml(template));
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
