import type { RollbackInput, RollbackOutcome } from '../../contracts/rollback.js';
import { isPossible, type RollbackReport } from '../../domain/rollback/report.js';
import { defined } from '../../domain/shared/optional.js';
import { controllerName } from '../../kubernetes/deployment-configs/build-controller.js';
import type { DeploymentConfig } from '../../kubernetes/deployment-configs/objects.js';
import type { ClusterSession } from '../cluster-session.js';
import { readVersions } from '../configs/versions.js';
import { badInput, CommandFailure, exitCodes } from '../failure.js';
import { followUntilStopped } from '../follow-until-stopped.js';
import type { RollBackMember, RollBackOptions } from '../handling.js';
import { paintLine, span, type Line } from '../output/line.js';
import { formatDocument } from '../output/structured.js';
import { canRedraw, wantsColour } from '../output/terminal-abilities.js';
import { temporalOptionsOf } from '../temporal-options.js';
import { phaseOfVersion } from '../tree/describe-version.js';
import { createFollowView } from '../tree/follow-view.js';
import { whoAmI } from '../who-am-i.js';
import { awaitRollbackEnd } from './await-rollback-end.js';
import { checkRights } from './check-rights.js';
import { renderNextCommands, renderOutcome } from './describe-rollback.js';
import { followRollback } from './follow-rollback.js';
import { planNextCommands } from './plan-next-commands.js';
import { renderReport } from './render-report.js';
import type { RollbackEnd } from './read-rollback-end.js';
import { withRollbackRun, type RollbackRun } from './start-rollback.js';
import { wasCancelled } from './was-cancelled.js';

type Member = RollBackMember<DeploymentConfig>;

