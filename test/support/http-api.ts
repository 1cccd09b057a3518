import type { KubernetesClient } from '../../src/kubernetes/client.js';
import { resources, type ResourceType } from '../../src/kubernetes/resources.js';
import { waitFor } from './wait-for.js';

const rbac = (kind: string, plural: string): ResourceType => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind,
  plural,
  namespaced: true,
});
const roles = rbac('Role', 'roles');
const roleBindings = rbac('RoleBinding', 'rolebindings');

export interface Account {
  readonly username: string;
  readonly token: string;
}

/** A ServiceAccount that may do no more than this to DeploymentConfigs, with a token of the cluster. */
export async function createAccount(
  client: KubernetesClient,
  namespace: string,
  name: string,
  verbs: readonly string[],
): Promise<Account> {
  const metadata = { name, namespace };
  const username = `system:serviceaccount:${namespace}:${name}`;
  await client.create(resources.serviceAccounts, { metadata });
  if (verbs.length > 0) {
    const rules = [{ apiGroups: ['apps.openshift.io'], resources: ['deploymentconfigs'], verbs }];
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name };
    const subjects = [{ kind: 'ServiceAccount', name, namespace }];
    await client.create(roles, { metadata, rules } as never);
    await client.create(roleBindings, { metadata, roleRef, subjects } as never);
    await waitFor(`${username} has its rights`, () => mayAll(client, namespace, username, verbs));
  }
  const { status } = await client.transport.json<{ status: { token: string } }>({
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`,
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
  });
  return { username, token: status.token };
}

async function mayAll(
  client: KubernetesClient,
  namespace: string,
  user: string,
  verbs: readonly string[],
): Promise<true | undefined> {
  const group = 'apps.openshift.io';
  for (const verb of verbs) {
    const resourceAttributes = { namespace, verb, group, resource: 'deploymentconfigs' };
    const spec = { user, resourceAttributes };
    const type = resources.subjectAccessReviews;
    const { allowed } = await client.review<{ allowed: boolean }>(type, spec);
    if (!allowed) return undefined;
  }
  return true;
}

export interface HttpAnswer {
  readonly code: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface HttpCall {
  readonly token?: string;
  readonly body?: unknown;
}

interface Document {
  readonly paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
}

/** Calls the worker, and checks that its OpenAPI document tells of each answer that it gives. */
export class HttpApi {
  private constructor(
    private readonly url: string,
    private readonly document: Document,
  ) {}

  static async open(url: string): Promise<HttpApi> {
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
    return new HttpApi(url, document);
  }

  async call(method: string, path: string, { token, body }: HttpCall = {}): Promise<HttpAnswer> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = {
      code: response.status,
      headers: response.headers,
      body: await response.json(),
    };
    if (!this.isTold(method, path, answer.code)) {
      throw new Error(`/openapi.json tells nothing of ${answer.code} for ${method} ${path}`);
    }
    return answer;
  }

  private isTold(method: string, path: string, code: number): boolean {
    const [plain = ''] = path.split('?');
    return Object.entries(this.document.paths).some(([template, operations]) => {
      const pattern = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      const operation = operations[method.toLowerCase()];
      return pattern.test(plain) && operation?.responses[String(code)] !== undefined;
    });
  }
}
