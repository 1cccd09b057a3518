import { activityInfo, heartbeat } from '@temporalio/activity';

import { toActivityFailure } from './failures.js';

const heartbeatMs = 2_000;

/** Runs what may take long; where Temporal waits for signs of life, it gets them. */
export async function withHeartbeat<T>(attempt: string, run: () => Promise<T>): Promise<T> {
  const beat = activityInfo().isLocal ? undefined : setInterval(heartbeat, heartbeatMs);
  try {
    return await run();
  } catch (error) {
    throw toActivityFailure(error, attempt);
  } finally {
    clearInterval(beat);
  }
}
