import { log, setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';

import type {
  RollbackInput,
  RollbackOutcome,
  RollbackRunPhase,
  RollbackRunStatus,
  RollbackStanding,
} from '../../contracts/rollback.js';
import { describeRun } from '../../contracts/search-attributes.js';
import { joinNames } from '../../contracts/workflow-ids.js';
import type { RollbackReport } from '../../domain/rollback/report.js';

/** Keeps what people see of a rollback true: search attributes, the details in the UI, the query. */
export class RollbackStory {
  private phase: RollbackRunPhase = 'Examining';
  private summary = 'Looking at what going back means.';
  private report: RollbackReport = { configs: [] };
  private standings: readonly RollbackStanding[] = [];

  constructor(private readonly task: RollbackInput) {
    this.announce();
  }

  get current(): RollbackRunStatus {
    const { phase, summary, report, standings } = this;
    return { phase, summary, report, standings };
  }

  /** Nothing is touched yet. */
  examined(report: RollbackReport): void {
    this.report = report;
    this.standings = report.configs.map(({ name, from, to }) => ({
      name,
      from,
      to,
      state: 'Untouched',
    }));
    this.announce();
  }

  /** One config stands otherwise than before. */
  move(name: string, change: Partial<Omit<RollbackStanding, 'name'>>): void {
    this.standings = this.standings.map((standing) =>
      standing.name === name ? { ...standing, ...change } : standing,
    );
    this.announce();
  }

  tell(phase: RollbackRunPhase, summary: string): void {
    this.phase = phase;
    this.summary = summary;
    log.info(summary, { phase });
    this.announce();
  }

  end(phase: RollbackOutcome['phase'], summary: string): RollbackOutcome {
    this.tell(phase, summary);
    const { report, standings } = this;
    return { phase, summary, report, standings };
  }

  private announce(): void {
    const { cluster, namespace, members } = this.task;
    const name = joinNames(members.map((member) => member.name));
    const [only, ...others] = this.standings;
    const revision = others.length > 0 ? undefined : only?.version;
    const wanted = describeRun('Rollback', { cluster, namespace, name }, this.phase, revision);
    const known = workflowInfo().typedSearchAttributes;
    const changed = wanted.filter(({ key, value }) => known.get(key) !== value);
    if (changed.length > 0) upsertSearchAttributes([...changed]);
    setCurrentDetails(formatDetails(this.current));
  }
}

/** Markdown, which the UI shows as such. */
function formatDetails({ summary, standings, report }: RollbackRunStatus): string {
  const rows = standings.map(
    ({ name, from, to, version, state, reason = '' }) =>
      `| ${name} | ${from} | ${to} | ${version ?? ''} | ${state} | ${escape(reason)} |`,
  );
  const table = ['', '| config | from | to | version | state | why |', '|---|---|---|---|---|---|'];
  const notes = report.configs.flatMap(({ name, problems, warnings }) => [
    ...problems.map(({ field, message }) => `- **${name}** can't go back: ${field}: ${message}`),
    ...warnings.map(({ object, message }) => `- ${name}: ${object}: ${message}`),
  ]);
  return [
    summary,
    ...(rows.length > 0 ? [...table, ...rows] : []),
    ...(notes.length > 0 ? ['', ...notes] : []),
  ].join('\n');
}

const escape = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
