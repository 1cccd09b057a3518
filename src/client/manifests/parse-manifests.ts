import { parseAllDocuments, type Tags } from 'yaml';

import type { KubernetesObject } from '../../kubernetes/objects.js';
import type { ResourceType } from '../../kubernetes/resources.js';
import { findKind, kinds } from '../kinds.js';
import type { Source } from './read-sources.js';

/** One object of a file, of a kind that can be deployed. */
export interface Manifest {
  readonly source: string;
  readonly type: ResourceType;
  readonly object: KubernetesObject;
}

export interface ParsedManifests {
  readonly manifests: readonly Manifest[];
  /** A sentence for each thing that is wrong. */
  readonly mistakes: readonly string[];
}

/** Every object of the sources; nothing is asked of the cluster here. */
export function parseManifests(sources: readonly Source[]): ParsedManifests {
  const manifests: Manifest[] = [];
  const mistakes: string[] = [];
  for (const source of sources) {
    const { values, syntaxMistakes } = parseDocuments(source);
    mistakes.push(...syntaxMistakes);
    for (const { where, value } of values) {
      const result = checkObject(source.name, where, value);
      if (typeof result === 'string') mistakes.push(result);
      else manifests.push(result);
    }
  }
  if (manifests.length === 0 && mistakes.length === 0) {
    const names = sources.map(({ name }) => name).join(', ');
    mistakes.push(`${names}: there is nothing to deploy`);
  }
  return { manifests, mistakes };
}

/** Example of a sentence's beginning: web.yaml: Deployment web */
export function titleOf({ source, object }: Manifest): string {
  return `${source}: ${object.kind ?? 'object'} ${object.metadata.name}`;
}

interface Located {
  readonly where: string;
  readonly value: unknown;
}

function parseDocuments({ name, text }: Source) {
  const documents = parseAllDocuments(text, { version: '1.1', customTags: kubernetesTags });
  const values: Located[] = [];
  const syntaxMistakes: string[] = [];
  if (!Array.isArray(documents)) return { values, syntaxMistakes };
  documents.forEach((document, index) => {
    const [error] = document.errors;
    if (error !== undefined) {
      const line = error.linePos?.[0].line;
      const problem = error.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '');
      syntaxMistakes.push(`${name}: ${line === undefined ? '' : `line ${line}: `}${problem ?? ''}`);
      return;
    }
    const value: unknown = document.toJS();
    if (value === null || value === undefined) return;
    const where = documents.length === 1 ? '' : `document ${index + 1}: `;
    values.push(...unpackList(where, value));
  });
  return { values, syntaxMistakes };
}

/** Kubernetes reads YAML 1.1, where 0644 is octal and `on` is true, but no times of day or dates. */
function kubernetesTags(tags: Tags): Tags {
  return tags.filter(
    (tag) =>
      typeof tag === 'string' ||
      !(tag.tag === 'tag:yaml.org,2002:timestamp' || ('format' in tag && tag.format === 'TIME')),
  );
}

function unpackList(where: string, value: unknown): Located[] {
  if (!isMap(value) || value['kind'] !== 'List' || !Array.isArray(value['items'])) {
    return [{ where, value }];
  }
  return value['items'].map((item: unknown, index) => ({
    where: `${where}items[${index}]: `,
    value: item,
  }));
}

function checkObject(source: string, where: string, value: unknown): Manifest | string {
  const start = `${source}: ${where}`;
  if (!isMap(value)) return `${start}a Kubernetes object should be a map of fields`;
  const { apiVersion, kind, metadata } = value;
  if (!isText(apiVersion)) return `${start}apiVersion: is required`;
  if (!isText(kind)) return `${start}kind: is required`;
  const name = isMap(metadata) ? metadata['name'] : undefined;
  if (!isText(name)) return `${start}${kind}: metadata.name: is required`;
  const namespace = isMap(metadata) ? metadata['namespace'] : undefined;
  if (namespace !== undefined && !isText(namespace)) {
    return `${start}${kind} ${name}: metadata.namespace: must be a name`;
  }
  const found = findKind(apiVersion, kind);
  if (found === undefined)
    return `${start}${kind} ${name}: ${explainUnknownKind(apiVersion, kind)}`;
  return { source, type: found.type, object: value as unknown as KubernetesObject };
}

function explainUnknownKind(apiVersion: string, kind: string): string {
  const sameKind = kinds.filter(({ type }) => type.kind === kind);
  if (sameKind.length > 0) {
    const versions = sameKind.map(({ type }) => type.apiVersion).join(' or ');
    return `apiVersion: "${apiVersion}" should be ${versions}`;
  }
  const known = [...new Set(kinds.map(({ type }) => type.kind))].join(', ');
  return `kind: Slipway doesn't deploy ${kind} of ${apiVersion}, only ${known}`;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
