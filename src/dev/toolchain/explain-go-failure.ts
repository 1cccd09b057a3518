import { oldestGo } from './tools.js';

export interface GoFailure {
  readonly kind: 'disk' | 'network' | 'old-go' | 'memory' | 'checksum' | 'other';
  /** What went wrong and what to do: one sentence, without a full stop. */
  readonly sentence: string;
}

export const oldestGoName = `Go ${oldestGo.major}.${oldestGo.minor}`;

/** How the go tool words each failure that its user can do something about. */
const disk = /no space left on device|disk quota exceeded/i;
const oldGo =
  /requires go >= \S+|unknown directive: (godebug|toolchain|tool)|invalid go version|toolchain not available/i;
const memory = /signal: killed|cannot allocate memory|out of memory/i;
const checksum = /SECURITY ERROR|checksum mismatch/;
const network = new RegExp(
  [
    'dial (tcp|udp)',
    'no such host',
    'lookup \\S+ on ',
    'i/o timeout',
    'TLS handshake',
    'tls: ',
    'x509: ',
    'proxyconnect',
    'connection (refused|reset)',
    'network is unreachable',
    'name resolution',
    'context deadline exceeded',
    'unexpected EOF',
    'reading https?://\\S+: \\d{3} ',
    'module lookup disabled by GOPROXY',
  ].join('|'),
  'i',
);

/**
 * The reason in the output of a go command that failed. A full disk is looked for first, because it
 * also breaks downloads halfway.
 */
export function explainGoFailure(output: string, cacheFolders: readonly string[]): GoFailure {
  if (disk.test(output)) {
    return {
      kind: 'disk',
      sentence: `the disk is full: free some space in ${cacheFolders.join(', ')}, or set SLIPWAY_CACHE, GOCACHE and GOMODCACHE to folders on a larger disk`,
    };
  }
  if (oldGo.test(output)) {
    return {
      kind: 'old-go',
      sentence: `the installed Go is too old: install ${oldestGoName} or later from https://go.dev/dl`,
    };
  }
  if (checksum.test(output)) {
    return {
      kind: 'checksum',
      sentence: `a downloaded module is not the pinned one (${findLine(output, checksum)}): try another GOPROXY`,
    };
  }
  if (network.test(output)) {
    return {
      kind: 'network',
      sentence: `the Go module registry can't be reached (${findLine(output, network)}): check the network, or set GOPROXY or HTTPS_PROXY to one that answers`,
    };
  }
  if (memory.test(output)) {
    return {
      kind: 'memory',
      sentence: 'the compiler ran out of memory: about 4 GB should be free',
    };
  }
  return { kind: 'other', sentence: `go says: ${lastLine(output) || 'nothing'}` };
}

/** Long addresses are cut in the middle of nowhere rather than filling the screen. */
function shorten(line: string): string {
  const text = line.trim().replaceAll(/\s+/g, ' ');
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}

function findLine(output: string, pattern: RegExp): string {
  return shorten(output.split('\n').find((line) => pattern.test(line)) ?? '');
}

function lastLine(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  return shorten(lines.at(-1) ?? '');
}
