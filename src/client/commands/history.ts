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
import { parseRevision } from '../revision-option.js';

interface HistoryOptions extends ClusterOptions {
  readonly revision?: Revision;
  readonly output?: OutputFormat;
  readonly clusterName?: string;
  readonly temporal?: string;
  readonly temporalNamespace?: string;
}

export function historyCommand(): Command {
  const command = new Command('history')
    .summary('list the revisions and runs of an object')
    .description(
      'Lists the revisions of a Deployment or the versions of a DeploymentConfig, newest first, and the runs of their ' +
        'workflows when Temporal can be reached. With --revision it shows one of them: the pod template of a Deployment, or ' +
        'a DeploymentConfig as it was.',
    )
    .argument('<kind/name>', 'the object, such as deployment/web or dc/web')
    .option('--revision <n>', 'show this revision, or version', (text: string) =>
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
    ['history dc/web', 'Versions: their phases, causes, and why they failed'],
    ['history dc/web --revision 4 -o json', 'A DeploymentConfig as it was in version 4'],
  ]);
}

async function history(text: string, options: HistoryOptions): Promise<void> {
  const ref = parseRefFor('history', text);
  await withCluster(options, async (session) => {
    const { subject, ability } = await findSubject('history', session, ref);
    const found = await ability(subject);
    if (options.revision !== undefined) {
      printSnapshot(subject.ref, found.pick(options.revision), options.output);
      return;
    }
    // Temporal may take a while to answer, or not to, and the revisions are known already.
    if (options.output === undefined) print(found.render(Date.now()));
    const runs = await readRuns(session, found, options);
    if (options.output !== undefined) {
      const document = { ...found.document, runs: runs ?? null };
      process.stdout.write(formatDocument(document, options.output));
    } else if (runs !== undefined && runs.length > 0) print(['', ...renderRuns(runs, Date.now())]);
  });
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
