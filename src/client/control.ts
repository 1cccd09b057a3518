import { findSubject, parseRefFor } from './abilities.js';
import { withCluster, type ClusterOptions } from './cluster-session.js';
import type { ApprovalWish } from './handling.js';

export type ControlOptions = ClusterOptions & ApprovalWish;

/** Does what a command asks of one object, and prints the line that says so. */
export async function control(
  verb: 'pause' | 'resume' | 'cancel' | 'retry' | 'approve',
  text: string,
  options: ControlOptions,
): Promise<void> {
  const ref = parseRefFor(verb, text);
  await withCluster(options, async (session) => {
    const { subject, ability } = await findSubject(verb, session, ref);
    process.stdout.write(`${await ability(subject, options)}\n`);
  });
}
