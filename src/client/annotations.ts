/** Annotations that commands read and write. */
export const annotations = {
  revision: 'deployment.kubernetes.io/revision',
  changeCause: 'kubernetes.io/change-cause',
  /** Why a rollout was paused, in the words of whoever did it. */
  pauseReason: 'slipway.dev/pause-reason',
  /** Why it was allowed to go on; until the next pause. */
  resumeReason: 'slipway.dev/resume-reason',
  /** A paused rollout with this one has ended where it was; its text says why. */
  cancelled: 'slipway.dev/cancelled',
} as const;

/** The label by which a ReplicaSet tells its pods from those of other revisions. */
export const templateHashLabel = 'pod-template-hash';
