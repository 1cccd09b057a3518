import type { Author } from '../../domain/shared/author.js';
import { readAuthor, type ChangedTemplate } from '../change-note.js';
import { listImages } from '../deployments/stays.js';
import { findAuthor } from '../find-author.js';
import { parseFields } from '../parse-fields.js';
import { configAnnotations } from './annotations.js';
import type { DeploymentConfig, ReplicationController } from './objects.js';
import { readTriggers } from './read-triggers.js';

/** Who has written the template of a version, and what was in force before it. */
export interface ConfigChange extends Author {
  /** The version that was; 0 where there was none, and absent where nobody knows. */
  readonly wasVersion?: number;
  /** Its images; absent where they were the same, or nobody knows. */
  readonly was?: readonly string[];
}

/** The version that was in force before another. */
export type ServedBefore = ReplicationController | 'none';

/** The template, and the version that it is to become. */
export function changedTemplate(
  { metadata, spec, status }: DeploymentConfig,
  next = (status?.latestVersion ?? 0) + 1,
): ChangedTemplate {
  const { images } = readTriggers(spec, metadata.namespace ?? '');
  const filled = images.flatMap(({ containerNames }) => containerNames);
  return { template: spec.template, next, filled };
}

/** The annotation in which a version keeps it. */
export function changeAnnotation(
  config: DeploymentConfig,
  version: number,
  before: ServedBefore | undefined,
): Record<string, string> {
  const author = findAuthor(config.metadata, changedTemplate(config, version));
  const change: ConfigChange = { ...author, ...describeBefore(config, version, before) };
  return Object.keys(change).length === 0
    ? {}
    : { [configAnnotations.change]: JSON.stringify(change) };
}

/** The first version needs no note that there was none before it. */
function describeBefore(
  { spec }: DeploymentConfig,
  version: number,
  before: ServedBefore | undefined,
): Pick<ConfigChange, 'wasVersion' | 'was'> {
  if (before === undefined || version <= 1) return {};
  if (before === 'none') return { wasVersion: 0 };
  const was = listImages(before.spec?.template ?? {});
  const isSame = was.join() === listImages(spec.template).join();
  const wasVersion = Number(before.metadata.annotations?.[configAnnotations.version]);
  return { wasVersion, ...(isSame ? {} : { was }) };
}

export function readChange({ metadata }: ReplicationController): ConfigChange {
  const fields = parseFields(metadata.annotations?.[configAnnotations.change] ?? '{}');
  const { was, wasVersion } = fields;
  const areImages = Array.isArray(was) && was.every((image) => typeof image === 'string');
  const isVersion = Number.isSafeInteger(wasVersion) && Number(wasVersion) >= 0;
  return {
    ...readAuthor(fields),
    ...(isVersion ? { wasVersion: Number(wasVersion) } : {}),
    ...(areImages ? { was } : {}),
  };
}
