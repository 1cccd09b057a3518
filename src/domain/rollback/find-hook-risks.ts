import { isHookOver } from '../shared/hook.js';
import { cutText } from './describe-value.js';
import type { RollbackWarning } from './report.js';
import type { GoingBack, HookBegun, VersionData } from './scene.js';

const longestCommand = 200;

/**
 * Hooks that have begun in versions after the one to go back to: what they did, such as a migration, stays, and
 * what they are about is left half done. Where the abort hook of such a version has succeeded since, it is undone.
 *
 * Example: going back from version 4 to 2, where version 3 has migrated the database: a warning that names
 * version 3, its pre hook and the command.
 */
export function findHookRisks({ from, to, versions }: GoingBack): readonly RollbackWarning[] {
  return versions
    .filter(({ version }) => version > to && version <= from)
    .toSorted((a, b) => a.version - b.version)
    .flatMap((version) =>
      version.hooks
        .filter((hook) => !isUndone(hook, version))
        .flatMap((hook) => warn(version, hook, describeStand(hook))),
    );
}

function isUndone(hook: HookBegun, { hooks }: VersionData): boolean {
  const abort = hooks.find(({ moment, phase }) => moment === 'abort' && phase === 'Succeeded');
  if (abort === undefined || hook === abort || !isHookOver(hook)) return false;
  return (abort.endedAtMs ?? Infinity) >= (hook.endedAtMs ?? 0);
}

/** What going back means for a hook that stands there; undefined where it is nothing to know of. */
function describeStand({ moment, phase, ended, endedAtMs }: HookBegun): string | undefined {
  const at = endedAtMs === undefined ? '' : `, at ${new Date(endedAtMs).toISOString()}`;
  const isAbort = moment === 'abort';
  switch (phase) {
    case 'Succeeded':
      // It has undone what the others did.
      return isAbort ? undefined : `has run since${at}, and is not undone by going back`;
    case 'Failed':
      // One of which no try was made has done nothing.
      return ended === 0 ? undefined : `has failed since${at}, and may have done a part of it`;
    case 'Pending':
    case 'Running':
      return `${describeProgress(phase, ended)}, and ${isAbort ? 'is not waited for' : 'will be ended'}`;
  }
}

const describeProgress = (phase: 'Pending' | 'Running', ended: number): string =>
  `${phase === 'Running' ? 'is running' : 'is about to run'}${ended === 0 ? '' : `, as try ${ended + 1}`}`;

function warn(
  { name, version }: VersionData,
  { moment, command }: HookBegun,
  stand: string | undefined,
): readonly RollbackWarning[] {
  if (stand === undefined) return [];
  const hook = `the ${moment} hook of version ${version}`;
  const what = cutText(command.join(' '), longestCommand);
  return [
    {
      kind: 'HookSince',
      object: `ReplicationController/${name}`,
      message: `${hook} (${what}) ${stand}`,
    },
  ];
}
