import { parseAllDocuments, type Tags } from 'yaml';

import type { Source } from './read-sources.js';

/** A value of a file, and where it is there. */
export interface Located {
  readonly source: string;
  /** The beginning of a sentence, after the file's name. Example: "document 2: items[0]: " */
  readonly where: string;
  readonly value: unknown;
}

export interface ParsedDocuments {
  readonly values: readonly Located[];
  /** A sentence for each thing that is wrong. */
  readonly mistakes: readonly string[];
}

/** Every document of a YAML or JSON text that is not empty. */
export function parseDocuments({ name, text }: Source): ParsedDocuments {
  const documents = parseAllDocuments(text, { version: '1.1', customTags: kubernetesTags });
  const values: Located[] = [];
  const mistakes: string[] = [];
  if (!Array.isArray(documents)) return { values, mistakes };
  documents.forEach((document, index) => {
    const [error] = document.errors;
    if (error !== undefined) {
      const line = error.linePos?.[0].line;
      const problem = error.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '');
      mistakes.push(`${name}: ${line === undefined ? '' : `line ${line}: `}${problem ?? ''}`);
      return;
    }
    const value: unknown = document.toJS();
    if (value === null || value === undefined) return;
    const where = documents.length === 1 ? '' : `document ${index + 1}: `;
    values.push({ source: name, where, value });
  });
  return { values, mistakes };
}

/** Kubernetes reads YAML 1.1, where 0644 is octal and `on` is true, but no times of day or dates. */
function kubernetesTags(tags: Tags): Tags {
  return tags.filter(
    (tag) =>
      typeof tag === 'string' ||
      !(tag.tag === 'tag:yaml.org,2002:timestamp' || ('format' in tag && tag.format === 'TIME')),
  );
}
