import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Client, Connection } from '@temporalio/client';

import type { Progress } from '../src/client/terminal/progress.js';
import { down } from '../src/dev/stack/down.js';
import { layoutOf } from '../src/dev/stack/layout.js';
import { readState } from '../src/dev/stack/state.js';
import { up } from '../src/dev/stack/up.js';
import { ensureToolchain } from '../src/dev/toolchain/ensure-toolchain.js';
import { connectCluster, type Cluster } from '../src/kubernetes/connect.js';
import type { EngineName } from './engine-names.js';
import { createArgoEngine, installArgoCrds } from './engines/argo-engine.js';
import { createBuiltInEngine } from './engines/built-in-engine.js';
import type { Engine } from './engines/engine.js';
import { createSlipwayEngine } from './engines/slipway-engine.js';
import { RunRecords } from './run-records.js';

export interface BenchStack {
  readonly cluster: Cluster;
  readonly clusterPids: readonly number[];
  readonly engines: readonly Engine[];
  /** Leaves nothing running and nothing behind. */
  stop(): Promise<void>;
}

export interface BenchStackOptions {
  readonly engines: readonly EngineName[];
  readonly profiles?: string | undefined;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** One cluster and one Temporal for all engines; none of the engines runs yet. */
export async function startBenchStack(options: BenchStackOptions): Promise<BenchStack> {
  const { progress, signal } = options;
  const stateFolder = mkdtempSync(join(tmpdir(), 'slipway-bench-'));
  const closers: (() => Promise<unknown>)[] = [
    async () => {
      await down({ stateFolder, progress, deleteData: true });
      rmSync(stateFolder, { recursive: true, force: true });
    },
  ];
  const stop = async (): Promise<void> => {
    for (const close of closers.reverse()) await close();
  };
  try {
    const { status } = await up({
      stateFolder,
      progress,
      signal,
      dropIn: true,
      worker: false,
      unsafeNoFsync: true,
    });
    const cluster = connectCluster({ kubeconfig: layoutOf(stateFolder).kubeconfig });
    closers.push(() => cluster.client.close());
    const address = status.temporal?.address ?? '';
    const connection = await Connection.connect({ address });
    closers.push(() => connection.close());
    const temporal = {
      address,
      pid: status.parts.find(({ name }) => name === 'temporal')?.pid ?? 0,
      records: new RunRecords(new Client({ connection })),
    };
    const engines = await Promise.all(
      options.engines.map((name) => createEngine(name, options, stateFolder, cluster, temporal)),
    );
    const clusterPids = status.parts
      .filter(({ name }) => name !== 'temporal')
      .flatMap(({ pid }) => pid ?? []);
    return { cluster, clusterPids, engines, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function createEngine(
  name: EngineName,
  { profiles, progress, signal }: BenchStackOptions,
  stateDir: string,
  cluster: Cluster,
  temporal: Parameters<typeof createSlipwayEngine>[0]['temporal'],
): Promise<Engine> {
  switch (name) {
    case 'slipway': {
      const { settings } = readState(layoutOf(stateDir));
      if (settings === undefined) throw new Error('the stack has gone down');
      return createSlipwayEngine({ stateDir, settings, temporal, profiles });
    }
    case 'built-in':
      return createBuiltInEngine(stateDir);
    case 'argo': {
      const tool = 'argo-rollouts';
      const paths = await ensureToolchain({ tools: [tool], progress, signal });
      await installArgoCrds(cluster.client, paths[tool]);
      return createArgoEngine(stateDir, paths[tool]);
    }
  }
}
