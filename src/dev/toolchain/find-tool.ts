import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';

import { cacheFolder, cachedToolPath, type Environment } from './cache-paths.js';
import { decideToolSource, type ToolSource } from './decide-tool-source.js';
import { tools, type ToolName } from './tools.js';

const versionWithinMs = 10_000;

export async function findTool(name: ToolName, environment: Environment): Promise<ToolSource> {
  const named = environment[tools[name].variable] ?? '';
  if (named !== '') {
    const path = resolve(named);
    return decideToolSource(name, { variable: { path, isExecutable: isExecutable(path) } });
  }
  const onPath = findOnPath(name, environment);
  const built = cachedToolPath(cacheFolder(environment), name);
  return decideToolSource(name, {
    onPath:
      onPath === undefined
        ? undefined
        : { path: onPath, versionAnswer: await askVersion(onPath, name) },
    cached: isExecutable(built) ? built : undefined,
  });
}

export function findOnPath(program: string, environment: Environment): string | undefined {
  return (environment['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => resolve(folder, program))
    .find(isExecutable);
}

/** A binary that can't even say its version is as good as none. */
function askVersion(path: string, name: ToolName): Promise<string> {
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
