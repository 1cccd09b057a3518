import { readFile, writeFile } from 'node:fs/promises';

import { parse, stringify } from 'yaml';

import type { KubernetesClient } from '../../src/kubernetes/client.js';
import { resources, type ResourceType } from '../../src/kubernetes/resources.js';
import { createAccount } from './http-api.js';
import { waitFor } from './wait-for.js';

const roles: ResourceType = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  plural: 'roles',
  namespaced: true,
};

interface Kubeconfig {
  readonly users: readonly object[];
  readonly contexts: readonly { readonly name: string; readonly context: object }[];
}

export interface LimitedUser {
  readonly client: KubernetesClient;
  readonly namespace: string;
  readonly name: string;
  /** The kubeconfig of somebody who may do everything. */
  readonly kubeconfig: string;
  /** Where that of the user is to be. */
  readonly path: string;
}

/** Writes a kubeconfig for somebody who may look at DeploymentConfigs, their versions and their pods, but at no log. */
export async function writeLimitedKubeconfig(user: LimitedUser): Promise<void> {
  const { client, namespace, name } = user;
  const looks = ['get', 'list', 'watch'];
  const { token, username } = await createAccount(client, namespace, name, looks);
  const metadata = { name: `${name}-looks`, namespace };
  const rules = [{ apiGroups: [''], resources: ['pods', 'replicationcontrollers'], verbs: looks }];
  const roleRef = {
    apiGroup: 'rbac.authorization.k8s.io',
    kind: 'Role',
    name: metadata.name,
  };
  const subjects = [{ kind: 'ServiceAccount', name, namespace }];
  await client.create(roles, { metadata, rules } as never);
  await client.create(resources.roleBindings, { metadata, roleRef, subjects } as never);
  await waitFor(`${username} may look at pods`, async () => {
    const resourceAttributes = { namespace, verb: 'list', group: '', resource: 'pods' };
    const spec = { user: username, resourceAttributes };
    const type = resources.subjectAccessReviews;
    const { allowed } = await client.review<{ allowed: boolean }>(type, spec);
    return allowed ? true : undefined;
  });
  const given = parse(await readFile(user.kubeconfig, 'utf8')) as Kubeconfig;
  const contexts = given.contexts.map((context) => ({
    ...context,
    context: { ...context.context, user: name },
  }));
  const users = [{ name, user: { token } }];
  await writeFile(user.path, stringify({ ...given, users, contexts }));
}
