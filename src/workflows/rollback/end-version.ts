import { log } from '@temporalio/workflow';

import { defined } from '../../domain/shared/optional.js';
import { writeHereOrThere } from '../reach.js';
import { activitiesFor, ownId, type Begun, type Run } from './rollback-run.js';
import { waitForVersion } from './wait-for-version.js';

/** Resolves to whether the version has become complete. */
export async function awaitEnd(run: Run, { ref, since }: Begun): Promise<boolean> {
  const { story, underWay } = run;
  const end = await waitForVersion({ ref, since, until: 'ended', runId: ownId() });
  underWay.delete(ref.name);
  if (end.kind === 'complete') {
    story.move(ref.name, { state: 'Complete' });
    return true;
  }
  const { reason = '', isCancelled } = end.kind === 'failed' ? end : {};
  story.move(ref.name, { state: 'Failed', reason, ...defined({ isCancelled }) });
  return false;
}

/** Asks all versions that are under way to stop, each as soon as it is there. */
export async function stopAll(run: Run, reason: string): Promise<void> {
  const { here, atCluster } = activitiesFor(run.task);
  // One by one: answers of local activities that come together may come in another order in a replay.
  for (const { ref, since } of [...run.underWay.values()]) {
    try {
      await waitForVersion({ ref, since, until: 'begun' });
      await writeHereOrThere(
        () => here.cancelVersion({ ref, reason }),
        () => atCluster.cancelVersion({ ref, reason }),
      );
    } catch (error) {
      // The others are to be stopped all the same.
      log.warn(`could not stop version ${ref.version} of ${ref.name}`, { error });
    }
  }
}
