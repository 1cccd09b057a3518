import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * What tells a process from a later one with the same pid: when it started. Undefined once it has
 * ended, also while its parent has yet to take note of that (a zombie).
 */
export function processIdentity(pid: number): string | undefined {
  if (process.platform === 'linux') return linuxIdentity(pid);
  try {
    const answer = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return parsePs(answer);
  } catch {
    return undefined;
  }
}

export const isSameProcess = (pid: number, identity: string): boolean =>
  processIdentity(pid) === identity;

function linuxIdentity(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const startTicks = parseProcStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    return startTicks === undefined ? undefined : `${boot}/${startTicks}`;
  } catch {
    return undefined;
  }
}

/** The program's name, in parentheses, may itself hold spaces and parentheses: count from its end. */
export function parseProcStat(stat: string): string | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  return state === 'Z' || state === 'X' ? undefined : fields[19];
}

/** Example: "Ss   Mon Nov 16 04:24:55 2026". */
export function parsePs(answer: string): string | undefined {
  const [state = '', ...started] = answer.trim().split(/\s+/);
  return state === '' || state.startsWith('Z') ? undefined : started.join(' ');
}
