import type { KubernetesClient } from '../../kubernetes/client.js';
import { badInput } from '../failure.js';
import { LogPrinter, type LogPrinterOptions } from './log-printer.js';
import { findFault, needsPrefix, selectSources, type LogSelection } from './log-selection.js';
import type { LogSource } from './log-source.js';
import { buildPicture, type LogScene, type LogTarget } from './log-target.js';
import { readLog } from './read-log.js';

export interface LogsRequest {
  readonly client: Pick<KubernetesClient, 'readLog'>;
  readonly target: LogTarget;
  readonly selection: LogSelection;
  /** Of each pod, only the last so many lines. */
  readonly tail: number | undefined;
  readonly printing: LogPrinterOptions;
  readonly signal: AbortSignal;
}

/** Prints what there is, pod after pod; resolves to whether all of it could be read. */
export async function printLogs(request: LogsRequest, scene: LogScene): Promise<boolean> {
  const { target, selection, printing } = request;
  const picture = buildPicture(target, scene);
  if (picture === undefined) throw notMade(target);
  const fault = findFault(picture, selection, false);
  if (fault !== undefined) throw badInput(fault);
  const printer = new LogPrinter(printing, needsPrefix(picture, selection, false));
  const sources = selectSources(picture, selection);
  if (sources.length === 0) {
    printer.remark(`${picture.title}: nothing of that has begun yet; -f waits for it`);
  }
  let isWhole = true;
  for (const source of sources) isWhole = (await printSource(request, printer, source)) && isWhole;
  return isWhole;
}

export const notMade = ({ title, holder }: LogTarget) =>
  badInput(`${title} is not there: there is no ${holder.type.kind} ${holder.name}`);

async function printSource(
  { client, target: { namespace }, tail, signal }: LogsRequest,
  printer: LogPrinter,
  source: LogSource,
): Promise<boolean> {
  const { pod, container } = source;
  if (source.isGone) {
    await printer.printTail(source, `pod ${pod} is gone`);
    return true;
  }
  if (source.state === 'Waiting') {
    printer.remark(`pod ${pod} ${source.words}`);
    return true;
  }
  const outcome = await readLog({ client, namespace, pod, container, tail, signal }, (line) =>
    printer.print(source, line),
  );
  if (outcome.kind === 'read') {
    tellRemark(printer, pod, outcome);
    return true;
  }
  await printer.printTail(source, explainOutcome(pod, outcome));
  return outcome.kind === 'gone';
}

/** The node's own words about a log of which it has sent lines. */
export function tellRemark(
  printer: LogPrinter,
  pod: string,
  { remark }: { readonly remark?: string },
): void {
  if (remark === undefined) return;
  printer.remark(`the last lines of pod ${pod} may be missing: ${remark}`);
}

/** Why a log could not be read, as a clause. */
export const explainOutcome = (
  pod: string,
  outcome: { readonly kind: 'gone' } | { readonly kind: 'unreadable'; readonly why: string },
): string =>
  outcome.kind === 'gone'
    ? `pod ${pod} is gone`
    : `the log of pod ${pod} can't be read: ${outcome.why}`;
