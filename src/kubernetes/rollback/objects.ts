import type { V1Service } from '@kubernetes/client-node';

import type { KubernetesObject, Named } from '../objects.js';

export type Service = Named<V1Service>;

/** A ConfigMap or Secret, of which only the keys are ever looked at. */
export interface KeyHolder extends KubernetesObject {
  data?: Record<string, unknown> | null;
  binaryData?: Record<string, unknown> | null;
}
