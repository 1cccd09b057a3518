import { compareRevisions, type Revision as RevisionNumber } from '../../domain/shared/revision.js';
import type { Stay } from '../../domain/shared/stay.js';
import { readAuthor } from '../../kubernetes/change-note.js';
import { annotations } from '../../kubernetes/deployments/annotations.js';
import { readStays } from '../../kubernetes/deployments/stays.js';
import type { Deployment, ReplicaSet } from '../../kubernetes/objects.js';
import { parseFields } from '../../kubernetes/parse-fields.js';
import { toEntry, type HistoryEntry, type Outcome } from '../history/history-entry.js';
import { imagesOf, triggersOf, type Revision } from '../revisions.js';
import { describeDeployment } from '../tree/describe-deployment.js';

/** Of a set that was gone back to very often, the latest revisions are shown. */
const mostEarlier = 10;

/**
 * The history of a Deployment, newest first. A template that was gone back to has a line for each time, by
 * the numbers that it had.
 */
export function describeRevisions(
  deployment: Deployment,
  revisions: readonly Revision[],
): HistoryEntry[] {
  const lines = revisions
    .flatMap((revision, index) => listLines(revision, index === 0))
    .sort((a, b) => compareRevisions(b.number, a.number));
  return lines.map((line, index) => {
    const before = lines[index + 1];
    const cause = findCause(line);
    // Whoever doesn't care for it leaves the one of the revision before.
    const stated = before !== undefined && findCause(before) === cause ? undefined : cause;
    const stay = findStay(line);
    return stay === undefined
      ? describeUnnoted(deployment, line, before, stated)
      : describeStay(deployment, line, stay, stated);
  });
}

const findStay = ({ revision, number }: Line): Stay | undefined =>
  readStays(revision.replicaSet).find((stay) => stay.revision === number);

/** The change-cause of that time. */
const findCause = (line: Line): string | undefined =>
  line.isLatest
    ? line.revision.replicaSet.metadata.annotations?.[annotations.changeCause]
    : findStay(line)?.cause;

/** One number that a set has or had. */
interface Line {
  readonly number: RevisionNumber;
  readonly revision: Revision;
  /** It is the one in force. */
  readonly isCurrent: boolean;
  /** The number that the set has now. */
  readonly isLatest: boolean;
  /** As old as its set. */
  readonly isFirst: boolean;
}

function listLines(revision: Revision, isNewest: boolean): Line[] {
  const { earlier } = revision;
  const line = { revision, isCurrent: false, isLatest: false };
  const before = earlier.map((number, index) => ({ ...line, number, isFirst: index === 0 }));
  return [
    ...before.slice(-mostEarlier),
    {
      ...line,
      number: revision.revision,
      isCurrent: isNewest,
      isLatest: true,
      isFirst: earlier.length === 0,
    },
  ];
}

function describeStay(
  deployment: Deployment,
  line: Line,
  stay: Stay,
  cause: string | undefined,
): HistoryEntry {
  const images = imagesOf(line.revision.template);
  const { from, was, backTo, end } = stay;
  return toEntry({
    ...describeLine(line),
    startedAt: stay.startedAt,
    endedAt: stay.endedAt ?? null,
    who: stay.by ?? null,
    manager: stay.manager ?? null,
    triggers: stay.triggers,
    why: explainStay(stay, cause),
    backTo: backTo ?? null,
    from: from === undefined ? null : { revision: from, images: was ?? images },
    outcome: end ?? (line.isCurrent ? whereItIs(deployment) : null),
    reason: stay.endReason ?? (line.isCurrent ? holdUp(deployment) : null),
    endedBy: stay.endedBy ?? null,
  });
}

/**
 * An automatic rollback says itself where it went. The change-cause that comes back with a template tells why
 * that was made, long ago.
 */
