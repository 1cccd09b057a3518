import { log, setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';

import type { DeploymentRef, DeploymentRunStatus } from '../../contracts/deployment.js';
import { describeRun } from '../../contracts/search-attributes.js';
import { defined } from '../../domain/shared/optional.js';

/** Keeps what people see of a run true: search attributes, the details in the UI, the status query. */
export class Story {
  private told: DeploymentRunStatus | undefined;

  constructor(private readonly ref: DeploymentRef) {}

  get current(): DeploymentRunStatus {
    return (
      this.told ?? { phase: 'Progressing', revision: 0, summary: 'Taking a first look.', sets: [] }
    );
  }

  tell(plan: DeploymentRunStatus): void {
    const { phase, revision, summary, sets } = plan;
    if (this.told?.phase !== phase || this.told.revision !== revision) this.announce(plan);
    const triggers = plan.triggers ?? this.told?.triggers;
    this.told = { phase, revision, summary, sets, ...defined({ triggers }) };
    setCurrentDetails(formatDetails(this.told));
  }

  private announce({ phase, revision, summary }: DeploymentRunStatus): void {
    const { cluster, namespace, name } = this.ref;
    log.info(summary, { cluster, namespace, name, phase, revision });
    const known = workflowInfo().typedSearchAttributes;
    const wanted = describeRun('Deployment', this.ref, phase, revision);
    const changed = wanted.filter(({ key, value }) => known.get(key) !== value);
    if (changed.length > 0) upsertSearchAttributes([...changed]);
  }
}

/** Markdown, which the UI shows as such. */
function formatDetails({ summary, sets, triggers = [] }: DeploymentRunStatus): string {
  const rows = sets.map(
    (set) =>
      `| ${set.name} | ${set.revision} | ${set.isNew ? 'new' : 'old'} | ${set.desired} | ${set.replicas} | ${set.available} |`,
  );
  const table = [
    '',
    '| replica set | revision | template | wanted | pods | available |',
    '|---|---|---|---|---|---|',
    ...rows,
  ];
  const cause = triggers.length === 0 ? [] : ['', `Started by: ${triggers.join(', ')}.`];
  return [summary, ...cause, ...(rows.length > 0 ? table : [])].join('\n');
}
