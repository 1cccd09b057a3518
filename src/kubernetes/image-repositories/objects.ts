import type { KubernetesObject } from '../objects.js';

/** `slipway.dev/v1alpha1`, as it stands on the wire. */
export interface ImageRepository extends KubernetesObject {
  spec: ImageRepositorySpec;
  status?: ImageRepositoryStatus | null;
}

export interface ImageRepositorySpec {
  /** Example: registry.example.com:5000/shop/web */
  repository: string;
  tags?: string[] | null;
  intervalSeconds?: number | null;
  insecure?: boolean;
  pullSecrets?: { name: string }[] | null;
  serviceAccountName?: string | null;
  notificationSecret?: { name: string } | null;
}

export interface ImageRepositoryStatus {
  observedGeneration?: number;
  tags?: ResolvedTag[];
  lastCheckedAt?: string;
  conditions?: ImageRepositoryCondition[];
}

export interface ResolvedTag {
  tag: string;
  /** Example: registry.example.com:5000/shop/web@sha256:… */
  image?: string;
  digest?: string;
  resolvedAt?: string;
  previous?: string;
  /** What it stood for before, the latest first. */
  history?: PastDigest[];
}

export interface PastDigest {
  digest: string;
  resolvedAt?: string;
}

export interface ImageRepositoryCondition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  observedGeneration?: number;
  lastUpdateTime?: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
