const kubernetes = 'deployment.kubernetes.io';

export const annotations = {
  revision: `${kubernetes}/revision`,
  revisionHistory: `${kubernetes}/revision-history`,
  desiredReplicas: `${kubernetes}/desired-replicas`,
  maxReplicas: `${kubernetes}/max-replicas`,
  rollbackTo: 'deprecated.deployment.rollback.to',
  lastApplied: 'kubectl.kubernetes.io/last-applied-configuration',
  changeCause: 'kubernetes.io/change-cause',
  /** On a ReplicaSet: the hash of the template that it was made for, as the user wrote it. */
  templateHash: 'slipway.dev/template-hash',
  pauseReason: 'slipway.dev/pause-reason',
  cancelled: 'slipway.dev/cancelled',
} as const;

export const templateHashLabel = 'pod-template-hash';

/** What speaks of the Deployment alone; everything else is handed down to its ReplicaSets. */
const ownOnly: ReadonlySet<string> = new Set([
  annotations.revision,
  annotations.revisionHistory,
  annotations.desiredReplicas,
  annotations.maxReplicas,
  annotations.rollbackTo,
  annotations.lastApplied,
  annotations.templateHash,
  annotations.pauseReason,
  annotations.cancelled,
]);

export function handedDownAnnotations(
  own: Readonly<Record<string, string>> | undefined,
): Record<string, string> {
  return Object.fromEntries(Object.entries(own ?? {}).filter(([key]) => !ownOnly.has(key)));
}

const longestHistory = 2_000;

/** The revisions a set had before this one, oldest dropped first when the list gets too long. */
export function appendRevision(history: string | undefined, revision: number): string {
  const entries = [...(history ?? '').split(',').filter((entry) => entry !== ''), String(revision)];
  while (entries.length > 1 && entries.join(',').length > longestHistory) entries.shift();
  return entries.join(',');
}

export function numberAnnotation(
  own: Readonly<Record<string, string>> | undefined,
  name: string,
): number | undefined {
  const text = own?.[name];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}
