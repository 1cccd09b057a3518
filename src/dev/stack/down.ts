import { existsSync, rmSync } from 'node:fs';

import { CommandFailure } from '../../client/failure.js';
import type { Progress } from '../../client/terminal/progress.js';
import { withFileLock } from '../file-lock.js';
import { leaveHost } from '../node/leave-host.js';
import { layoutOf, type Layout } from './layout.js';
import { isGroup, stopOrder, type PartName } from './parts.js';
import { answers } from './ports.js';
import { runningPart } from './running-part.js';
import { readState, writeState, type StackState } from './state.js';
import { stopPart } from './stop-part.js';
import { NotInTime, waitUntil } from './wait-until.js';

export interface DownOptions {
  readonly stateFolder: string;
  readonly progress: Progress;
  /** Also removes the data, the certificates and the logs. */
  readonly deleteData?: boolean;
}

const portsClosedWithinMs = 5_000;

/** Stops everything that `up` has started; true when there was something to stop. */
export async function down(options: DownOptions): Promise<boolean> {
  const layout = layoutOf(options.stateFolder);
  if (!existsSync(layout.folder)) return false;
  const onWait = ({ pid }: { pid: number }): void => {
    options.progress.note(`waiting for another slipway dev (process ${pid}) to end`);
  };
  const stopped = await withFileLock(layout.lock, { onWait }, async () => {
    const state = readState(layout);
    const names = partsToStop(state);
    const anyRan = names.some((name) => runningPart(state, name) !== undefined);
    await stopParts(layout, state, names, options.progress);
    delete state.settings;
    writeState(layout, state);
    return anyRan;
  });
  if (options.deleteData === true) rmSync(layout.folder, { recursive: true, force: true });
  return stopped;
}

/** A start that was cut short may have changed the machine for a real node that never ran. */
function partsToStop({ parts, settings }: StackState): readonly PartName[] {
  const names = Object.keys(parts) as PartName[];
  return settings?.realNode === true ? [...new Set([...names, 'real-node' as const])] : names;
}

/** Stops parts in the right order and forgets them once they and their ports are gone. */
export async function stopParts(
  layout: Layout,
  state: StackState,
  names: readonly PartName[],
  progress: Progress,
): Promise<void> {
  for (const row of stopOrder) {
    await Promise.all(
      row
        .filter((name) => names.includes(name))
        .map(async (name) => {
          const running = runningPart(state, name);
          if (running !== undefined) {
            await progress.step(`${name} stops`, async () => {
              await stopPart(running, { wholeGroup: isGroup(name) });
              await verifyPortsClosed(state, name);
            });
          }
          if (name === 'real-node') await leaveHost(layout.folder);
          forgetPart(state, name);
          writeState(layout, state);
        }),
    );
  }
}

function forgetPart(state: StackState, name: PartName): void {
  const others = Object.entries(state.parts).filter(([other]) => other !== name);
  state.parts = Object.fromEntries(others);
}

async function verifyPortsClosed(state: StackState, name: PartName): Promise<void> {
  for (const port of Object.values(state.ports[name] ?? {})) {
    try {
      await waitUntil(async () => ((await answers(port)) ? undefined : true), {
        withinMs: portsClosedWithinMs,
      });
    } catch (error) {
      if (!(error instanceof NotInTime)) throw error;
      throw new CommandFailure(`${name} has ended, but someone still listens on its port ${port}`);
    }
  }
}
