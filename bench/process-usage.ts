import { readFileSync, writeFileSync } from 'node:fs';

/** Linux counts a process' time in hundredths of a second, whatever its own clock does. */
const ticksPerSecond = 100;

/** What a process uses, where the system tells (Linux). */
export class ProcessUsage {
  constructor(private readonly pid: number) {}

  /** From here on the peak is counted anew. */
  resetPeak(): void {
    try {
      writeFileSync(`/proc/${this.pid}/clear_refs`, '5');
    } catch {
      // Then the peak is that of the whole life of the process: more than it should be, never less.
    }
  }

  peakBytes(): number | null {
    return parsePeak(this.read('status'));
  }

  cpuSeconds(): number | null {
    return parseCpu(this.read('stat'));
  }

  private read(file: string): string {
    try {
      return readFileSync(`/proc/${this.pid}/${file}`, 'utf8');
    } catch {
      return '';
    }
  }
}

/** Example: "VmHWM:	  123456 kB" in /proc/<pid>/status. */
export function parsePeak(status: string): number | null {
  const found = /^VmHWM:\s+(\d+) kB$/m.exec(status);
  return found === null ? null : Number(found[1]) * 1_024;
}

/** The program's name, in parentheses, may itself hold spaces and parentheses: count from its end. */
export function parseCpu(stat: string): number | null {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  return Number.isFinite(user + system) ? (user + system) / ticksPerSecond : null;
}
