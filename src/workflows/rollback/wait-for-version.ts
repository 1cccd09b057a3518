import { proxyActivities } from '@temporalio/workflow';

import type { Elsewhere } from '../../contracts/advance.js';
import type {
  AwaitVersionRequest,
  AwaitVersionResult,
  RollbackActivities,
} from '../../contracts/rollback.js';
import { watcherOptions } from '../reach.js';

type Awaited = Exclude<AwaitVersionResult, Elsewhere | { readonly kind: 'unchanged' }>;

/** However long it takes, and whichever worker watches meanwhile. */
export async function waitForVersion(request: AwaitVersionRequest): Promise<Awaited> {
  const { ref } = request;
  const options = {
    ...watcherOptions(ref),
    summary: `wait for version ${ref.version} of ${ref.name}`,
  };
  const { awaitVersion } = proxyActivities<RollbackActivities>(options);
  while (true) {
    const seen = await awaitVersion(request);
    if (seen.kind !== 'unchanged' && seen.kind !== 'elsewhere') return seen;
  }
}
