import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { tools, type AnyToolName } from './tools.js';

/** Folders that belong to a tool stand beside its binary, wherever that was found. */
export const companionPath = (toolPath: string, companion: string): string =>
  join(dirname(toolPath), companion);

/** The manifests of Argo Rollouts' CRDs, for the binary that `ensureToolchain` has named. */
export const argoRolloutsCrds = (toolPath: string): string => companionPath(toolPath, 'crds');

/** What a tool at this path lacks; undefined when all of it is there. */
export function missingCompanion(name: AnyToolName, toolPath: string): string | undefined {
  return Object.keys(tools[name].companions ?? {})
    .map((companion) => companionPath(toolPath, companion))
    .find((path) => !existsSync(path));
}
