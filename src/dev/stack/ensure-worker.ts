import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { CommandFailure } from '../../client/failure.js';
import { packageRoot } from '../package-root.js';
import type { PartCommand } from './commands.js';
import { localClusterName } from './ensure-cluster.js';
import { ensurePart } from './ensure-part.js';
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
    command: () => workerCommand(session.settings, target),
    build: buildIdentity(),
    inherited: inheritedEnvironment(session.settings),
    beforeStart: install,
    readyWithinMs: 60_000,
    isReady: (_ports, output) => Promise.resolve(saysReady(output)),
  });
}

export function workerCommand(settings: StackSettings, target: WorkerTarget): PartCommand {
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

/** The user's Temporal is reached with the user's settings; ours must not be, they are for another. */
function inheritedEnvironment(settings: StackSettings): Record<string, string> {
  const all = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  if (settings.temporalAddress !== undefined) return Object.fromEntries(all);
  const kept = all.filter(([name]) => !name.startsWith('TEMPORAL_'));
  return { ...Object.fromEntries(kept), TEMPORAL_CONFIG_FILE: '/dev/null' };
}

/** Changes with the sources, so that a worker of older ones is started anew. */
function buildIdentity(): string {
  const record = existsSync(buildRecord) ? readFileSync(buildRecord) : '';
  return createHash('sha256').update(record).digest('hex').slice(0, 16);
}
