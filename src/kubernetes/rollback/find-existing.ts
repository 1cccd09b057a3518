import type { Reference } from '../../domain/rollback/list-references.js';
import type { RollbackWarning } from '../../domain/rollback/report.js';
import type { Existing, ReferenceKind } from '../../domain/rollback/scene.js';
import { isForbidden, isNotFound } from '../api-error.js';
import type { KubernetesClient } from '../client.js';
import { resources, type ResourceType } from '../resources.js';
import type { KeyHolder } from './objects.js';

export interface ExistingFound {
  readonly existing: readonly Existing[];
  /** What could not be found out. */
  readonly warnings: readonly RollbackWarning[];
}

const typeOf: Readonly<Record<ReferenceKind, ResourceType>> = {
  ConfigMap: resources.configMaps,
  Secret: resources.secrets,
  PersistentVolumeClaim: resources.persistentVolumeClaims,
  ServiceAccount: resources.serviceAccounts,
};

type Reader = Pick<KubernetesClient, 'get' | 'getMetadata'>;

/**
 * Which of the objects are there. Their contents are asked for only where a key of them is needed, and nothing
 * but the names of the keys is taken from there.
 */
export async function findExisting(
  client: Reader,
  namespace: string,
  references: readonly Reference[],
): Promise<ExistingFound> {
  const existing: Existing[] = [];
  const warnings: RollbackWarning[] = [];
  await Promise.all(
    listObjects(references).map(async ({ kind, name, needsKeys }) => {
      try {
        const keys = await read(client, namespace, { kind, name, needsKeys });
        existing.push({ kind, name, ...keys });
      } catch (error) {
        if (isNotFound(error)) return;
        if (!isForbidden(error)) throw error;
        existing.push({ kind, name });
        const message = 'whether it is there is not known: the worker may not read it';
        warnings.push({ kind: 'NotChecked', object: `${kind}/${name}`, message });
      }
    }),
  );
  return { existing, warnings };
}

interface Wanted {
  readonly kind: ReferenceKind;
  readonly name: string;
  readonly needsKeys: boolean;
}

/** Each object once. */
function listObjects(references: readonly Reference[]): readonly Wanted[] {
  const wanted = new Map<string, Wanted>();
  for (const { kind, name, key } of references) {
    const id = `${kind}/${name}`;
    const needsKeys = key !== undefined || wanted.get(id)?.needsKeys === true;
    wanted.set(id, { kind, name, needsKeys });
  }
  return [...wanted.values()];
}

async function read(
  client: Reader,
  namespace: string,
  { kind, name, needsKeys }: Wanted,
): Promise<{ readonly keys?: readonly string[] }> {
  if (!needsKeys) {
    await client.getMetadata(typeOf[kind], namespace, name);
    return {};
  }
  const { data, binaryData } = await client.get<KeyHolder>(typeOf[kind], namespace, name);
  return { keys: [...Object.keys(data ?? {}), ...Object.keys(binaryData ?? {})] };
}
