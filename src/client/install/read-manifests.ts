import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { parseAllDocuments } from 'yaml';

import type { KubernetesObject } from '../../kubernetes/objects.js';
import { resources, type ResourceType } from '../../kubernetes/resources.js';

export interface Manifest {
  readonly type: ResourceType;
  readonly object: KubernetesObject;
}

/** The same folder from src/ and from dist/, which are side by side. */
const deployFolder = new URL('../../../deploy/', import.meta.url);

/** Example: rbac.yaml -> the objects in it; crds -> those of each file in that folder, by name. */
export function readManifests(path: string): Manifest[] {
  const location = new URL(path, deployFolder);
  if (path.endsWith('.yaml')) return parseManifests(path, readFileSync(location, 'utf8'));
  return readdirSync(fileURLToPath(location))
    .sort()
    .flatMap((file) => readManifests(`${path}/${file}`));
}

export function parseManifests(file: string, text: string): Manifest[] {
  return parseAllDocuments(text).map((document) => {
    const [problem] = document.errors;
    if (problem !== undefined) throw new Error(`${file}: ${problem.message}`);
    const object = document.toJS() as KubernetesObject;
    const type = Object.values(resources).find(
      ({ apiVersion, kind }) => apiVersion === object.apiVersion && kind === object.kind,
    );
    if (type === undefined) {
      throw new Error(
        `${file}: ${object.apiVersion ?? ''} ${object.kind ?? ''} is not a known kind`,
      );
    }
    return { type, object };
  });
}
