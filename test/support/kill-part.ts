import { isSameProcess } from '../../src/dev/process-identity.js';
import { layoutOf } from '../../src/dev/stack/layout.js';
import type { PartName } from '../../src/dev/stack/parts.js';
import { readState } from '../../src/dev/stack/state.js';
import { runSlipway } from './slipway-command.js';
import { waitFor } from './wait-for.js';

interface Stack {
  readonly stateDir: string;
}

/** kill -9 of one part of a stack. */
export async function killPart({ stateDir }: Stack, name: PartName): Promise<void> {
  const part = readState(layoutOf(stateDir)).parts[name];
  if (part === undefined) throw new Error(`the stack has no ${name}`);
  process.kill(part.pid, 'SIGKILL');
  await waitFor(`${name} is dead`, () =>
    isSameProcess(part.pid, part.identity) ? undefined : true,
  );
}

/** Starts what is down again, on its own data and where it was before. */
export async function revive({ stateDir }: Stack): Promise<void> {
  const { ports } = readState(layoutOf(stateDir));
  const env = { SLIPWAY_STATE_DIR: stateDir };
  const up = await runSlipway(['dev', 'up', '--no-worker', '--fast-etcd'], { env });
  if (up.code !== 0) throw new Error(`the stack did not come up again:\n${up.stderr}`);
  const now = readState(layoutOf(stateDir)).ports;
  if (JSON.stringify(now) !== JSON.stringify(ports)) {
    throw new Error(`the stack came up on other ports: ${JSON.stringify(now)}`);
  }
}
