import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runSlipway } from './slipway-command.js';

export interface LocalStack {
  readonly stateDir: string;
  readonly kubeconfig: string;
  /** With the rights that deploy/ gives the worker, and no more. */
  readonly workerKubeconfig: string;
  readonly temporalAddress: string;
  stop(): Promise<void>;
}

/** A whole stack of its own, in a folder of its own, without a worker. */
export async function startLocalStack(options: readonly string[] = []): Promise<LocalStack> {
  const stateDir = await mkdtemp(join(tmpdir(), 'slipway-test-'));
  const env = { SLIPWAY_STATE_DIR: stateDir };
  const stop = async (): Promise<void> => {
    await runSlipway(['dev', 'down', '--delete-data'], { env });
    await rm(stateDir, { recursive: true, force: true });
  };
  const up = await runSlipway(['dev', 'up', '--no-worker', '--fast-etcd', ...options], { env });
  if (up.code !== 0) {
    await stop();
    throw new Error(`the stack did not come up:\n${up.stdout}\n${up.stderr}`);
  }
  const status = await runSlipway(['dev', 'status', '-o', 'json'], { env });
  const { temporal, clusters } = JSON.parse(status.stdout) as {
    temporal: { address: string };
    clusters: { kubeconfig: string }[];
  };
  const kubeconfig = clusters[0]?.kubeconfig ?? '';
  return {
    stateDir,
    kubeconfig,
    workerKubeconfig: join(stateDir, 'pki', 'worker.kubeconfig'),
    temporalAddress: temporal.address,
    stop,
  };
}
