/** The names of signals and queries, for workflows, which handle them, and for clients, which send them. */
export const signalNames = {
  pause: 'pause',
  resume: 'resume',
} as const;

export const statusQueryName = 'status';

/** The optional argument of each signal; a bare text is the reason. */
export type SignalRequest = string | { readonly reason?: string };
