import { badInput } from '../../client/failure.js';
import type { Progress } from '../../client/terminal/progress.js';
import { withFileLock } from '../file-lock.js';
import { buildTools } from './build-tools.js';
import { buildLockPath, cacheFolder, type Environment } from './cache-paths.js';
import type { ToolSource } from './decide-tool-source.js';
import { findTool } from './find-tool.js';
import type { AnyToolName } from './tools.js';

export interface ToolchainOptions<Name extends AnyToolName> {
  readonly tools: readonly Name[];
  readonly progress: Progress;
  /** @default process.env */
  readonly environment?: Environment | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The paths of the tools: each found where the user or the system has it, else built once. */
export async function ensureToolchain<Name extends AnyToolName>(
  options: ToolchainOptions<Name>,
): Promise<Readonly<Record<Name, string>>> {
  const { tools, progress, signal, environment = process.env } = options;
  const first = await findTools(tools, environment);
  if (first.missing.length === 0) return first.paths;
  const cache = cacheFolder(environment);
  const onWait = ({ pid }: { pid: number }): void => {
    progress.note(`another slipway (process ${pid}) is building the tools: waiting for it`);
  };
  await withFileLock(buildLockPath(cache), { onWait, signal }, async () => {
    // Whoever held the lock before may have built what was missing.
    const { missing } = await findTools(tools, environment);
    if (missing.length > 0) await buildTools(missing, { environment, progress, signal });
  });
  return (await findTools(tools, environment)).paths;
}

interface Findings<Name extends AnyToolName> {
  readonly paths: Readonly<Record<Name, string>>;
  readonly missing: readonly Name[];
}

async function findTools<Name extends AnyToolName>(
  names: readonly Name[],
  environment: Environment,
): Promise<Findings<Name>> {
  const sources = await Promise.all(
    names.map(async (name): Promise<readonly [Name, ToolSource]> => [
      name,
      await findTool(name, environment),
    ]),
  );
  const paths: Partial<Record<Name, string>> = {};
  const missing: Name[] = [];
  for (const [name, source] of sources) {
    if (source.kind === 'invalid') throw badInput(source.message);
    if (source.kind === 'build') missing.push(name);
    else paths[name] = source.path;
  }
  return { paths: paths as Record<Name, string>, missing };
}
