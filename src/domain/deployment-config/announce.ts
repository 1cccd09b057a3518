import type { VersionAction } from './plan.js';

/** Says something in a Kubernetes event. */
export const announce = (
  reason: string,
  note: string,
  type: 'Normal' | 'Warning' = 'Normal',
): VersionAction => ({ kind: 'announce', type, reason, note });
