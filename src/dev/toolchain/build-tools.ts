import { execFile } from 'node:child_process';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { CommandFailure } from '../../client/failure.js';
import type { Progress } from '../../client/terminal/progress.js';
import {
  buildLogPath,
  cachedToolPath,
  cacheFolder,
  scratchFolder,
  type Environment,
} from './cache-paths.js';
import { companionPath } from './companions.js';
import { copySource } from './copy-source.js';
import { explainGoFailure } from './explain-go-failure.js';
import { findOnPath } from './find-tool.js';
import { freeBytes, judgeFreeSpace } from './free-space.js';
import {
  buildDownloadCommand,
  buildGoCommands,
  goEnvironment,
  sourceFolder,
  type GoCommand,
} from './go-command.js';
import { explainMissingGo, judgeGo, type GoSettings } from './judge-go.js';
import { runGo } from './run-go.js';
import { recipes, tools, type RecipeName, type AnyToolName } from './tools.js';

const run = promisify(execFile);

export interface BuildOptions {
  readonly environment: Environment;
  readonly progress: Progress;
  readonly signal?: AbortSignal | undefined;
}

interface Build {
  readonly recipe: RecipeName;
  readonly names: readonly AnyToolName[];
}

/** Builds tools into the cache. Whoever calls it holds the cache's lock. */
export async function buildTools(
  names: readonly AnyToolName[],
  options: BuildOptions,
): Promise<void> {
  const cache = cacheFolder(options.environment);
  const go = findOnPath('go', options.environment);
  if (go === undefined) throw new CommandFailure(explainMissingGo(names));
  // What a killed build has left: nobody else writes here while the lock is held.
  const scratch = scratchFolder(cache);
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
  try {
    const settings = await askGoSettings(go, scratch, options.environment);
    const folders = [cache, settings.GOCACHE ?? '', settings.GOMODCACHE ?? ''].filter(isNotEmpty);
    const builds = planBuilds(names);
    const tooOld = judgeGo(settings, go);
    if (tooOld !== undefined) throw new CommandFailure(tooOld);
    const tooFull = judgeFreeSpace(
      builds.map(({ recipe }) => recipe),
      folders.map((path) => ({ path, freeBytes: freeBytes(path) })),
    );
    if (tooFull !== undefined) throw new CommandFailure(tooFull);
    options.progress.note(
      `building ${names.length === 1 ? 'a tool' : `${names.length} tools`} into ${cache}: this takes some minutes, once`,
    );
    for (const [index, build] of builds.entries()) {
      const title = `${describeBuild(build)}, build ${index + 1} of ${builds.length}`;
      await options.progress.step(title, (update) =>
        runBuild(build, { ...options, go, cache, folders, update }),
      );
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Tools of one recipe are compiled together: most of their packages are the same. */
export function planBuilds(names: readonly AnyToolName[]): readonly Build[] {
  return (Object.keys(recipes) as RecipeName[])
    .map((recipe) => ({ recipe, names: names.filter((name) => tools[name].recipe === recipe) }))
    .filter((build) => build.names.length > 0);
}

interface BuildContext extends BuildOptions {
  readonly go: string;
  readonly cache: string;
  readonly folders: readonly string[];
  readonly update: (detail: string) => void;
}

async function runBuild(build: Build, context: BuildContext): Promise<void> {
  const { recipe, names } = build;
  const { cache, environment } = context;
  const output = join(scratchFolder(cache), recipe);
  mkdirSync(output, { recursive: true });
  rmSync(buildLogPath(cache, recipe), { force: true });
  const call = createCaller(build, context);
  await fetchSource(recipe, output, environment, call);
  for (const command of buildGoCommands(recipe, names, output, environment)) await call(command);
  for (const name of names) moveIntoCache(name, output, cache);
}

/** Calls go for a build: with its progress, its log, and its failure as one sentence. */
function createCaller(
  { recipe, names }: Build,
  context: BuildContext,
): (command: GoCommand) => Promise<string> {
  const logPath = buildLogPath(context.cache, recipe);
  let compiled = 0;
  const onLine = (line: string): void => {
    const download = /^go: downloading (\S+)/.exec(line);
    if (download === null && isPackage(line)) compiled += 1;
    context.update(
      download === null ? `${compiled} packages compiled` : `downloading ${download[1] ?? ''}`,
    );
  };
  return async (command) => {
    const result = await runGo(context.go, command, logPath, onLine, context.signal);
    if (result.succeeded) return result.answer;
    const { sentence } = explainGoFailure(result.output, context.folders);
    throw new CommandFailure(`${names.join(', ')} can't be built: ${sentence} (log: ${logPath})`);
  };
}

/** Where a recipe builds in a copy of a module's source: makes that copy. */
async function fetchSource(
  recipeName: RecipeName,
  output: string,
  environment: Environment,
  call: (command: GoCommand) => Promise<string>,
): Promise<void> {
  const recipe = recipes[recipeName];
  if (recipe.kind !== 'go-source') return;
  const { module, moduleVersion } = recipe;
  const answer = await call(buildDownloadCommand(module, moduleVersion, output, environment));
  const { Dir: folder } = JSON.parse(answer) as { readonly Dir: string };
  copySource(folder, sourceFolder(output));
}

/** The binary comes last: what is found is whole. */
function moveIntoCache(name: AnyToolName, output: string, cache: string): void {
  const target = cachedToolPath(cache, name);
  mkdirSync(dirname(target), { recursive: true });
  for (const [companion, folder] of Object.entries(tools[name].companions ?? {})) {
    const place = companionPath(target, companion);
    rmSync(place, { recursive: true, force: true });
    renameSync(join(sourceFolder(output), folder), place);
  }
  renameSync(join(output, name), target);
}

/** Go names the packages that it compiles, one per line, among what else it says. */
const isPackage = (line: string): boolean => /^[\w.~-]+(\/[\w.~-]+)*( \[\S+\])?$/.test(line);

function describeBuild({ names }: Build): string {
  const versions = new Set(names.map((name) => tools[name].version));
  return `${names.join(', ')} ${[...versions].join(', ')}`;
}

async function askGoSettings(
  go: string,
  folder: string,
  environment: Environment,
): Promise<GoSettings> {
  try {
    const { stdout } = await run(
      go,
      ['env', '-json', 'GOVERSION', 'GOTOOLCHAIN', 'GOCACHE', 'GOMODCACHE'],
      { cwd: folder, env: goEnvironment(environment) },
    );
    return JSON.parse(stdout) as GoSettings;
  } catch (error) {
    const why = error instanceof Error ? error.message.trim() : String(error);
    throw new CommandFailure(`go: ${go} does not run: ${why}`, undefined, { cause: error });
  }
}

const isNotEmpty = (text: string): boolean => text !== '';
