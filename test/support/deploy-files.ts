import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parseAllDocuments } from 'yaml';

import type { KubernetesObject } from '../../src/kubernetes/objects.js';

export const packageRoot = join(import.meta.dirname, '..', '..');

export const readText = (path: string): string => readFileSync(join(packageRoot, path), 'utf8');

/** The objects of one file, with kinds that `slipway install` doesn't apply itself. */
export function readObjects(path: string): KubernetesObject[] {
  return parseAllDocuments(readText(path)).map((document) => {
    const [problem] = document.errors;
    if (problem !== undefined) throw problem;
    return document.toJS() as KubernetesObject;
  });
}

/** Files with objects for the cluster, by their path in deploy/. */
export function listManifestFiles(): string[] {
  const crds = readdirSync(join(packageRoot, 'deploy', 'crds')).map((file) => `crds/${file}`);
  const others = readdirSync(join(packageRoot, 'deploy')).filter(
    (file) => file.endsWith('.yaml') && file !== 'kustomization.yaml',
  );
  return [...crds, ...others];
}

/** Example: node:24-bookworm-slim, never node or node:latest. */
export const isPinned = (image: string): boolean => /:[^:/]*\d[^:/]*$/.test(image);
