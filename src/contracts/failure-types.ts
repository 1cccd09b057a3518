/** The `type` of an ApplicationFailure, which clients tell failures apart by. */
export const failureTypes = {
  badInput: 'BadInput',
  refused: 'Refused',
  cancelled: 'Cancelled',
  failed: 'Failed',
  rolledBack: 'RolledBack',
} as const;
