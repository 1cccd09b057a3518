import { describe, expect, it } from '@jest/globals';

import { parseCpu, parsePeak } from '../../bench/process-usage.js';

describe('parsePeak', () => {
  it('reads the high-water mark, in bytes', () => {
    const status = 'Name:\tnode\nVmPeak:\t  999999 kB\nVmHWM:\t  123456 kB\nVmRSS:\t  100000 kB\n';
    expect(parsePeak(status)).toBe(123_456 * 1_024);
  });

  it('tells nothing of a process that is gone', () => {
    expect(parsePeak('')).toBeNull();
  });
});

describe('parseCpu', () => {
  it('adds up user and system time, whatever the program is called', () => {
    const after = 'S 1 2 3 0 -1 4194560 5 6 7 8 250 50 11 12 20 0 11 0 12345';
    expect(parseCpu(`4711 (a (strange) name) ${after}`)).toBe(3);
  });

  it('tells nothing of a process that is gone', () => {
    expect(parseCpu('')).toBeNull();
  });
});
