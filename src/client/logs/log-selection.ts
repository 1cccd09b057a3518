import type { HookMoment } from '../../domain/shared/hook.js';
import { isHookOver } from '../../domain/shared/hook.js';
import type { FollowEnd } from '../follower.js';
import type { HookTree } from '../tree/tree.js';
import type { LogSource } from './log-source.js';

/** Which of the logs are wanted; all of them when nothing is said. */
export interface LogSelection {
  readonly hook?: HookMoment | undefined;
  readonly deployer?: boolean | undefined;
  /** A try of a hook, counted from 1. */
  readonly number?: number | undefined;
}

/** What there is to be read of a version or a revision, as it was last seen. */
export interface LogPicture {
  /** Example: version 2 of deploymentconfig.apps.openshift.io/web */
  readonly title: string;
  readonly hooks: readonly HookTree[];
  readonly hasDeployer: boolean;
  /** In the order of time. */
  readonly sources: readonly LogSource[];
  /** How it ended; undefined while it goes on. */
  readonly end: FollowEnd | undefined;
}

export function selectSources(picture: LogPicture, selection: LogSelection): LogSource[] {
  const moment = hookOf(picture, selection)?.moment;
  return picture.sources.filter((source) => {
    if (selection.deployer === true) return source.moment === undefined;
    if (moment !== undefined && source.moment !== moment) return false;
    return selection.number === undefined || source.number === selection.number;
  });
}

/** The hook that is meant: the one that is named or, where a try is, the only one. */
function hookOf({ hooks }: LogPicture, { hook, number }: LogSelection): HookTree | undefined {
  if (hook !== undefined) return hooks.find(({ moment }) => moment === hook);
  return number !== undefined && hooks.length === 1 ? hooks[0] : undefined;
}

/** Why nothing of what is wanted can be there, now or (with `follows`) later; undefined when it can. */
export function findFault(
  picture: LogPicture,
  selection: LogSelection,
  follows: boolean,
): string | undefined {
  const { title, hooks, hasDeployer } = picture;
  if (hooks.length === 0 && !hasDeployer) {
    return `${title} has no hooks and no deployer; what its other pods write is shown by "kubectl logs"`;
  }
  if (selection.deployer === true && !hasDeployer) {
    return `--deployer: ${title} has none; only versions of strategy Custom have`;
  }
  if (selection.hook !== undefined && !hooks.some(({ moment }) => moment === selection.hook)) {
    return `--hook: ${title} has no ${selection.hook} hook; it has ${nameHooks(hooks)}`;
  }
  return selection.number === undefined
    ? undefined
    : findTryFault(picture, selection, selection.number, follows);
}

function findTryFault(
  picture: LogPicture,
  selection: LogSelection,
  number: number,
  follows: boolean,
): string | undefined {
  const { title, hooks } = picture;
  const hook = hookOf(picture, selection);
  if (hook === undefined) {
    return hooks.length === 0
      ? `--try: ${title} has no hooks`
      : `--try: say of which hook with --hook; ${title} has ${nameHooks(hooks)}`;
  }
  const known = hook.tries.map((each) => each.number);
  if (known.includes(number)) return undefined;
  const mayCome = number > Math.max(hook.ended, ...known) && picture.end === undefined;
  if (follows && mayCome && !isOver(hook)) return undefined;
  const list =
    known.length === 0 ? 'none is' : `${known.join(', ')} ${known.length > 1 ? 'are' : 'is'}`;
  return `--try: there is no try ${number} of the ${hook.moment} hook of ${title}; ${list} known`;
}

const nameHooks = (hooks: readonly HookTree[]): string =>
  hooks.length === 0 ? 'none' : hooks.map(({ moment }) => moment).join(', ');

const isOver = ({ phase }: HookTree): boolean => phase !== null && isHookOver({ phase });

/** How what is wanted ended, from a version down to one try; undefined while more of it may come. */
export function judgeSelection(
  picture: LogPicture,
  selection: LogSelection,
): FollowEnd | undefined {
  const { end } = picture;
  const { deployer, hook: named, number } = selection;
  if (deployer === true || number !== undefined) {
    const [source] = selectSources(picture, selection);
    if (source?.state === 'Ended') return source.hasSucceeded ? 'complete' : 'failed';
    if (source !== undefined) return undefined;
  }
  if (named === undefined && number === undefined) return end;
  const hook = hookOf(picture, selection);
  if (hook === undefined || !isOver(hook)) return end;
  // A try that is waited for does not come any more.
  return number === undefined && hook.phase === 'Succeeded' ? 'complete' : 'failed';
}

const endWords = {
  complete: 'is complete',
  failed: 'has failed',
  cancelled: 'was cancelled',
  refused: 'was refused',
} as const;

/** How what is wanted ended, in a sentence; what its pods have told is left out. */
export function describeSelectionEnd(
  picture: LogPicture,
  selection: LogSelection,
  end: FollowEnd,
): string | undefined {
  const { deployer, hook: named, number } = selection;
  const isOne = deployer === true || number !== undefined;
  if (isOne && selectSources(picture, selection).length > 0) return undefined;
  const hook = hookOf(picture, selection);
  const hasHookEnded = hook !== undefined && isOver(hook);
  const told = hasHookEnded ? describeHookEnd(picture, hook) : `${picture.title} ${endWords[end]}`;
  if (deployer === true) return `${told}, without a deployer`;
  if (number !== undefined) return `${told}, without a try ${number}`;
  return named === undefined || hasHookEnded ? told : `${told}, without its ${named} hook`;
}

function describeHookEnd({ title }: LogPicture, { moment, phase, reason }: HookTree): string {
  const why = reason === null ? '' : `: ${reason}`;
  return `the ${moment} hook of ${title} ${phase === 'Succeeded' ? 'has succeeded' : `has failed${why}`}`;
}

/** Whether lines have to say which pod they are of: there may be another one. */
export function needsPrefix(
  picture: LogPicture,
  selection: LogSelection,
  follows: boolean,
): boolean {
  const { deployer, number, hook: named } = selection;
  const count = selectSources(picture, selection).length;
  if (count > 1 || !follows) return count > 1;
  if (deployer === true || number !== undefined) return false;
  const hooks = picture.hooks.filter(({ moment }) => named === undefined || moment === named);
  const isRetried = hooks.some(({ policy }) => policy === 'Retry' || policy === null);
  const others = picture.hasDeployer && named === undefined ? 1 : 0;
  return isRetried || hooks.length + others > 1;
}
