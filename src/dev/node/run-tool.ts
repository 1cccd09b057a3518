import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { CommandFailure } from '../../client/failure.js';

const run = promisify(execFile);
const withinMs = 20_000;

/** Where the system's own tools are, also for a root whose PATH is a user's. */
export const systemPath = (path: string | undefined): string =>
  [...new Set([...(path ?? '').split(':'), '/usr/sbin', '/usr/bin', '/sbin', '/bin'])]
    .filter((folder) => folder !== '')
    .join(':');

/** Runs a tool of the system to its end and returns what it said. */
export async function runTool(program: string, words: readonly string[]): Promise<string> {
  try {
    const env = { ...process.env, PATH: systemPath(process.env['PATH']), LC_ALL: 'C' };
    const { stdout } = await run(program, words, { env, timeout: withinMs });
    return stdout;
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim() ?? '';
    const why = said === '' ? String(error) : said;
    throw new CommandFailure(`"${[program, ...words].join(' ')}" failed: ${why}`, undefined, {
      cause: error,
    });
  }
}

/** The same question, where a failure is an answer. */
export async function toolSucceeds(program: string, words: readonly string[]): Promise<boolean> {
  try {
    await runTool(program, words);
    return true;
  } catch {
    return false;
  }
}