/** Takes configs back together: tells what that would mean, or has it done and follows it to the end. */
export async function rollBackConfigs(
  members: readonly Member[],
  options: RollBackOptions,
): Promise<void> {
  const [first] = members;
  if (first === undefined) return;
  const { session } = first.subject;
  const { client } = session.cluster;
  const names = members.map(({ subject }) => subject.object.metadata.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw badInput(`dc/${twice}: it is named twice`);
  const input = await buildInput(session, members, options);
  if (options.dryRun !== true) await checkRights(client, session.namespace, names);
  await withRollbackRun(temporalOptionsOf(session, options.temporal), input, async (run) => {
    if (options.dryRun === true) await showDryRun(run, options);
    else await goBack(session, members, run, options);
  });
}

async function buildInput(
  { cluster, namespace }: ClusterSession,
  members: readonly Member[],
  options: RollBackOptions,
): Promise<RollbackInput> {
  const isChosen = options.config === true || options.application === true;
  const wish = {
    config: options.config === true || !isChosen,
    application: options.application === true || !isChosen,
    ...defined({ notes: options.notes, by: await whoAmI(cluster) }),
  };
  return {
    cluster: options.temporal.clusterName ?? cluster.name,
    namespace,
    members: members.map(({ subject, revision }) => ({
      name: subject.object.metadata.name,
      wish: { ...wish, ...defined({ release: toRelease(subject.ref, revision) }) },
    })),
    ...defined({ parallel: options.parallel, dryRun: options.dryRun }),
  };
}

/** Versions are plain numbers, and 0 means the usual one. */
function toRelease(ref: string, revision: Member['revision']): number | undefined {
  if (revision === undefined || revision === 0) return undefined;
  if (typeof revision === 'number') return revision;
  throw badInput(`${ref}: there is no version ${revision}`);
}

async function showDryRun(run: RollbackRun, { timeout, output }: RollBackOptions): Promise<void> {
  const end = await followUntilStopped('the look', timeout, (signal) =>
    awaitRollbackEnd(run, complain, signal),
  );
  const { phase, report } = outcomeOf(end);
  // What was not looked at to the end is not known to be possible.
  if (phase === 'Cancelled') throw cancelled();
  if (output === undefined) for (const line of renderReport(report)) say(paint(line));
  else process.stdout.write(formatDocument(report, output));
  if (!isPossible(report)) process.exitCode = exitCodes.badInput;
}

async function goBack(
  session: ClusterSession,
  members: readonly Member[],
  run: RollbackRun,
  options: RollBackOptions,
): Promise<void> {
  const { output, timeout } = options;
  // Data and lines for people don't mix.
  const write = output === undefined ? say : complain;
  const outcome = outcomeOf(await follow(session, members, run, { timeout, write }));
  if (output !== undefined) process.stdout.write(formatDocument(outcome, output));
  if (outcome.phase === 'Refused') throw badInput(describeProblems(outcome.report));
  const lines = [
    ...renderOutcome(outcome),
    ...(outcome.phase === 'Complete'
      ? renderSuspension(outcome, options)
      : await renderNext(members, outcome, options)),
  ];
  for (const line of lines) write(paint(line));
  if (outcome.phase === 'Complete') return;
  if (outcome.phase === 'Cancelled') throw cancelled();
  process.exitCode = exitCodes[wasCancelled(outcome) ? 'cancelled' : 'failed'];
}

async function follow(
  session: ClusterSession,
  members: readonly Member[],
  run: RollbackRun,
  {
    timeout,
    write,
  }: { readonly timeout: number | undefined; readonly write: (line: string) => void },
): Promise<RollbackEnd> {
  const view = createFollowView(write, write === say && canRedraw(process.stdout));
  const configs = members.map(({ subject: { object } }) => ({
    name: object.metadata.name,
    before: object.status?.latestVersion ?? 0,
  }));
  try {
    return await followUntilStopped('the rollback', timeout, (signal) =>
      followRollback(session, run, configs, view, signal),
    );
  } finally {
    view.close();
  }
}

function outcomeOf(end: RollbackEnd): RollbackOutcome {
  switch (end.kind) {
    case 'ended':
      return end.outcome;
    case 'cancelled':
      throw cancelled();
    case 'broken':
      throw end.isBadInput ? badInput(end.why) : new CommandFailure(end.why);
  }
}

const cancelled = (): CommandFailure =>
  new CommandFailure('the rollback was cancelled', exitCodes.cancelled);

function describeProblems({ configs }: RollbackReport): string {
  const problems = configs.flatMap(({ name, problems: own }) =>
    own.map(({ field, message }) => `dc/${name}: ${field}: ${message}`),
  );
  return `${problems.join('\n')}; nothing was changed`;
}

function renderSuspension({ standings }: RollbackOutcome, { again }: RollBackOptions): Line[] {
  const refs = standings.map(({ name }) => `dc/${name}`);
  return [[span(`Triggers are suspended until: ${again('resume-triggers', refs)}`)]];
}

async function renderNext(
  members: readonly Member[],
  { standings }: RollbackOutcome,
  options: RollBackOptions,
): Promise<readonly Line[]> {
  const complete = new Set<string>();
  for (const { subject } of members) {
    for (const version of await readVersions(subject)) {
      if (phaseOfVersion(version) === 'Complete') complete.add(version.metadata.name);
    }
  }
  const next = planNextCommands(standings, (name, version) =>
    complete.has(controllerName(name, version)),
  );
  return renderNextCommands(next, (which, targets) =>
    options.again('undo', [...targets, ...repeatOptions(options, which)]),
  );
}

/** Going back where one came from takes all of it: a part alone may be what the failure came of. */
const repeatOptions = (options: RollBackOptions, which: 'goOn' | 'goBack'): string[] => [
  ...(which === 'goOn' ? repeatWish(options) : []),
  ...(options.parallel === true ? ['--parallel'] : []),
];

const repeatWish = ({ config, application, notes }: RollBackOptions): string[] => [
  ...(config === true ? ['--config'] : []),
  ...(application === true ? ['--application'] : []),
  ...(notes === undefined ? [] : ['--notes', notes]),
];

const paint = (line: Line): string => paintLine(line, { colour: wantsColour(process.stdout) });

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function complain(line: string): void {
  process.stderr.write(`${line}\n`);
}
