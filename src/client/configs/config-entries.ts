import { cancelReasons } from '../../domain/deployment-config/cancel-reasons.js';
import { isOver } from '../../domain/deployment-config/observation.js';
import { readChange } from '../../kubernetes/deployment-configs/config-change.js';
import type {
  DeploymentConfig,
  ReplicationController,
} from '../../kubernetes/deployment-configs/objects.js';
import { readCauses } from '../../kubernetes/deployment-configs/read-causes.js';
import { describeTry, readTries, type Try } from '../../kubernetes/deployment-configs/tries.js';
import { annotations } from '../../kubernetes/deployments/annotations.js';
import { toEntry, type HistoryEntry } from '../history/history-entry.js';
import { imagesOf } from '../revisions.js';
import { describeCause, readTarget } from '../tree/describe-cause.js';
import { phaseOfVersion, versionOf } from '../tree/describe-version.js';

/** The history of a DeploymentConfig, newest first: a line for each try of each version. */
export function describeVersions(
  config: DeploymentConfig,
  versions: readonly ReplicationController[],
): HistoryEntry[] {
  return versions.flatMap((version) => {
    const tries = [...readTries(version), describeTry(version)];
    return tries
      .map((_, index) => describeOne({ config, version, versions, tries, index }))
      .reverse();
  });
}

interface Scene {
  readonly config: DeploymentConfig;
  readonly version: ReplicationController;
  /** All that are still there, newest first. */
  readonly versions: readonly ReplicationController[];
  readonly tries: readonly Try[];
  /** Which of them is meant. */
  readonly index: number;
}

function describeOne(scene: Scene): HistoryEntry {
  const { config, version, tries, index } = scene;
  const number = versionOf(version);
  const isLast = index === tries.length - 1;
  const { metadata, spec, status } = version;
  return toEntry({
    revision: number,
    attempt: index + 1,
    current: isLast && number === (config.status?.latestVersion ?? 0),
    holder: `ReplicationController/${metadata.name}`,
    images: imagesIn(version),
    replicas: isLast ? { desired: spec?.replicas ?? 1, ready: status?.readyReplicas ?? 0 } : null,
    startedAt: findStart(scene),
    endedAt: tries[index]?.endedAt ?? null,
    from: describeFrom(scene),
    ...(index === 0 ? explainVersion(version) : explainRetry(tries[index])),
    ...(isLast ? judgeLast(scene) : judgeEnd(tries[index], number)),
  });
}

/** A version that never ran began when it was made; one that is to be tried again has not begun yet. */
function findStart({ version, tries, index }: Scene): string | null {
  const { startedAt = null } = tries[index] ?? {};
  if (index === 0) return startedAt ?? version.metadata.creationTimestamp ?? null;
  return startedAt === tries[index - 1]?.startedAt ? null : startedAt;
}

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
  const asker = causes.find(({ by }) => by !== undefined)?.by;
  const why = [
    ...causes.map(describeCause),
    ...(isEdited && change.reason !== undefined ? [change.reason] : []),
  ];
  return {
    who: asker ?? (isEdited ? (change.by ?? null) : null),
    manager: isEdited ? (change.manager ?? null) : null,
    triggers: causes.map(({ type }) => type),
    why: why.length === 0 ? null : why.join(', '),
    backTo: causes.map(readTarget).find((target) => target !== undefined) ?? null,
  };
}

function explainRetry(one: Try | undefined): Partial<HistoryEntry> {
  const { by, reason } = one?.retry ?? {};
  const why = `tried again${reason === undefined ? '' : `: ${reason}`}`;
  return { who: by ?? null, triggers: ['Retry'], why };
}

function judgeLast({ config, version, tries, index }: Scene): Partial<HistoryEntry> {
  const phase = phaseOfVersion(version);
  if (phase === 'Complete') return { outcome: 'Complete' };
  if (isOver(phase)) return judgeEnd(tries[index], versionOf(version));
  if (config.spec.paused !== true) return { outcome: 'Progressing' };
  const reason = config.metadata.annotations?.[annotations.pauseReason] ?? null;
  return { outcome: 'Paused', reason };
}

/** How a try that did not succeed ended. The version that overtakes another is the next one. */
function judgeEnd(one: Try | undefined, version: number): Partial<HistoryEntry> {
  const { isCancelled = false, cancelledBy = null, endReason = null } = one ?? {};
  if (endReason === cancelReasons.newerFound) {
    return { outcome: 'Overtaken', reason: `version ${version + 1} came` };
  }
  const isCalledOff = isCancelled || endReason === cancelReasons.oldWon;
  return { outcome: isCalledOff ? 'Cancelled' : 'Failed', reason: endReason, endedBy: cancelledBy };
}
