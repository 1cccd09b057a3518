import { Command, Option } from 'commander';

import type { Revision } from '../../domain/shared/revision.js';
import { findSubject, parseRefFor } from '../abilities.js';
import {
  addClusterOptions,
  withCluster,
  type ClusterOptions,
  type ClusterSession,
} from '../cluster-session.js';
import { withExamples } from '../examples.js';
import type { History, Snapshot } from '../handling.js';
import { attachRuns } from '../history/attach-runs.js';
import { renderHistory, type HistoryPage } from '../history/render-history.js';
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
import type { Ref } from '../parse-ref.js';
import { parseRevision } from '../revision-option.js';

interface HistoryOptions extends ClusterOptions {
  readonly revision?: Revision;
  readonly output?: OutputFormat;
  readonly runs: boolean;
  readonly clusterName?: string;
  readonly temporal?: string;
  readonly temporalNamespace?: string;
}

export function historyCommand(): Command {
  const command = new Command('history')
    .summary('tell who changed an object, when, why, from what to what, and how it ended')
    .description(
      'Lists the revisions of a Deployment, the versions of a DeploymentConfig or the images that the tags of an ' +
        'ImageRepository stood for, newest first, as the objects in the cluster keep them; and the runs of their ' +
        'workflows when Temporal can be reached. With --revision it shows one of them: the pod template of a Deployment, or ' +
        'a DeploymentConfig as it was.',
    )
    .argument('<kind/name>', 'the object, such as deployment/web, dc/web or ir/web')
    .option('--revision <n>', 'show this revision, or version', (text: string) =>
      parseRevision(text),
    )
    .addOption(outputOption())
    .option('--no-runs', 'ask the cluster alone, and not Temporal')
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
    ['history deployment/web', 'Who, when, why, from what to what, how long, how it ended'],
    ['history deployment/web --revision 3', 'The pod template of revision 3'],
    ['history dc/web --no-runs -o json', 'The same for scripts, from the cluster alone'],
    ['history dc/web --revision 4 -o json', 'A DeploymentConfig as it was in version 4'],
    ['history ir/web', 'The images that tags stood for, and since when'],
  ]);
}

async function history(text: string, options: HistoryOptions): Promise<void> {
  const { revision, output } = options;
  const ref =
    revision === undefined
      ? parseRefFor('history', text)
      : parseRefFor('diff', text, 'history --revision');
  await withCluster(options, async (session) => {
    if (revision !== undefined) {
      await showSnapshot(session, ref, revision, output);
      return;
    }
    const { subject, ability } = await findSubject('history', session, ref);
    const found = await ability(subject);
    // Temporal may take a while to answer, or not to, and the history is known already.
    if (output === undefined) print(renderHistory(found.entries, pageOf(process.stdout)));
    const runs = options.runs ? await readRuns(session, found, options) : undefined;
    if (output !== undefined) {
      process.stdout.write(formatDocument(attachRuns(found.entries, runs), output));
    } else if (runs !== undefined && runs.length > 0) print(['', ...renderRuns(runs, Date.now())]);
  });
}

/** In a pipe, or a file, a table is as wide as most terminals are. */
const usualColumns = 120;
const fewestColumns = 80;

const pageOf = ({ columns = usualColumns }: { readonly columns?: number }): HistoryPage => ({
  nowMs: Date.now(),
  columns: Math.max(fewestColumns, columns),
});

async function showSnapshot(
  session: ClusterSession,
  ref: Ref,
  revision: Revision,
  output: OutputFormat | undefined,
): Promise<void> {
  const { subject, ability } = await findSubject('diff', session, ref);
  const { pick } = await ability(subject);
  printSnapshot(subject.ref, pick(revision), output);
}

/** A history without its runs is better than none, so what is amiss with Temporal is only a remark. */
async function readRuns(
  { cluster, temporalAddress }: ClusterSession,
  { workflowIds }: History,
  { clusterName, temporal, temporalNamespace }: HistoryOptions,
): Promise<Run[] | undefined> {
  const ids = workflowIds(clusterName ?? cluster.name);
  if (ids.length === 0) return [];
  const options = {
    address: temporal,
    namespace: temporalNamespace,
    defaultAddress: temporalAddress,
  };
  try {
    return await listRuns(options, ids);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    process.stderr.write(`slipway: the runs are not shown: ${cleanText(why)}\n`);
    return undefined;
  }
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

function printSnapshot(
  ref: string,
  { title, holder, content, document }: Snapshot,
  output: OutputFormat | undefined,
): void {
  if (output !== undefined) {
    process.stdout.write(formatDocument(document, output));
    return;
  }
  process.stdout.write(`# ${ref}, ${title}, ${holder}\n`);
  process.stdout.write(formatYaml(content));
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
