import type { KubernetesObject } from '../../kubernetes/objects.js';
import type { ResourceType } from '../../kubernetes/resources.js';
import { dropClusterFields } from './drop-cluster-fields.js';
import { isMap, isText } from './json-value.js';
import { convertObjects } from './openshift/convert-objects.js';
import { parseDocuments, type Located } from './parse-documents.js';
import type { Source } from './read-sources.js';
import { readable, type GeneratedValue } from './templates/generated-value.js';
import { findUnknownParams } from './templates/param-options.js';
import { unpackObjects } from './unpack-objects.js';

/** One object of a file, before the cluster has told how its kind is addressed. */
export interface Draft {
  readonly source: string;
  readonly object: KubernetesObject & { readonly apiVersion: string; readonly kind: string };
}

/** One object of a file that can be applied. */
export interface Manifest extends Draft {
  readonly type: ResourceType;
}

export interface ParsedManifests {
  readonly drafts: readonly Draft[];
  /** Parameters whose values are yet to be found in the cluster, or to be generated. */
  readonly generated: readonly GeneratedValue[];
  /** A sentence for each thing that is wrong. */
  readonly mistakes: readonly string[];
  /** A sentence for each thing that was left out. */
  readonly notes: readonly string[];
}

export interface ParseOptions {
  /** Values for the parameters of Templates. */
  readonly params?: ReadonlyMap<string, string>;
  /** Where the images of an ImageStream are, by its name. */
  readonly imageRepositories?: ReadonlyMap<string, string>;
}

/** Every object of the sources; nothing is asked of the cluster here. */
export function parseManifests(
  sources: readonly Source[],
  { params = new Map(), imageRepositories = new Map() }: ParseOptions = {},
): ParsedManifests {
  const documents = sources.map(parseDocuments);
  const values = documents.flatMap((document) => document.values);
  const unpacked = unpackObjects(values, params);
  const converted = convertObjects(unpacked.objects, imageRepositories);
  const checked = converted.objects.map(checkObject);
  const drafts = checked.filter((result) => typeof result !== 'string');
  const mistakes = [
    ...documents.flatMap((document) => document.mistakes),
    ...findUnknownParams(params.keys(), unpacked.parameterNames),
    ...unpacked.mistakes,
    ...converted.mistakes,
    ...checked.filter((result) => typeof result === 'string'),
  ];
  if (drafts.length === 0 && mistakes.length === 0) {
    mistakes.push(`${sources.map(({ name }) => name).join(', ')}: there is nothing to deploy`);
  }
  return { drafts, generated: unpacked.generated, mistakes, notes: converted.notes };
}

/** Example of a sentence's beginning: web.yaml: Deployment web */
export function titleOf({ source, object }: Draft): string {
  return readable(`${source}: ${object.kind} ${object.metadata.name}`);
}

/** The end of a sentence about an object that others of the same files need. */
export const mustComeFirst =
  'has to be deployed before these files, because everything is checked before anything changes';

function checkObject({ source, where, value }: Located): Draft | string {
  const start = `${source}: ${where}`;
  if (!isMap(value)) return `${start}a Kubernetes object should be a map of fields`;
  const { apiVersion, kind, metadata } = value;
  if (!isText(apiVersion)) return `${start}apiVersion: is required`;
  if (!isText(kind)) return `${start}kind: is required`;
  const { name, generateName, namespace } = isMap(metadata) ? metadata : {};
  if (!isText(name)) {
    return isText(generateName)
      ? `${start}${kind}: metadata.generateName: each deploy would create one more: give it a metadata.name`
      : `${start}${kind}: metadata.name: is required`;
  }
  if (namespace !== undefined && namespace !== null && typeof namespace !== 'string') {
    return readable(`${start}${kind} ${name}: metadata.namespace: must be a name`);
  }
  return { source, object: dropClusterFields(value) as unknown as Draft['object'] };
}
