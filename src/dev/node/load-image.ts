import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, existsSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';

import { badInput, CommandFailure } from '../../client/failure.js';
import { layoutOf } from '../stack/layout.js';
import { runningPart } from '../stack/running-part.js';
import { readState } from '../stack/state.js';
import { systemPath } from './run-tool.js';

/** Gives the real node the images of an archive, as "docker save" writes it; returns their names. */
export async function loadImage(stateFolder: string, archive: string): Promise<readonly string[]> {
  if (!existsSync(archive)) throw badInput(`archive: there is no file ${archive}`);
  const running = runningPart(readState(layoutOf(stateFolder)), 'real-node');
  if (running === undefined) {
    throw new CommandFailure('the real node does not run: "slipway dev up --real-node" starts it');
  }
  const child = spawn(
    'nsenter',
    [
      ...[`--target=${running.pid}`, '--mount', 'ctr', '--namespace=k8s.io'],
      ...['images', 'import', '-'],
    ],
    { env: { PATH: systemPath(process.env['PATH']) }, stdio: ['pipe', 'pipe', 'pipe'] },
  );
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const closed = once(child, 'close') as Promise<[number | null]>;
  // One that stops reading has something to say, which is told below.
  await pipeline(createReadStream(archive), child.stdin).catch(() => undefined);
  const [code] = await closed;
  if (code !== 0) throw new CommandFailure(`${archive} can't be loaded: ${said.trim()}`);
  return parseImported(said);
}

/** Example of a line: "unpacking slipway.dev/busybox:1 (sha256:4b…)...done". */
export function parseImported(answer: string): readonly string[] {
  return [...answer.matchAll(/^unpacking (\S+) \(sha256:/gm)].map(([, name = '']) => name);
}
