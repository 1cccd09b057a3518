/** The `type` of an ApplicationFailure, which clients tell failures apart by. */
export const failureTypes = {
  badInput: 'BadInput',
  progressDeadlineExceeded: 'ProgressDeadlineExceeded',
  refused: 'Refused',
  conflict: 'Conflict',
} as const;
