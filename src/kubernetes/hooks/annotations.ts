import type { HookMoment } from '../../domain/shared/hook.js';

/** Where a hook's state is kept on its deployment: two as OpenShift's document names them, one of our own. */
export const hookAnnotations = (moment: HookMoment) =>
  ({
    pod: `openshift.io/deployment.lifecycle.${moment}.execnewpod.pod`,
    phase: `openshift.io/deployment.lifecycle.${moment}.execnewpod.phase`,
    /** Since when, how many tries, and why the last one failed, as JSON. */
    record: `slipway.dev/hook.${moment}`,
  }) as const;

/** On each pod of a hook: which one it is. */
export const hookTypeLabel = 'openshift.io/deployer-pod.type';

export const hookType = (moment: HookMoment): string => `hook-${moment}`;

/** On each pod of a hook: which try it is, counted from 1. */
export const hookTryAnnotation = 'slipway.dev/hook-try';
