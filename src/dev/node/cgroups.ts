import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';

import { waitUntil } from '../stack/wait-until.js';

const mountPoint = '/sys/fs/cgroup';
/** Beside version 1: nobody limits anything there, but the runtime leaves its traces. */
const unified = join(mountPoint, 'unified');
const goneWithinMs = 10_000;

/** What the kubelet can't do without. */
const neededInVersion1 = ['cpu', 'cpuacct', 'cpuset', 'memory'];
const neededInVersion2 = ['cpu', 'cpuset', 'memory', 'pids'];

/** Below it are the cgroups of one stack's pods, so that the kubelets of two don't meet. */
export const cgroupRoot = (id: string): string => `/slipway-${id}`;

/** Why pods can't be given cgroups here; undefined when they can. */
export function findCgroupProblem(id: string): string | undefined {
  const controllers = join(mountPoint, 'cgroup.controllers');
  const isVersion2 = existsSync(controllers);
  const found = isVersion2
    ? readFileSync(controllers, 'utf8').trim().split(' ')
    : listHierarchies().map((path) => path.slice(mountPoint.length + 1));
  const lacking = (isVersion2 ? neededInVersion2 : neededInVersion1).filter(
    (name) => !found.includes(name),
  );
  if (lacking.length > 0) return `${mountPoint} has no ${lacking.join(', ')}`;
  try {
    ensureCgroups(id);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export function ensureCgroups(id: string): void {
  for (const hierarchy of listHierarchies().filter((path) => path !== unified))
    ensureFolder(join(hierarchy, cgroupRoot(id)));
}

function ensureFolder(path: string): void {
  if (!existsSync(path)) mkdirSync(path);
}

/** Their processes have been ended; the kernel lets go of them a moment later. */
export async function removeCgroups(id: string): Promise<void> {
  const roots = listHierarchies().map((hierarchy) => join(hierarchy, cgroupRoot(id)));
  for (const root of roots) {
    await waitUntil(
      () => {
        removeFromLeaves(root);
        return Promise.resolve(true);
      },
      { withinMs: goneWithinMs },
    );
  }
}

/** The files of a cgroup go with its folder. */
function removeFromLeaves(folder: string): void {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) removeFromLeaves(join(folder, entry.name));
  rmdirSync(folder);
}

/** One in version 2; in version 1 one for each controller, some under several names. */
function listHierarchies(): readonly string[] {
  if (existsSync(join(mountPoint, 'cgroup.controllers'))) return [mountPoint];
  if (!existsSync(mountPoint)) return [];
  return readdirSync(mountPoint)
    .map((name) => join(mountPoint, name))
    .filter((path) => lstatSync(path).isDirectory());
}
