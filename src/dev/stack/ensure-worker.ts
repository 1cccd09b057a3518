import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { CommandFailure } from '../../client/failure.js';
import { packageRoot } from '../package-root.js';
import type { PartCommand } from './commands.js';
import { localClusterName } from './ensure-cluster.js';
import { ensurePart } from './ensure-part.js';
import type { PortsOf } from './parts.js';
import { loopback } from './ports.js';
import type { Session } from './session.js';
import type { StackSettings } from './state.js';

const program = join(packageRoot, 'dist', 'client', 'main.js');
const buildRecord = join(packageRoot, 'dist', '.tsbuildinfo');

export interface WorkerTarget {
  readonly kubeconfig: string;
  readonly temporalAddress: string;
  readonly namespace: string;
}

/** Starts the worker, after what it needs is installed, unless it already runs as it should. */
export async function ensureWorker(
  session: Session,
  target: WorkerTarget,
  install: () => Promise<void>,
): Promise<void> {
  if (!existsSync(program)) {
    throw new CommandFailure(`the worker is not built: ${program} is missing; run "npm run build"`);
  }
  await ensurePart(session, {
    name: 'worker',
    command: (ports) => workerCommand(session.settings, target, ports),
    build: buildIdentity(target.kubeconfig),
    inherited: inheritedEnvironment(session),
    beforeStart: install,
    readyWithinMs: 60_000,
    // What one that runs said at its start may be far up in its log, or gone.
    isReady: (_ports, output) => Promise.resolve(output === undefined || saysReady(output)),
  });
}

export function workerCommand(
  settings: StackSettings,
  target: WorkerTarget,
  /** Without one there is no HTTP API. */
  ports?: PortsOf<'worker'>,
): PartCommand {
  const ownCluster = settings.kubeconfig !== undefined;
  return {
    program: process.execPath,
    arguments: [
      program,
      'worker',
      ...(ownCluster
        ? [`--kubeconfig=${target.kubeconfig}`]
        : [`--cluster-name=${localClusterName}`]),
      ...(settings.context === undefined ? [] : [`--context=${settings.context}`]),
      ...(settings.dropIn ? ['--drop-in'] : []),
      ...(ports === undefined ? [] : [`--http-address=${loopback}:${ports.http}`]),
    ],
    environment: {
      KUBECONFIG: target.kubeconfig,
      TEMPORAL_ADDRESS: target.temporalAddress,
      TEMPORAL_NAMESPACE: target.namespace,
    },
  };
}

/** The worker logs a JSON object per line. */
export function saysReady(output: string): boolean {
  return output.split('\n').some((line) => line.includes('"msg":"worker is ready"'));
}

/**
 * The user's Temporal is reached with the user's settings. Ours is not: they are for another, so an
 * empty profile stands in for theirs.
 */
function inheritedEnvironment({ settings, layout }: Session): Record<string, string> {
  const all = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  if (settings.temporalAddress !== undefined) return Object.fromEntries(all);
  writeFileSync(layout.temporalProfile, '[profile.default]\n', { mode: 0o600 });
  const kept = all.filter(([name]) => !name.startsWith('TEMPORAL_'));
  return { ...Object.fromEntries(kept), TEMPORAL_CONFIG_FILE: layout.temporalProfile };
}

/** Changes with the sources and with the credentials: a worker of older ones is started anew. */
function buildIdentity(kubeconfig: string): string {
  const hash = createHash('sha256');
  for (const path of [buildRecord, kubeconfig])
    if (existsSync(path)) hash.update(readFileSync(path));
  return hash.digest('hex').slice(0, 16);
}
