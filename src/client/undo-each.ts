import type { Revision } from '../domain/shared/revision.js';
import { isConflict } from '../kubernetes/api-error.js';
import { findSubject } from './abilities.js';
import type { ClusterSession } from './cluster-session.js';
import { CommandFailure } from './failure.js';
import { paintLine } from './output/line.js';
import { renderDiff } from './output/render-diff.js';
import { wantsColour } from './output/terminal-abilities.js';
import type { Ref } from './parse-ref.js';
import type { UndoPlan, UndoWish } from './plan-undo.js';

/** A status update between reading and writing makes the write fail; this many are outlived. */
const tries = 20;

export interface EachUndo {
  readonly ref: Ref;
  readonly revision: Revision | undefined;
}

export interface EachUndoOptions {
  readonly notes?: string;
  readonly dryRun?: true;
}

/** Goes back with each object by a write of its own, and leaves the rest to whoever rolls it out. */
export async function undoEach(
  session: ClusterSession,
  targets: readonly EachUndo[],
  { notes, dryRun }: EachUndoOptions,
): Promise<void> {
  const wishes = targets.map(({ ref, revision }) => ({
    ref,
    wish: { toRevision: revision ?? 0, notes },
  }));
  // All are planned before the first is changed, so that a mistake in one changes none.
  const plans = [];
  for (const { ref, wish } of wishes) plans.push(await readPlan(session, ref, wish));
  for (const [index, { ref, wish }] of wishes.entries()) {
    const plan = plans[index];
    if (plan === undefined) continue;
    if (dryRun === true) preview(plan);
    else await carryOut(session, ref, wish, plan);
  }
}

type ReadPlan = Awaited<ReturnType<typeof readPlan>>;

async function readPlan(session: ClusterSession, ref: Ref, wish: UndoWish) {
  const { subject, ability } = await findSubject('undo', session, ref);
  return { subject, ...(await ability(subject, wish)) };
}

async function carryOut(
  session: ClusterSession,
  ref: Ref,
  wish: UndoWish,
  first: ReadPlan,
): Promise<void> {
  let current = first;
  for (let count = 1; ; count += 1) {
    const { subject, plan } = current;
    if (plan.kind === 'none') {
      tellNone(current);
      return;
    }
    try {
      const { namespace, name } = subject.object.metadata;
      await session.cluster.client.patch(subject.type, namespace, name, 'json', plan.steps);
      print(`${subject.ref} goes back to revision ${plan.target.revision}`);
      return;
    } catch (error) {
      if (!isConflict(error)) throw error;
      if (count >= tries) {
        throw new CommandFailure(
          `${subject.ref} changes too fast to be written to; nothing was changed`,
          undefined,
          { cause: error },
        );
      }
    }
    current = await readPlan(session, ref, wish);
  }
}

function preview(read: ReadPlan): void {
  if (read.plan.kind === 'none') tellNone(read);
  else printDiff(read, read.plan);
}

function tellNone({ subject, plan }: ReadPlan): void {
  const { revision } = plan.target;
  print(`${subject.ref} has the template of revision ${revision} already; nothing changed`);
}

function printDiff({ subject, current }: ReadPlan, { target }: UndoPlan): void {
  const colour = wantsColour(process.stdout);
  const lines = renderDiff(
    { title: `${subject.ref} now`, value: current },
    { title: `${subject.ref} revision ${target.revision}`, value: target.template },
  );
  for (const line of lines) print(paintLine(line, { colour }));
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
