import type { ConfigTriggers } from './triggers.js';

/** A push takes its way through a registry and its notification; an edit is there at once. */
const imagesOnTheirWayMs = 750;

/**
 * How long to wait from the first sign of a change: what comes together, a new template and the image that
 * it was written for, becomes one version. Who follows no images, or asks, need not wait.
 */
export function gatherMs({
  latestVersion,
  triggers,
  isAsked,
}: {
  readonly latestVersion: number;
  readonly triggers: ConfigTriggers;
  readonly isAsked: boolean;
}): number {
  const follows = triggers.images.some(({ automatic }) => automatic);
  return follows && latestVersion > 0 && !isAsked ? imagesOnTheirWayMs : 0;
}
