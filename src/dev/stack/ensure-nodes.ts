import { CommandFailure } from '../../client/failure.js';
import { isAlreadyExists, isNotFound } from '../../kubernetes/api-error.js';
import type { Cluster } from '../../kubernetes/connect.js';
import type { KubernetesObject } from '../../kubernetes/objects.js';
import { resources } from '../../kubernetes/resources.js';
import { fakeNodeAnnotation } from './commands.js';
import { logPath } from './layout.js';
import type { Session } from './session.js';
import { NotInTime, waitUntil } from './wait-until.js';

const readyWithinMs = 60_000;
const localNodeLabel = 'slipway.dev/local-node';

type Node = KubernetesObject & {
  spec?: { taints?: { key: string }[] };
  status?: { conditions?: { type: string; status: string }[] };
};

/** As many nodes as asked for, ready for pods, and the account that pods run as. */
export async function ensureNodes(session: Session, cluster: Cluster): Promise<void> {
  const { layout, settings, progress, signal } = session;
  const wanted = nodeNames(settings.nodes);
  const existing = await listNodes(cluster);
  const names = existing.map(({ metadata }) => metadata.name);
  const missing = wanted.filter((name) => !names.includes(name));
  const surplus = names.filter((name) => !wanted.includes(name));
  const ask = async (): Promise<true | undefined> =>
    (await defaultAccountExists(cluster)) && (await listNodes(cluster)).every(isNodeReady)
      ? true
      : undefined;
  if (missing.length === 0 && surplus.length === 0 && (await ask()) === true) return;
  await progress.step(settings.nodes === 1 ? '1 node' : `${settings.nodes} nodes`, async () => {
    await Promise.all([
      ...missing.map((name) => createNode(cluster, name)),
      ...surplus.map((name) => deleteNode(cluster, name)),
    ]);
    try {
      await waitUntil(ask, { withinMs: readyWithinMs, signal });
    } catch (error) {
      if (!(error instanceof NotInTime)) throw error;
      throw new CommandFailure(
        `the nodes were not ready after ${readyWithinMs / 1_000} s; see ${logPath(layout, 'kwok')} and ${logPath(layout, 'kube-controller-manager')}`,
        undefined,
        { cause: error },
      );
    }
  });
}

export const nodeNames = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `node-${index + 1}`);

/** Ready, and no longer marked as a place to keep pods away from. */
export function isNodeReady({ spec, status }: Node): boolean {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';
  return ready && (spec?.taints ?? []).length === 0;
}

async function listNodes(cluster: Cluster): Promise<readonly Node[]> {
  const list = await cluster.client.list<Node>(resources.nodes, undefined, {
    labelSelector: localNodeLabel,
  });
  return list.items;
}

async function createNode(cluster: Cluster, name: string): Promise<void> {
  try {
    await cluster.client.create(resources.nodes, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name,
        labels: {
          [localNodeLabel]: '',
          'kubernetes.io/hostname': name,
          'kubernetes.io/os': 'linux',
        },
        annotations: { [fakeNodeAnnotation]: 'fake' },
      },
    });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

async function deleteNode(cluster: Cluster, name: string): Promise<void> {
  try {
    await cluster.client.delete(resources.nodes, undefined, name);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

async function defaultAccountExists(cluster: Cluster): Promise<boolean> {
  try {
    await cluster.client.get(resources.serviceAccounts, 'default', 'default');
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
