import { log, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';

import type { DeploymentRef, DeploymentRunStatus } from '../../contracts/deployment.js';
import { searchAttributes } from '../../contracts/search-attributes.js';
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
    if (this.told?.phase !== phase || this.told.revision !== revision) this.upsert(plan);
    const triggers = plan.triggers ?? this.told?.triggers;
    this.told = { phase, revision, summary, sets, ...defined({ triggers }) };
    setCurrentDetails(formatDetails(this.told));
  }

  private upsert({ phase, revision, summary }: DeploymentRunStatus): void {
    const { cluster, namespace, name } = this.ref;
    log.info(summary, { cluster, namespace, name, phase, revision });
    const identity =
      this.told === undefined
        ? [
            { key: searchAttributes.kind, value: 'Deployment' },
            { key: searchAttributes.cluster, value: cluster },
            { key: searchAttributes.namespace, value: namespace },
            { key: searchAttributes.name, value: name },
          ]
        : [];
    upsertSearchAttributes([
      ...identity,
      { key: searchAttributes.phase, value: phase },
      { key: searchAttributes.revision, value: Number(revision) },
    ]);
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
