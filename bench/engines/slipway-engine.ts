import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { pkiFiles } from '../../src/dev/pki/pki-files.js';
import { saysReady, workerCommand } from '../../src/dev/stack/ensure-worker.js';
import { layoutOf } from '../../src/dev/stack/layout.js';
import type { StackSettings } from '../../src/dev/stack/state.js';
import { startServerProcess } from '../../test/support/server-process.js';
import type { RunRecords } from '../run-records.js';
import type { Engine } from './engine.js';

export interface SlipwayEngineOptions {
  readonly stateDir: string;
  readonly settings: StackSettings;
  readonly temporal: {
    readonly address: string;
    readonly pid: number;
    readonly records: RunRecords;
  };
  /** Where each worker leaves a profile of its CPU time when it ends. */
  readonly profiles?: string | undefined;
}

/** The worker as the local stack would start it, with the rights that deploy/ gives it. */
export function createSlipwayEngine(options: SlipwayEngineOptions): Engine {
  const layout = layoutOf(options.stateDir);
  const { temporal, profiles } = options;
  const command = workerCommand(options.settings, {
    kubeconfig: pkiFiles(layout.pki).worker.kubeconfig,
    temporalAddress: temporal.address,
    namespace: 'default',
  });
  const profiling = profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
  return {
    name: 'slipway',
    workload: 'deployment',
    temporal,
    start: (signal) => {
      writeFileSync(layout.temporalProfile, '[profile.default]\n', { mode: 0o600 });
      return startServerProcess({
        name: 'the worker',
        command: { ...command, arguments: [...profiling, ...command.arguments] },
        inherited: inheritedEnvironment(layout.temporalProfile),
        log: join(layout.logs, 'worker.log'),
        isReady: (output) => Promise.resolve(saysReady(output) && saysWatching(output)),
        signal,
      });
    },
  };
}

const saysWatching = (output: string): boolean => output.includes('"msg":"watching the cluster"');

/** The user's own settings for Temporal are for another one. */
function inheritedEnvironment(profile: string): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !entry[0].startsWith('TEMPORAL_'),
  );
  return { ...Object.fromEntries(kept), TEMPORAL_CONFIG_FILE: profile };
}
