import { findOnPath } from '../toolchain/find-tool.js';
import { findCgroupProblem, removeCgroups } from './cgroups.js';
import {
  nodePrograms,
  pluginFolders,
  pluginPackage,
  plugins,
  type HostSighting,
} from './judge-host.js';
import { systemPath } from './run-tool.js';

/** Looks at this machine, and leaves it as it was. */
export async function observeHost(id: string): Promise<HostSighting> {
  const { platform } = process;
  const isRoot = process.getuid?.() === 0;
  const missingPackages = platform === 'linux' ? findMissingPackages() : [];
  const canTry = platform === 'linux' && isRoot && missingPackages.length === 0;
  return {
    platform,
    isRoot,
    missingPackages,
    cgroupProblem: canTry ? await tryCgroups(id) : undefined,
  };
}

export const findProgram = (name: string): string | undefined =>
  findOnPath(name, { PATH: systemPath(process.env['PATH']) });

export const findPluginFolder = (): string | undefined =>
  pluginFolders.find((folder) =>
    plugins.every((name) => findOnPath(name, { PATH: folder }) !== undefined),
  );

function findMissingPackages(): readonly string[] {
  const missing = Object.entries(nodePrograms)
    .filter(([, programs]) => programs.some((name) => findProgram(name) === undefined))
    .map(([name]) => name);
  return findPluginFolder() === undefined ? [...missing, pluginPackage] : missing;
}

async function tryCgroups(id: string): Promise<string | undefined> {
  const trial = `${id}-trial`;
  const problem = findCgroupProblem(trial);
  await removeCgroups(trial);
  return problem;
}
