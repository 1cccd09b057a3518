import { isForbidden, isNotFound } from '../../kubernetes/api-error.js';
import type { KubernetesClient } from '../../kubernetes/client.js';
import type { KubernetesObject } from '../../kubernetes/objects.js';
import { resources, type ResourceType } from '../../kubernetes/resources.js';
import { waitUntil } from './wait-until.js';

const servedWithinMs = 60_000;

interface CustomResourceDefinition extends KubernetesObject {
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly kind: string; readonly plural: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  };
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/** A new kind is known to the apiserver before it answers for it; the next command must find it. */
export async function waitForCrd(client: KubernetesClient, name: string): Promise<void> {
  await waitUntil(`${name} becoming part of the cluster's API`, servedWithinMs, async () => {
    const crd = await client.get<CustomResourceDefinition>(
      resources.customResourceDefinitions,
      undefined,
      name,
    );
    const isEstablished = crd.status?.conditions?.some(
      ({ type, status }) => type === 'Established' && status === 'True',
    );
    return isEstablished === true && (await areServed(client, servedTypes(crd)));
  });
}

function servedTypes({ spec }: CustomResourceDefinition): ResourceType[] {
  return spec.versions
    .filter(({ served }) => served)
    .map((version) => ({
      apiVersion: `${spec.group}/${version.name}`,
      kind: spec.names.kind,
      plural: spec.names.plural,
      namespaced: spec.scope === 'Namespaced',
    }));
}

async function areServed(
  client: KubernetesClient,
  types: readonly ResourceType[],
): Promise<boolean> {
  const answers = await Promise.all(types.map((type) => isServed(client, type)));
  return answers.every(Boolean);
}

async function isServed(client: KubernetesClient, type: ResourceType): Promise<boolean> {
  try {
    // kubectl asks what there is before it asks for the thing itself.
    const { resources: listed } = await client.transport.json<{ resources: { name: string }[] }>({
      method: 'GET',
      path: `/apis/${type.apiVersion}`,
    });
    if (!listed.some(({ name }) => name === type.plural)) return false;
    await client.list(type, undefined, { limit: 1 });
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    // Whoever may install need not be allowed to look at the objects.
    if (isForbidden(error)) return true;
    throw error;
  }
}