function explainStay({ reason, backTo, triggers }: Stay, cause: string | undefined): string {
  if (backTo === undefined) return reason ?? cause ?? describeTriggers(triggers);
  if (triggers.length === 0 && reason !== undefined) return reason;
  return `back to revision ${backTo}${reason === undefined ? '' : `: ${reason}`}`;
}

const words: Readonly<Record<string, string>> = {
  Manual: 'manual change',
  NewImage: 'new image',
  ConfigChange: 'config change',
};

const describeTriggers = (triggers: readonly string[]): string =>
  triggers.map((trigger) => words[trigger] ?? trigger).join(', ');

const whereItIs = ({ spec }: Deployment): Outcome =>
  spec?.paused === true ? 'Paused' : 'Progressing';

const holdUp = ({ metadata, spec }: Deployment): string | null =>
  spec?.paused === true ? (metadata.annotations?.[annotations.pauseReason] ?? null) : null;

/** Where another controller was at work, or an older worker, the objects still tell a part of it. */
function describeUnnoted(
  deployment: Deployment,
  line: Line,
  before: Line | undefined,
  cause: string | undefined,
): HistoryEntry {
  const { metadata } = line.revision.replicaSet;
  const triggers = line.isLatest ? triggersOf(line.revision.replicaSet) : [];
  return toEntry({
    ...describeLine(line),
    startedAt: line.isFirst ? (metadata.creationTimestamp ?? null) : null,
    ...readStatedAuthor(line),
    triggers,
    why: cause ?? (triggers.length === 0 ? null : describeTriggers(triggers)),
    from:
      before === undefined
        ? null
        : { revision: before.number, images: imagesOf(before.revision.template) },
    ...(line.isCurrent ? judgeCurrent(deployment, line) : judgeOld(line)),
  });
}

/** The built-in controller hands the note of who wrote a template down to its ReplicaSet. */
function readStatedAuthor({ revision, number }: Line): Partial<HistoryEntry> {
  const text = revision.replicaSet.metadata.annotations?.[annotations.changedBy] ?? '{}';
  const fields = parseFields(text);
  if (fields['next'] !== number) return {};
  const { by, manager } = readAuthor(fields);
  return { who: by ?? null, manager: manager ?? null };
}

function judgeCurrent(deployment: Deployment, line: Line): Partial<HistoryEntry> {
  const { phase } = describeDeployment(deployment);
  switch (phase) {
    case 'Complete':
    case 'RolledBack':
      return { outcome: 'Complete', endedAt: completedAt(deployment, line) };
    case 'Failed':
    case 'Cancelled':
    case 'Paused':
    case 'Progressing':
      return { outcome: phase, reason: holdUp(deployment) };
    case 'Waiting':
      return {};
  }
}

function completedAt({ status }: Deployment, { revision }: Line): string | null {
  const said = status?.conditions?.find(({ type }) => type === 'Progressing');
  const isMeant = said?.message?.includes(`"${revision.replicaSet.metadata.name}"`) === true;
  return isMeant && said.reason === 'NewReplicaSetAvailable' ? (said.lastUpdateTime ?? null) : null;
}

function judgeOld({ revision, isLatest }: Line): Partial<HistoryEntry> {
  const { name, annotations: written = {} } = revision.replicaSet.metadata;
  if (!isLatest) return {};
  const reason = written[annotations.failed];
  if (reason !== undefined) return { outcome: 'RolledBack', reason };
  return written[annotations.lastComplete] === name ? { outcome: 'Complete' } : {};
}

function describeLine(line: Line) {
  const { number, revision, isCurrent, isLatest } = line;
  const { replicaSet, template } = revision;
  return {
    revision: number,
    changeCause: findCause(line) ?? null,
    current: isCurrent,
    holder: `ReplicaSet/${replicaSet.metadata.name}`,
    images: imagesOf(template),
    replicas: isLatest ? countReplicas(replicaSet) : null,
  };
}

const countReplicas = ({ spec, status }: ReplicaSet) => ({
  desired: spec?.replicas ?? 1,
  ready: status?.readyReplicas ?? 0,
});
