import { cancelReasons } from '../../domain/deployment-config/cancel-reasons.js';
import { isOver } from '../../domain/deployment-config/observation.js';
import { someWorkflow } from '../../domain/shared/author.js';
import { readChange } from '../../kubernetes/deployment-configs/config-change.js';
import type {
  DeploymentCause,
  DeploymentConfig,
  ReplicationController,
} from '../../kubernetes/deployment-configs/objects.js';
import { readCauses } from '../../kubernetes/deployment-configs/read-causes.js';
import { readRollbackNotes } from '../../kubernetes/deployment-configs/read-request.js';
import { listTries, type Try } from '../../kubernetes/deployment-configs/tries.js';
import { annotations } from '../../kubernetes/deployments/annotations.js';
import { toEntry, type HistoryEntry } from '../history/history-entry.js';
import { imagesOf } from '../revisions.js';
import { describeCause, findProgram, readTarget } from '../tree/describe-cause.js';
import { phaseOfVersion, versionOf } from '../tree/describe-version.js';

/** The history of a DeploymentConfig, newest first: a line for each try of each version. */
export function describeVersions(
  config: DeploymentConfig,
  versions: readonly ReplicationController[],
): HistoryEntry[] {
  return versions.flatMap((version) => {
    const tries = listTries(version);
    const entries = tries.map((one, index) => {
      const isLast = index === tries.length - 1;
      return describeOne({ config, version, versions, one, before: tries[index - 1], isLast });
    });
    return entries.reverse();
  });
}

interface Scene {
  readonly config: DeploymentConfig;
  readonly version: ReplicationController;
  /** All that are still there, newest first. */
  readonly versions: readonly ReplicationController[];
  /** The try that is meant, and the one before it, where that is still known. */
  readonly one: Try;
  readonly before: Try | undefined;
  readonly isLast: boolean;
}

function describeOne(scene: Scene): HistoryEntry {
  const { config, version, one, isLast } = scene;
  const number = versionOf(version);
  const { metadata, spec, status } = version;
  return toEntry({
    revision: number,
    attempt: one.number,
    current: isLast && number === (config.status?.latestVersion ?? 0),
    holder: `ReplicationController/${metadata.name}`,
    images: imagesIn(version),
    replicas: isLast ? { desired: spec?.replicas ?? 1, ready: status?.readyReplicas ?? 0 } : null,
    startedAt: findStart(scene),
    endedAt: one.endedAt ?? null,
    from: describeFrom(scene),
    ...(isFirst(one) ? explainVersion(version) : explainRetry(one)),
    ...(isLast ? judgeLast(scene) : judgeEnd(one, number)),
  });
}

/** Whoever wants another is noted with that, also by workers that wrote no numbers. */
const isFirst = ({ number, retry }: Try): boolean => number === 1 && retry === undefined;

/**
 * The first try begins when the version is made, since its pre hook runs before what is noted as its start, and not
 * before the version that it overtakes has ended. One that is to be tried again has not begun yet.
 */
function findStart({ version, versions, one, before }: Scene): string | null {
  const { startedAt = null, endedAt } = one;
  if (!isFirst(one)) return startedAt === before?.startedAt ? null : startedAt;
  const made = version.metadata.creationTimestamp ?? startedAt;
  if (made === null) return null;
  // Times of several machines need not agree: whatever else is said, it began before it ran and ended.
  const isPossible = (time: string): boolean =>
    isNotAfter(time, startedAt ?? time) && isNotAfter(time, endedAt ?? time);
  return versions
    .filter((other) => versionOf(other) < versionOf(version))
    .flatMap((other) => listTries(other).at(-1)?.endedAt ?? [])
    .filter(isPossible)
    .reduce((latest, time) => (isNotAfter(latest, time) ? time : latest), made);
}

const isNotAfter = (a: string, b: string): boolean => Date.parse(a) <= Date.parse(b);

/** What the version itself has noted; else what can be told from those that are still there. */
function describeFrom({ version, versions }: Scene): HistoryEntry['from'] {
  const number = versionOf(version);
  const { wasVersion, was } = readChange(version);
  if (number <= 1 || wasVersion === 0) return null;
  // Without other images they were the same.
  if (wasVersion !== undefined) return { revision: wasVersion, images: was ?? imagesIn(version) };
  const before = versions.filter((one) => versionOf(one) < number);
  const served = before.find((one) => phaseOfVersion(one) === 'Complete');
  const reach = served === undefined ? 0 : versionOf(served);
  const failed = before.filter((one) => versionOf(one) > reach).length;
  // One that is missing in between may have served as well.
  if (failed < number - 1 - reach) return { revision: null, images: null };
  return served === undefined ? null : { revision: reach, images: imagesIn(served) };
}

const imagesIn = ({ spec }: ReplicationController): readonly string[] =>
  imagesOf(spec?.template ?? {});

/** Whoever asked for it; else, where the config was changed, whoever changed it. */
function explainVersion(version: ReplicationController): Partial<HistoryEntry> {
  const causes = readCauses(version);
  const change = readChange(version);
  const isEdited = causes.some(({ type }) => type === 'ConfigChange');
  const asker = causes.map(nameAsker).find((name) => name !== undefined);
  const why = [
    ...causes.map(describeCause),
    ...(isEdited && change.reason !== undefined ? [change.reason] : []),
  ];
  return {
    who: asker ?? (isEdited ? (change.by ?? null) : null),
    manager: findProgram(causes) ?? (isEdited ? (change.manager ?? null) : null),
    triggers: causes.map(({ type }) => type),
    why: why.length === 0 ? null : why.join(', '),
    backTo: causes.map(readTarget).find((target) => target !== undefined) ?? null,
  };
}

/** A run that says nothing of who started it can be looked up. Example: a workflow (run 0199…) */
function nameAsker({ by, rollback }: DeploymentCause): string | undefined {
  const run = by === someWorkflow ? readRollbackNotes(rollback)?.run : undefined;
  return run === undefined ? by : `${by} (run ${run})`;
}

function explainRetry({ retry = {} }: Try): Partial<HistoryEntry> {
  const { by, reason } = retry;
  const why = `tried again${reason === undefined ? '' : `: ${reason}`}`;
  return { who: by ?? null, triggers: ['Retry'], why };
}

function judgeLast({ config, version, one }: Scene): Partial<HistoryEntry> {
  const phase = phaseOfVersion(version);
  if (phase === 'Complete') return { outcome: 'Complete' };
  if (isOver(phase)) return judgeEnd(one, versionOf(version));
  if (config.spec.paused !== true) return { outcome: 'Progressing' };
  const reason = config.metadata.annotations?.[annotations.pauseReason] ?? null;
  return { outcome: 'Paused', reason };
}

/** How a try that did not succeed ended. The version that overtakes another is the next one. */
function judgeEnd(one: Try, version: number): Partial<HistoryEntry> {
  const { isCancelled = false, cancelledBy = null, endReason = null } = one;
  if (endReason === cancelReasons.newerFound) {
    return { outcome: 'Overtaken', reason: `version ${version + 1} came` };
  }
  const isCalledOff = isCancelled || endReason === cancelReasons.oldWon;
  return { outcome: isCalledOff ? 'Cancelled' : 'Failed', reason: endReason, endedBy: cancelledBy };
}
