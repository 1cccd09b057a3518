/** Why a version was stopped, in OpenShift's words where clients look for them. */
export const cancelReasons = {
  byUser: 'cancelled by the user',
  newerFound: 'newer deployment was found running',
  timedOut: 'it made no progress in the time that its strategy gives it',
  oldWon: 'the old side has won the comparison',
} as const;
