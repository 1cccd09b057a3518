import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';

import { cacheFolder, cachedToolPath, type Environment } from './cache-paths.js';
import { missingCompanion } from './companions.js';
import { decideToolSource, type ToolSource } from './decide-tool-source.js';
import { tools, type AnyToolName } from './tools.js';

const versionWithinMs = 10_000;

export async function findTool(name: AnyToolName, environment: Environment): Promise<ToolSource> {
  const named = environment[tools[name].variable] ?? '';
  if (named !== '') {
    const path = resolve(named);
    return decideToolSource(name, {
      variable: { path, isExecutable: isExecutable(path), lacks: missingCompanion(name, path) },
    });
  }
  const isWhole = (path: string): boolean => missingCompanion(name, path) === undefined;
  const onPath = listOnPath(name, environment).find(isWhole);
  const built = cachedToolPath(cacheFolder(environment), name);
  return decideToolSource(name, {
    onPath:
      onPath === undefined
        ? undefined
        : { path: onPath, versionAnswer: await askVersion(onPath, name) },
    cached: isExecutable(built) && isWhole(built) ? built : undefined,
  });
}

export const findOnPath = (program: string, environment: Environment): string | undefined =>
  listOnPath(program, environment)[0];

function listOnPath(program: string, environment: Environment): readonly string[] {
  return (environment['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => resolve(folder, program))
    .filter(isExecutable);
}

/** A binary that can't even say its version is as good as none. */
function askVersion(path: string, name: AnyToolName): Promise<string> {
  return new Promise((answer) => {
    execFile(path, tools[name].versionArguments, { timeout: versionWithinMs }, (error, stdout) => {
      answer(error === null ? stdout : '');
    });
  });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
