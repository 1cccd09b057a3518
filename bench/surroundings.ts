import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';

import { packageRoot } from '../src/dev/package-root.js';
import { tools } from '../src/dev/toolchain/tools.js';

/** What the figures depend on beside the engines. */
export interface Surroundings {
  readonly measuredAt: string;
  readonly cores: number;
  readonly processor: string;
  readonly memoryGigabytes: number;
  readonly versions: Readonly<
    Record<'slipway' | 'kubernetes' | 'argoRollouts' | 'temporal' | 'node', string>
  >;
}

export function readSurroundings(now: Date): Surroundings {
  const manifest = readFileSync(join(packageRoot, 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { readonly version: string };
  return {
    measuredAt: now.toISOString(),
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    memoryGigabytes: Math.round(totalmem() / 1e9),
    versions: {
      slipway: version,
      kubernetes: tools['kube-controller-manager'].version,
      argoRollouts: tools['argo-rollouts'].version,
      temporal: tools.temporal.version,
      node: process.versions.node,
    },
  };
}
