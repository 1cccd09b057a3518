import { proxyActivities } from '@temporalio/workflow';

import type { ExamineRequest, RollbackActivities } from '../../contracts/rollback.js';
import type { RollbackReport } from '../../domain/rollback/report.js';
import { clusterOptions } from '../reach.js';

/**
 * Looks at what going back means, and has that kept before anything is done about it. A local activity would be
 * kept together with the write that follows: when the worker dies in between, it would look again, see what it
 * has written itself, and go back once more.
 */
export async function examineForGood(request: ExamineRequest): Promise<RollbackReport> {
  const { cluster, namespace, members } = request;
  const names = members.map(({ name }) => name).join(', ');
  const options = clusterOptions({ cluster, namespace, name: names });
  const { examineRollback } = proxyActivities<RollbackActivities>({
    ...options,
    // A worker that dies while it looks is missed soon, and another one looks.
    heartbeatTimeout: '5s',
    summary: `look at what going back means for ${names}`,
  });
  const examined = await examineRollback(request);
  if (examined.kind === 'examined') return examined.report;
  throw new Error('a worker polls the queue of a cluster that it has no connection to');
}
