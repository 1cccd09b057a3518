import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

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

/** A process that was there, told from a later one with its pid. */
export interface KnownProcess {
  readonly pid: number;
  readonly identity: string;
}

/** Those that a process has started and that are there; known on Linux alone. */
export function childrenOf(pid: number): readonly KnownProcess[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .flatMap((name): readonly KnownProcess[] => {
      const identity = processIdentity(Number(name));
      return identity === undefined ? [] : [{ pid: Number(name), identity }];
    });
}

function parentOf(pid: string): number | undefined {
  try {
    return parseParent(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
}

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
  const fields = fieldsOf(stat);
  const [state] = fields;
  return state === 'Z' || state === 'X' ? undefined : fields[19];
}

export const parseParent = (stat: string): number => Number(fieldsOf(stat)[1]);

const fieldsOf = (stat: string): readonly string[] =>
  stat.slice(stat.lastIndexOf(')') + 2).split(' ');

/** Example: "Ss   Mon Nov 16 04:24:55 2026". */
export function parsePs(answer: string): string | undefined {
  const [state = '', ...started] = answer.trim().split(/\s+/);
  return state === '' || state.startsWith('Z') ? undefined : started.join(' ');
}
