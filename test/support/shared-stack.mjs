// Plain JavaScript with nothing to import from the sources: jest loads it before it can transform.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../dist/client/main.js', import.meta.url));

/** One stack for all end-to-end tests, whose worker has the rights that deploy/ gives it and no more. */
export function startSharedStack(...options) {
  const stateDir = mkdtempSync(join(tmpdir(), 'slipway-e2e-'));
  process.env.SLIPWAY_E2E_STATE_DIR = stateDir;
  try {
    dev(stateDir, 'up', '--drop-in', '--fast-etcd', ...options);
  } catch (error) {
    stopSharedStack();
    throw error;
  }
  const { temporal, clusters, worker } = JSON.parse(dev(stateDir, 'status', '-o', 'json'));
  process.env.SLIPWAY_E2E_KUBECONFIG = clusters[0].kubeconfig;
  process.env.SLIPWAY_E2E_TEMPORAL_ADDRESS = temporal.address;
  process.env.SLIPWAY_E2E_HTTP = worker.http;
}

export function stopSharedStack() {
  const stateDir = process.env.SLIPWAY_E2E_STATE_DIR;
  delete process.env.SLIPWAY_E2E_STATE_DIR;
  if (stateDir === undefined) return;
  dev(stateDir, 'down', '--delete-data');
  rmSync(stateDir, { recursive: true, force: true });
}

function dev(stateDir, ...words) {
  return execFileSync(process.execPath, [program, 'dev', ...words], {
    env: { ...process.env, SLIPWAY_STATE_DIR: stateDir },
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
}
