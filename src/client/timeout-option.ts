import { InvalidArgumentError, Option } from 'commander';

import { parseDurationMs } from './output/duration.js';

export const timeoutOption = (): Option =>
  new Option(
    '--timeout <duration>',
    'stop following after this time, such as 90s or 10m',
  ).argParser(toMs);

function toMs(text: string): number {
  const milliseconds = parseDurationMs(text);
  if (milliseconds === undefined || milliseconds === 0) {
    throw new InvalidArgumentError('A duration looks like 90s, 10m or 1h30m.');
  }
  return milliseconds;
}
