import { hookMoments } from '../../domain/shared/hook.js';
import { readRevision, type Revision } from '../../domain/shared/revision.js';
import { hookAnnotations } from '../hooks/annotations.js';

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
  /** On a ReplicaSet: what started the rollout that made it the new one. */
  startedBy: 'slipway.dev/started-by',
  /** On a ReplicaSet: the one that was complete when its rollout began. */
  lastComplete: 'slipway.dev/last-complete',
  /** On a ReplicaSet: why an automatic rollback has turned away from it. */
  failed: 'slipway.dev/failed',
  /** On a ReplicaSet: the hooks of its rollout, with what their pods need, as JSON. */
  hooks: 'slipway.dev/hooks',
  /** On a ReplicaSet: somebody wants its failed hooks tried again. */
  retry: 'slipway.dev/retry',
  /** On a ReplicaSet: the times that it was the new one, as JSON, the latest last. */
  stays: 'slipway.dev/stays',
  pauseReason: 'slipway.dev/pause-reason',
  cancelled: 'slipway.dev/cancelled',
  /** Who cancelled it. */
  cancelledBy: 'slipway.dev/cancelled-by',
  /** On a Deployment: who has written its template, until the history knows. */
  changedBy: 'slipway.dev/changed-by',
  /** `spec.rollbackOnFailure` of a Deployment of `apps/v1`. */
  rollbackOnFailure: 'slipway.dev/rollback-on-failure',
  /** `spec.triggers` of a Deployment of `apps/v1`. */
  triggers: 'slipway.dev/triggers',
  /** On a Deployment: the automatic rollback that its template comes from. */
  rolledBack: 'slipway.dev/rolled-back',
} as const;

/** What a ReplicaSet alone has; `kubectl rollout undo` carries it over to the Deployment. */
export const setOnly: readonly string[] = [
  annotations.templateHash,
  annotations.startedBy,
  annotations.lastComplete,
  annotations.failed,
  annotations.hooks,
  annotations.retry,
  annotations.stays,
  ...hookMoments.flatMap((moment) => Object.values(hookAnnotations(moment))),
];

export const templateHashLabel = 'pod-template-hash';

/** What speaks of the Deployment alone; everything else is handed down to its ReplicaSets. */
const ownOnly: ReadonlySet<string> = new Set([
  annotations.revision,
  annotations.revisionHistory,
  annotations.desiredReplicas,
  annotations.maxReplicas,
  annotations.rollbackTo,
  annotations.lastApplied,
  annotations.pauseReason,
  annotations.cancelled,
  annotations.cancelledBy,
  annotations.changedBy,
  annotations.triggers,
  annotations.rolledBack,
  ...setOnly,
]);

export function handedDownAnnotations(
  own: Readonly<Record<string, string>> | undefined,
): Record<string, string> {
  return Object.fromEntries(Object.entries(own ?? {}).filter(([key]) => !ownOnly.has(key)));
}

/**
 * The annotations of a Deployment that goes back to a set. The set has kept those that its Deployment
 * had: they come back, the change-cause above all; ones that were added since stay. Nothing stays paused.
 */
export function restoredAnnotations(
  own: Readonly<Record<string, string>> | undefined,
  ofSet: Readonly<Record<string, string>> | undefined,
): Record<string, string> {
  const ended: ReadonlySet<string> = new Set([
    annotations.pauseReason,
    annotations.cancelled,
    annotations.cancelledBy,
    annotations.changedBy,
    annotations.changeCause,
    annotations.triggers,
    annotations.rolledBack,
  ]);
  const kept = Object.entries(own ?? {}).filter(([key]) => !ended.has(key));
  const restored = Object.entries(handedDownAnnotations(ofSet)).filter(
    ([key]) => !key.startsWith('slipway.dev/'),
  );
  return Object.fromEntries([...kept, ...restored]);
}

const longestHistory = 2_000;

/** The revisions a set had before this one, oldest dropped first when the list gets too long. */
export function appendRevision(history: string | undefined, revision: Revision): string {
  const entries = [...(history ?? '').split(',').filter((entry) => entry !== ''), String(revision)];
  while (entries.length > 1 && entries.join(',').length > longestHistory) entries.shift();
  return entries.join(',');
}

/** The revision that an object says it has. */
export function revisionAnnotation(
  own: Readonly<Record<string, string>> | undefined,
): Revision | undefined {
  const text = own?.[annotations.revision];
  return text !== undefined && /^\d+$/.test(text) ? readRevision(text) : undefined;
}

export function numberAnnotation(
  own: Readonly<Record<string, string>> | undefined,
  name: string,
): number | undefined {
  const text = own?.[name];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}
