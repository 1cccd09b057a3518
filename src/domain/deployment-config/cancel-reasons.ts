/** Why a version was stopped, in OpenShift's words where clients look for them. */
export const cancelReasons = {
  byUser: 'cancelled by the user',
  newerFound: 'newer deployment was found running',
  tookTooLong: 'it took longer than spec.strategy.activeDeadlineSeconds allows',
  timedOut: 'it made no progress in the time that its strategy gives it',
  oldWon: 'the old side has won the comparison',
} as const;
