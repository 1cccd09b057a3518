import type {
  DeploymentApi,
  DeploymentSummary,
  RollbackNote,
  Trigger,
} from '../../domain/deployment/observation.js';
import { defined } from '../../domain/shared/optional.js';
import type { Deployment } from '../objects.js';
import { readHooks } from '../hooks/read-hooks.js';
import { annotations } from './annotations.js';

type Wishes = Pick<
  DeploymentSummary,
  | 'rollbackTo'
  | 'rollsBackOnFailure'
  | 'rollsBackOverHooks'
  | 'hookMoments'
  | 'rolledBack'
  | 'statedTriggers'
  | 'problem'
>;

/**
 * What Slipway's Deployments know and those of `apps/v1` don't: fields of the spec on our own kind,
 * annotations on the other.
 */
export function readWishes(api: DeploymentApi, deployment: Deployment): Wishes {
  const own = api === 'apps/v1' ? readAnnotations(deployment) : readFields(deployment);
  return { ...own, ...defined({ rolledBack: readNote(deployment) }) };
}

export const rollsBackOnFailure = (api: DeploymentApi, { metadata, spec }: Deployment): boolean =>
  api === 'apps/v1'
    ? metadata.annotations?.[annotations.rollbackOnFailure] === 'true'
    : spec?.rollbackOnFailure === true;

function readFields({ spec }: Deployment): Wishes {
  const { rollbackTo, rollbackOnFailure, rollbackOverHooks, triggers, strategy } = spec ?? {};
  const hooks = readHooks(strategy).map(({ moment }) => moment);
  return defined({
    hookMoments: hooks.length === 0 ? undefined : hooks,
    rollsBackOverHooks: rollbackOverHooks,
    rollbackTo: rollbackTo === undefined ? undefined : (rollbackTo.revision ?? 0),
    rollsBackOnFailure: rollbackOnFailure,
    statedTriggers: triggers?.filter(isTrigger),
  });
}

function readAnnotations({ metadata }: Deployment): Wishes {
  const written = metadata.annotations ?? {};
  const revision = written[annotations.rollbackTo];
  const onFailure = written[annotations.rollbackOnFailure];
  const stated = written[annotations.triggers]?.split(',').map((name) => name.trim());
  const unknown = stated?.find((name) => !isTrigger(name));
  const problem =
    onFailure !== undefined && onFailure !== 'true' && onFailure !== 'false'
      ? `${fieldOf(annotations.rollbackOnFailure)}: must be "true" or "false", not ${JSON.stringify(onFailure)}`
      : unknown === undefined
        ? undefined
        : `${fieldOf(annotations.triggers)}: must be a list of ${triggerNames.join(', ')}, not ${JSON.stringify(unknown)}`;
  return defined({
    // The apiserver has seen to it that it is a number.
    rollbackTo: revision === undefined ? undefined : Number(revision),
    rollsBackOnFailure: onFailure === 'true' ? true : undefined,
    statedTriggers: stated?.filter(isTrigger),
    problem,
  });
}

const fieldOf = (annotation: string): string => `metadata.annotations[${annotation}]`;

const triggerNames: readonly string[] = [
  'Manual',
  'Autoscaler',
  'NewImage',
  'ConfigChange',
] satisfies readonly Trigger[];

const isTrigger = (name: string): name is Trigger => triggerNames.includes(name);

/** Only Slipway writes it; what it can't read it has not written. */
function readNote({ metadata }: Deployment): RollbackNote | undefined {
  const text = metadata.annotations?.[annotations.rolledBack];
  if (text === undefined) return undefined;
  try {
    const note = JSON.parse(text) as Partial<RollbackNote> | null;
    const { from, to, reason, message } = note ?? {};
    const isWhole = [from, to, reason, message].every((part) => typeof part === 'string');
    return isWhole ? (note as RollbackNote) : undefined;
  } catch {
    return undefined;
  }
}
