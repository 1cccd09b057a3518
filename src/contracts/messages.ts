/** The names of signals and queries, for workflows, which handle them, and for clients, which send them. */
export const signalNames = {
  pause: 'pause',
  resume: 'resume',
  /** Of a step that waits for it, or of a comparison's winner. */
  approve: 'approve',
  /** Of what has failed. */
  retry: 'retry',
} as const;

export const statusQueryName = 'status';

/** The optional argument of each signal; a bare text is the reason. */
export type SignalRequest = string | { readonly reason?: string };

/** The argument of `approve`: a comparison of two sides wants to know which one wins. */
export type ApproveRequest = string | { readonly reason?: string; readonly winner?: 'new' | 'old' };
