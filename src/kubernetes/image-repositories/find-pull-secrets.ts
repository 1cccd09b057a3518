import { isForbidden, isNotFound } from '../api-error.js';
import type { KubernetesClient } from '../client.js';
import type { KubernetesObject } from '../objects.js';
import { resources, type ResourceType } from '../resources.js';
import type { ImageRepositorySpec } from './objects.js';

export interface Secret extends KubernetesObject {
  type?: string;
  data?: Record<string, string>;
}

interface ServiceAccount extends KubernetesObject {
  imagePullSecrets?: { name?: string }[];
}

export interface PullSecretsFound {
  readonly secrets: readonly Secret[];
  /** What is named and can't be read, each a sentence that names the field. */
  readonly problems: readonly string[];
}

/** The Secrets that open a repository, read anew each time, so that nothing is kept of them. */
export async function findPullSecrets(
  client: Pick<KubernetesClient, 'get'>,
  namespace: string,
  spec: Pick<ImageRepositorySpec, 'pullSecrets' | 'serviceAccountName'>,
): Promise<PullSecretsFound> {
  const secrets: Secret[] = [];
  const problems: string[] = [];
  const read = async <T extends KubernetesObject>(
    field: string,
    type: ResourceType,
    name: string,
  ): Promise<T | undefined> => {
    try {
      return await client.get<T>(type, namespace, name);
    } catch (error) {
      const problem = explain(error, type.kind, name);
      if (problem === undefined) throw error;
      problems.push(`${field}: ${problem}`);
      return undefined;
    }
  };
  const readSecret = async (field: string, name: string): Promise<void> => {
    if (secrets.some(({ metadata }) => metadata.name === name)) return;
    const secret = await read<Secret>(field, resources.secrets, name);
    if (secret !== undefined) secrets.push(secret);
  };
  for (const [index, { name }] of (spec.pullSecrets ?? []).entries()) {
    await readSecret(`spec.pullSecrets[${index}]`, name);
  }
  const accountName = spec.serviceAccountName ?? '';
  if (accountName === '') return { secrets, problems };
  const field = 'spec.serviceAccountName';
  const account = await read<ServiceAccount>(field, resources.serviceAccounts, accountName);
  for (const { name = '' } of account?.imagePullSecrets ?? []) {
    if (name !== '') await readSecret(`${field}: imagePullSecrets of "${accountName}"`, name);
  }
  return { secrets, problems };
}

/** Undefined for a failure that is not about this object. */
function explain(error: unknown, kind: string, name: string): string | undefined {
  if (isNotFound(error)) return `there is no ${kind} "${name}"`;
  if (isForbidden(error)) return `the worker may not read the ${kind} "${name}"`;
  return undefined;
}
