import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

import { ApiError } from '../kubernetes/api-error.js';
import type { KubernetesClient } from '../kubernetes/client.js';
import type { KubernetesObject } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';

/**
 * Leaves a note on an object that `kubectl describe` shows. What it is about has been done already, so
 * an apiserver that refuses the note is no failure.
 */
export async function recordEvent(
  client: Pick<KubernetesClient, 'create'>,
  { apiVersion, kind, metadata }: KubernetesObject,
  reason: string,
  note: string,
): Promise<void> {
  const { name, namespace, uid } = metadata;
  const event = {
    metadata: {
      name: `${name.slice(0, 200)}.${randomBytes(8).toString('hex')}`,
      ...(namespace === undefined ? {} : { namespace }),
    },
    // Kubernetes wants microseconds here.
    eventTime: new Date().toISOString().replace('Z', '000Z'),
    reportingController: 'slipway.dev/command-line',
    reportingInstance: hostname(),
    type: 'Normal',
    action: reason,
    reason,
    note: note.slice(0, 1_024),
    regarding: { apiVersion, kind, namespace, name, uid },
  };
  try {
    await client.create(resources.events, event);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}
