import type { Cause, ConfigTriggers } from './triggers.js';

/** An image goes through a push, a registry and its notification; an edit is there at once. */
const forImagesMs = 1_500;
/** Whoever pushes wants to see a version soon. */
const forEditsMs = 400;

/**
 * How long to wait, from the first sign of a change, for what may come with it: a new template and the
 * image that it was written for become one version. What is whole, or asked for, need not wait.
 */
export function gatherMs(
  causes: readonly Cause[],
  {
    latestVersion,
    triggers,
  }: { readonly latestVersion: number; readonly triggers: ConfigTriggers },
): number {
  const has = (type: Cause['type']): boolean => causes.some((cause) => cause.type === type);
  const followsImages = triggers.images.some(({ automatic }) => automatic);
  if (latestVersion === 0 || has('Manual') || has('Rollback')) return 0;
  if (has('ConfigChange')) return followsImages && !has('ImageChange') ? forImagesMs : 0;
  return has('ImageChange') && triggers.onConfigChange ? forEditsMs : 0;
}
