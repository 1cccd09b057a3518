import { log, setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';

import type { HookOutcome, HookRef } from '../../contracts/hook.js';
import { describeRun } from '../../contracts/search-attributes.js';
import { defined } from '../../domain/shared/optional.js';

/** Keeps what people see of a hook's run true: search attributes, the details in the UI, the query. */
export class HookStory {
  private told: HookOutcome = { phase: 'Pending', summary: 'Taking a first look.' };

  constructor(private readonly ref: HookRef) {}

  get current(): HookOutcome {
    return this.told;
  }

  tell({ phase, summary, tries }: HookOutcome): HookOutcome {
    if (this.told.summary !== summary) log.info(summary, { ...this.ref, phase });
    const known = workflowInfo().typedSearchAttributes;
    const wanted = describeRun('Hook', this.ref, phase, this.ref.version);
    const changed = wanted.filter(({ key, value }) => known.get(key) !== value);
    if (changed.length > 0) upsertSearchAttributes([...changed]);
    this.told = { phase, summary, ...defined({ tries }) };
    setCurrentDetails(summary);
    return this.told;
  }
}
