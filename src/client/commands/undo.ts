import { Command } from 'commander';

import type { Revision } from '../../domain/shared/revision.js';
import { findAbility, findSubject } from '../abilities.js';
import {
  addClusterOptions,
  withCluster,
  type ClusterOptions,
  type ClusterSession,
} from '../cluster-session.js';
import { rootName, withExamples } from '../examples.js';
import { badInput } from '../failure.js';
import { outputOption, type OutputFormat } from '../output/structured.js';
import type { Ref } from '../parse-ref.js';
import { parseUndoTarget, type UndoTarget } from '../parse-undo-target.js';
import { parseRevision } from '../revision-option.js';
import { quoteWord } from '../rollback/quote-word.js';
import { addTemporalOptions, type TemporalPlace } from '../temporal-options.js';
import { timeoutOption } from '../timeout-option.js';
import { undoEach } from '../undo-each.js';

interface UndoOptions extends ClusterOptions, TemporalPlace {
  readonly toRevision?: Revision;
  readonly config?: true;
  readonly application?: true;
  readonly notes?: string;
  readonly dryRun?: true;
  readonly parallel?: true;
  readonly output?: OutputFormat;
  readonly timeout?: number;
}

const endsHelp = `
Of DeploymentConfigs, configuration is labels, triggers and strategy, and the application is replicas, selector and
pod template; both go back unless one is chosen. The last complete version before the current one is the usual one to
go back to. Several go back in the order given, checked against each other as they will be before the first is
touched; when one fails, the rest stay as they are. Triggers are suspended until "resume-triggers".

Exit codes: 0 complete, or possible for a dry run; 1 failed; 2 bad input, or refused, with nothing changed; 3 cancelled.
Ctrl-C ends the following, not the rollback.`;

export function undoCommand(): Command {
  const command = new Command('undo')
    .summary('go back to an earlier revision')
    .description(
      'Gives a Deployment the pod template of an earlier revision back, which is then rolled out like any other ' +
        'change; a cancelled rollout is taken back and no longer paused. Makes a new version of a ' +
        'DeploymentConfig that is what an earlier one was, and follows it to the end.',
    )
    .argument(
      '<kind/name...>',
      'the objects, such as deployment/web or dc/web, or dc/web@3 for revision 3',
    )
    .option(
      '--to-revision <n>',
      'the revision to go back to; by default the one before the newest',
      (text: string) => parseRevision(text, 0),
    )
    .option('--config', 'take the configuration of a DeploymentConfig back')
    .option('--application', 'take the application of a DeploymentConfig back')
    .option('--notes <text>', 'why, kept with the revision that comes of it')
    .option('--dry-run', 'show what would change and what may break, and change nothing')
    .option('--parallel', 'take several DeploymentConfigs back all at once')
    .addOption(outputOption())
    .addOption(timeoutOption())
    .action(undo)
    .addHelpText('after', endsHelp);
  return withExamples(addTemporalOptions(addClusterOptions(command)), [
    [
      'undo deployment/web --notes "errors in the log"',
      'Go back to the revision before, and say why',
    ],
    ['undo deployment/web --to-revision 3 --dry-run', 'See what going back to revision 3 changes'],
    ['undo dc/web --dry-run', 'See what going back would change, and what may break'],
    ['undo dc/web dc/db@2 --notes "orders get lost"', 'Go back with two that belong together'],
    ['undo dc/web --application', 'Keep strategy, triggers and labels as they are'],
  ]);
}

async function undo(
  texts: readonly string[],
  options: UndoOptions,
  command: Command,
): Promise<void> {
  const targets = texts.map(parseUndoTarget).map((target) => chooseRevision(target, options));
  const stranger = targets.find(({ ref }) => !goesTogether(ref));
  if (stranger === undefined) {
    refuseSharedRevision(targets, options);
    await withCluster(options, (session) => undoTogether(session, targets, options, command));
    return;
  }
  if (targets.some(({ ref }) => goesTogether(ref))) {
    throw badInput(
      `${stranger.ref.text}: DeploymentConfigs go back together with each other alone; undo it by itself`,
    );
  }
  refuseStrangeOptions(stranger.ref, options);
  await withCluster(options, (session) => undoEach(session, targets, options));
}

interface Target {
  readonly ref: Ref;
  /** Absent for the usual one. */
  readonly revision: Revision | undefined;
}

function chooseRevision({ ref, revision }: UndoTarget, { toRevision }: UndoOptions): Target {
  if (toRevision !== undefined && revision !== undefined) {
    throw badInput(`--to-revision: ${ref.text}@${revision} says already which one is meant`);
  }
  return { ref, revision: revision ?? toRevision };
}

/** Whether all that a reference may mean goes back by a run that may have others in it. */
const goesTogether = ({ kinds }: Ref): boolean =>
  kinds.every(({ type }) => findAbility('rollBack', type) !== undefined);

function refuseSharedRevision(targets: readonly Target[], { toRevision }: UndoOptions): void {
  if (toRevision === undefined || targets.length < 2) return;
  const example = targets.map(({ ref }) => `${ref.text}@${toRevision}`).join(' ');
  throw badInput(`--to-revision: each of several has revisions of its own: write ${example}`);
}

/** What would have no effect is not taken for granted. */
function refuseStrangeOptions({ text }: Ref, options: UndoOptions): void {
  const strange = (['config', 'application', 'parallel', 'output', 'timeout'] as const).find(
    (name) => options[name] !== undefined,
  );
  if (strange !== undefined) {
    throw badInput(`--${strange}: it is for DeploymentConfigs, and ${text} is none`);
  }
}

async function undoTogether(
  session: ClusterSession,
  targets: readonly Target[],
  options: UndoOptions,
  command: Command,
): Promise<void> {
  const found = [];
  for (const { ref, revision } of targets) {
    found.push({ ...(await findSubject('rollBack', session, ref)), revision });
  }
  await found[0]?.ability(found, {
    ...options,
    temporal: options,
    again: (name, words) => {
      const temporal = name === 'undo' ? temporalPlaceOf(options) : [];
      const all = [...words, ...placeOf(session, options), ...temporal];
      return [rootName(command), name, ...all.map(quoteWord)].join(' ');
    },
  });
}

const placeOf = ({ namespace }: ClusterSession, options: ClusterOptions): string[] => [
  ...['-n', namespace],
  ...(options.context === undefined ? [] : ['--context', options.context]),
  ...(options.kubeconfig === undefined ? [] : ['--kubeconfig', options.kubeconfig]),
];

const temporalPlaceOf = ({ clusterName, temporal, temporalNamespace }: TemporalPlace): string[] => [
  ...(temporal === undefined ? [] : ['--temporal', temporal]),
  ...(temporalNamespace === undefined ? [] : ['--temporal-namespace', temporalNamespace]),
  ...(clusterName === undefined ? [] : ['--cluster-name', clusterName]),
];
