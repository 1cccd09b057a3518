import type { Author } from '../domain/shared/author.js';
import { defined } from '../domain/shared/optional.js';
import type { Revision } from '../domain/shared/revision.js';
import { computeTemplateHash } from '../domain/shared/template-hash.js';
import { annotations } from './deployments/annotations.js';
import { withoutHash } from './deployments/same-template.js';
import type { PodTemplate } from './objects.js';
import { parseFields } from './parse-fields.js';

/** A template, and the revision that it is to become. */
export interface ChangedTemplate {
  readonly template: PodTemplate;
  readonly next: Revision;
  /** Containers whose images are filled in by others than the template's author. */
  readonly filled?: readonly string[];
}

/**
 * The annotation that says who has written this template. It names the template and the revision, so that
 * it is not taken for a word about what somebody else writes later.
 */
export function writeChangeNote(author: Author, changed: ChangedTemplate): Record<string, string> {
  const { by, manager, reason } = author;
  const template = hashOf(changed);
  const note = { ...defined({ by, manager, reason }), template, next: changed.next };
  return { [annotations.changedBy]: JSON.stringify(note) };
}

/** Who is said to have written this very template; undefined where nobody says so. */
export function readChangeNote(
  own: Readonly<Record<string, string>> | undefined,
  changed: ChangedTemplate,
): Author | undefined {
  const text = own?.[annotations.changedBy];
  if (text === undefined) return undefined;
  const { template, next, ...note } = parseFields(text);
  if (template !== hashOf(changed) || next !== changed.next) return undefined;
  return readAuthor(note);
}

/** Of the fields that say who has written something, those that do. */
export function readAuthor(fields: Readonly<Record<string, unknown>>): Author {
  const textOf = (name: keyof Author): string | undefined => {
    const value = fields[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  return defined({ by: textOf('by'), manager: textOf('manager'), reason: textOf('reason') });
}

/** Whether both are the same as far as the author is concerned. */
export const isSameChange = (a: ChangedTemplate, b: ChangedTemplate): boolean =>
  hashOf(a) === hashOf(b);

/** Of what the author has written, so that both sides get the same. */
function hashOf({ template, filled = [] }: ChangedTemplate): string {
  const { spec, ...rest } = withoutHash(template);
  if (spec === undefined) return computeTemplateHash(rest);
  const mask = <T extends { name: string; image?: string }>(container: T): T =>
    filled.includes(container.name) ? { ...container, image: '' } : container;
  const { containers, initContainers } = spec;
  const masked = defined({
    containers: containers.map(mask),
    initContainers: initContainers?.map(mask),
  });
  return computeTemplateHash({ ...rest, spec: { ...spec, ...masked } });
}
