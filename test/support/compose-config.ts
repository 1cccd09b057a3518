import { execFile } from 'node:child_process';
import { mkdirSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { packageRoot } from './deploy-files.js';

const run = promisify(execFile);

export interface ComposeProject {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly image: string;
        readonly user?: string;
        readonly environment?: Readonly<Record<string, string>>;
        readonly volumes?: readonly { readonly target: string; readonly read_only?: boolean }[];
      }
    >
  >;
}

/** docker-compose.yml as Compose understands it, by `docker compose` where it is, else by its library. */
export async function resolveCompose(environment: NodeJS.ProcessEnv): Promise<ComposeProject> {
  const [command, ...args] = (await hasDockerCompose())
    ? ['docker', 'compose', '--file', 'docker-compose.yml', 'config', '--format', 'json']
    : [await buildLoader(), 'docker-compose.yml'];
  const { stdout } = await run(command, args, {
    cwd: packageRoot,
    env: { PATH: process.env['PATH'], HOME: homedir(), ...environment },
  });
  return JSON.parse(stdout) as ComposeProject;
}

async function hasDockerCompose(): Promise<boolean> {
  try {
    await run('docker', ['compose', 'version']);
    return true;
  } catch {
    return false;
  }
}

async function buildLoader(): Promise<string> {
  const cache = process.env['SLIPWAY_CACHE'] ?? join(homedir(), '.cache', 'slipway');
  const folder = join(cache, 'tests');
  mkdirSync(folder, { recursive: true });
  const binary = join(folder, 'compose-config');
  const unfinished = `${binary}.${process.pid}`;
  await run('go', ['build', '-o', unfinished, '.'], {
    cwd: join(packageRoot, 'toolchain', 'compose'),
    env: { ...process.env, GOFLAGS: '-mod=readonly' },
  });
  renameSync(unfinished, binary);
  return binary;
}
