const unitMs: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Example: 1h30m -> 5400000. Undefined when the text is no duration. */
export function parseDurationMs(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, amount = '', unit = ''] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    total += Number(amount) * (unitMs[unit] ?? 0);
  }
  return total;
}

/**
 * Short enough for a column: two units at most, and only one where the second says little.
 * Example: 75 s -> 1m15s, 26 h -> 26h, 3 days -> 3d
 */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return joinUnits(minutes, 'm', seconds % 60, 's');
  if (minutes < 120) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return joinUnits(hours, 'h', minutes % 60, 'm');
  return hours < 48 ? `${hours}h` : `${Math.floor(hours / 24)}d`;
}

function joinUnits(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
}

/** How long ago a Kubernetes timestamp was; a dash when there is none. */
export function formatAge(timestamp: string | undefined, nowMs: number): string {
  return timestamp === undefined ? '-' : formatDuration(nowMs - Date.parse(timestamp));
}

/** How long somebody has waited: short times to the tenth of a second. */
export function formatTook(milliseconds: number): string {
  return milliseconds < 10_000
    ? `${(milliseconds / 1_000).toFixed(1)}s`
    : formatDuration(milliseconds);
}
