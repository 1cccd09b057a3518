import { join } from 'node:path';

import { createProgress } from '../../src/client/terminal/progress.js';
import { pkiFiles } from '../../src/dev/pki/pki-files.js';
import { controllerManagerCommand } from '../../src/dev/stack/commands.js';
import { layoutOf } from '../../src/dev/stack/layout.js';
import { loopback, pickFreePort } from '../../src/dev/stack/ports.js';
import { probe } from '../../src/dev/stack/probe.js';
import { ensureToolchain } from '../../src/dev/toolchain/ensure-toolchain.js';
import { startServerProcess, type ServerProcess } from './server-process.js';

export interface BuiltInControllerOptions {
  /** Where the stack is, which has to run with `--drop-in`: one Deployment controller at a time. */
  readonly stateDir: string;
  readonly signal?: AbortSignal | undefined;
}

const deploymentSyncs = 20;

/**
 * The built-in Deployment controller, alone, in a process of its own beside the stack's controller
 * manager, which does without it. Resolves when it watches.
 */
export async function startBuiltInController({
  stateDir,
  signal,
}: BuiltInControllerOptions): Promise<ServerProcess> {
  const layout = layoutOf(stateDir);
  const tool = 'kube-controller-manager';
  const progress = createProgress(process.stderr);
  const paths = await ensureToolchain({ tools: [tool], progress, signal });
  const port = await pickFreePort();
  const whole = controllerManagerCommand(paths[tool], layout, { https: port }, true);
  const authority = pkiFiles(layout.pki).clusterAuthority;
  return startServerProcess({
    name: 'the built-in controller',
    command: {
      ...whole,
      arguments: [
        ...whole.arguments.filter((word) => !word.startsWith('--controllers=')),
        '--controllers=deployment-controller',
        `--concurrent-deployment-syncs=${deploymentSyncs}`,
      ],
    },
    log: join(layout.logs, 'built-in-controller.log'),
    isReady: async (output) =>
      saysWatching(output) && (await probe(`https://${loopback}:${port}/healthz`, { authority })),
    signal,
  });
}

/**
 * Its log doesn't say whose watches are up to date: all that were begun have to be, the controller's
 * own among them.
 */
export function saysWatching(output: string): boolean {
  const lines = output.split('\n');
  const start = lines.findIndex((line) =>
    line.endsWith('"Starting controller" controller="deployment"'),
  );
  if (start === -1) return false;
  const begun = lines.filter(isBegun).length;
  const done = lines.filter((line) => line.includes('"Caches are synced"')).length;
  return lines.slice(start).some(isBegun) && done >= begun;
}

const isBegun = (line: string): boolean => line.includes('"Waiting for caches to sync"');
