import type { KubernetesClient } from '../../kubernetes/client.js';
import { badInput } from '../failure.js';

/** The oldest Kubernetes whose rules (CEL) and lists our CRDs were written for. */
const oldest = { major: 1, minor: 31 };

export interface ServerVersion {
  readonly major: string;
  /** Some providers write 31+. */
  readonly minor: string;
  readonly gitVersion: string;
}

export async function checkVersion(client: KubernetesClient): Promise<void> {
  const version: ServerVersion = await client.transport.json({ method: 'GET', path: '/version' });
  requireVersion(version);
}

export function requireVersion({ major, minor, gitVersion }: ServerVersion): void {
  const [hasMajor, hasMinor] = [Number.parseInt(major, 10), Number.parseInt(minor, 10)];
  const isEnough =
    hasMajor > oldest.major || (hasMajor === oldest.major && hasMinor >= oldest.minor);
  if (!isEnough) {
    throw badInput(
      `the cluster runs Kubernetes ${gitVersion}, and Slipway needs ${oldest.major}.${oldest.minor} or later`,
    );
  }
}
