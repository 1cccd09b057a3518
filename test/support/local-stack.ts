import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parse, stringify } from 'yaml';
import { readFile } from 'node:fs/promises';

import { connectCluster } from '../../src/kubernetes/connect.js';
import { runSlipway } from './slipway-command.js';

export interface LocalStack {
  readonly stateDir: string;
  readonly kubeconfig: string;
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
  return { stateDir, kubeconfig, temporalAddress: temporal.address, stop };
}

/** A kubeconfig with which a worker has just the rights that deploy/ gives it. */
export async function writeWorkerKubeconfig(stack: LocalStack): Promise<string> {
  const { client } = connectCluster({ kubeconfig: stack.kubeconfig });
  const path = '/api/v1/namespaces/slipway-system/serviceaccounts/slipway-worker/token';
  const { status } = await client.transport.json<{ status: { token: string } }>({
    method: 'POST',
    path,
    body: { spec: { expirationSeconds: 86_400 } },
  });
  await client.close();
  const config = parse(await readFile(stack.kubeconfig, 'utf8')) as {
    users: { user: Record<string, string> }[];
  };
  for (const entry of config.users) entry.user = { token: status.token };
  const file = join(stack.stateDir, 'worker-kubeconfig');
  await writeFile(file, stringify(config), { mode: 0o600 });
  return file;
}
