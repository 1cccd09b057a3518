import { log, setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';

import type { VersionOutcome, VersionRef } from '../../contracts/deployment-config.js';
import { describeRun } from '../../contracts/search-attributes.js';

/** Keeps what people see of a version's run true: search attributes, the details in the UI, the query. */
export class VersionStory {
  private told: VersionOutcome;

  constructor(private readonly ref: VersionRef) {
    this.told = { phase: 'New', version: ref.version, summary: 'Taking a first look.' };
  }

  get current(): VersionOutcome {
    return this.told;
  }

  tell({ phase, summary }: Pick<VersionOutcome, 'phase' | 'summary'>): VersionOutcome {
    const { version } = this.ref;
    if (this.told.phase !== phase) log.info(summary, { ...this.ref, phase });
    const known = workflowInfo().typedSearchAttributes;
    const wanted = describeRun('DeploymentConfig', this.ref, phase, version);
    const changed = wanted.filter(({ key, value }) => known.get(key) !== value);
    if (changed.length > 0) upsertSearchAttributes([...changed]);
    this.told = { phase, version, summary };
    setCurrentDetails(summary);
    return this.told;
  }
}
