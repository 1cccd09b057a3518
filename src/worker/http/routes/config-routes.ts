import type { RollbackWish } from '../../../domain/rollback/wish.js';
import type { KubernetesClient } from '../../../kubernetes/client.js';
import type { ConfigKey } from '../../../kubernetes/deployment-configs/config-view.js';
import type { DeploymentConfig } from '../../../kubernetes/deployment-configs/objects.js';
import { resources } from '../../../kubernetes/resources.js';
import type { ClusterGate, Right } from '../caller/cluster-gate.js';
import { generateFor } from '../deployment-configs/generator.js';
import { saveConfig } from '../deployment-configs/save-config.js';
import { askBack } from '../rollbacks/ask-back.js';
import { readSentRollback } from '../rollbacks/read-rollback-body.js';
import { readName, readNamespace } from '../read-name.js';
import type { Answer, ApiRequest, Route } from '../route.js';
import { schemaRef } from '../schemas.js';

export interface ConfigRouteSources {
  readonly client: KubernetesClient;
  readonly gate: Pick<ClusterGate, 'admit' | 'identify'>;
  /** Where a request names no namespace. */
  readonly defaultNamespace: string;
}

type Endpoint = Omit<Route, 'path' | 'query' | 'access'>;

/** As much as the apiserver takes itself. */
const limitBytes = 3 * 1024 * 1024;
const config = schemaRef('DeploymentConfig');
const missing = { 404: 'There is no such DeploymentConfig.' };

/** The generator, and what it generates from and is saved to. */
export function configRoutes(sources: ConfigRouteSources): readonly Route[] {
  return [
    ...inEveryForm('generateDeploymentConfigs', generatorEndpoint(sources)),
    ...inEveryForm('deploymentConfigs', readEndpoint(sources)),
    ...inEveryForm('deploymentConfigs', saveEndpoint(sources)),
  ];
}

/** An object is named by its namespace in the query, in front of its name, or as Kubernetes does. */
function inEveryForm(resource: string, endpoint: Endpoint): readonly Route[] {
  const { operationId } = endpoint;
  const route = { ...endpoint, access: 'cluster' } as const;
  return [
    {
      ...route,
      path: `/${resource}/{name}`,
      query: { namespace: "The namespace of the object; the worker's own by default." },
    },
    { ...route, path: `/${resource}/{namespace}/{name}`, operationId: `${operationId}In` },
    {
      ...route,
      path: `/namespaces/{namespace}/${resource}/{name}`,
      operationId: `${operationId}InNamespace`,
    },
  ];
}

const generatorEndpoint = ({ client, gate, defaultNamespace }: ConfigRouteSources): Endpoint => ({
  method: 'GET',
  operationId: 'generateDeploymentConfig',
  summary: 'Generate the next state of a DeploymentConfig',
  description:
    'Answers with the DeploymentConfig, the newest images of all its triggers filled in, and status.latestVersion raised by one if that would differ from the latest version; status.details then says why. Nothing is saved: PUT the answer to /deploymentConfigs for that. Needs the right to get the DeploymentConfig.',
  answers: {
    200: {
      description:
        'What was generated. A header Warning names the images that are not known yet, without which no version can be made.',
      schema: config,
    },
  },
  problems: missing,
  handle: async (request) => {
    const key = readKey(request, defaultNamespace);
    const { username } = await gate.admit(request, right('get', key));
    const { config: generated, waitsFor } = await generateFor(client, key, username);
    const warning =
      waitsFor.length === 0
        ? {}
        : warn(`no version can be made yet: the image of ${waitsFor.join(', ')} is not known`);
    return show(200, generated, warning);
  },
});

const readEndpoint = ({ client, gate, defaultNamespace }: ConfigRouteSources): Endpoint => ({
  method: 'GET',
  operationId: 'readDeploymentConfig',
  summary: 'Read a DeploymentConfig',
  description: 'Needs the right to get it.',
  answers: { 200: { description: 'The DeploymentConfig.', schema: config } },
  problems: missing,
  handle: async (request) => {
    const key = readKey(request, defaultNamespace);
    await gate.admit(request, right('get', key));
    const { namespace, name } = key;
    return show(200, await client.get(resources.deploymentConfigs, namespace, name));
  },
});

const saveEndpoint = ({ client, gate, defaultNamespace }: ConfigRouteSources): Endpoint => ({
  method: 'PUT',
  operationId: 'replaceDeploymentConfig',
  summary: 'Save a DeploymentConfig, and with it a new version',
  description:
    'Replaces the DeploymentConfig by what is sent, if it has not changed since metadata.resourceVersion. With a status.latestVersion one higher than it is, and a cause in status.details, a new version is made, by which the caller is named; the rest of the status is not taken over. With a block rollback and no spec, the DeploymentConfig goes back, as by POST /deploymentConfigRollbacks; a block beside a spec is examined before anything is saved, and then met. Needs the right to update the DeploymentConfig.',
  body: {
    description:
      'The DeploymentConfig, for example as the generator answered with it; or a rollback of it.',
    types: ['application/json'],
    limitBytes,
    schema: { anyOf: [config, schemaRef('Rollback')] },
  },
  answers: {
    200: { description: 'What was saved, with its latest version.', schema: config },
    201: {
      description: 'It was a rollback: the config has gone back, and the version of that is made.',
      schema: config,
    },
    202: {
      description:
        'It was saved, or is going to go back, and the new version that it asks for is not made yet; that is not forgotten. A header Warning says so.',
      schema: config,
    },
  },
  problems: {
    ...missing,
    400: 'The cluster knows no such field; the message names it.',
    409: 'The DeploymentConfig has changed meanwhile, or is asked to go back already; nothing was saved.',
    422: 'A field is not what it must be, or it can not go back: the message names each problem. Nothing was saved.',
  },
  handle: async (request) => {
    const key = readKey(request, defaultNamespace);
    const { username } = await gate.admit(request, right('update', key));
    const body = await request.json();
    const wish = readSentRollback(body, key);
    if (wish !== undefined) {
      return goBack(client, key, { ...wish, by: username }, request.signal);
    }
    const saved = await saveConfig(client, key, body, username, request.signal);
    const { pendingVersion } = saved;
    if (pendingVersion === undefined) return show(200, saved.config);
    return show(202, saved.config, warn(`version ${pendingVersion} is asked for and not made yet`));
  },
});

/** Has a config go back, and tells what came of that. */
export async function goBack(
  client: KubernetesClient,
  key: ConfigKey,
  wish: RollbackWish,
  signal: AbortSignal,
): Promise<Answer> {
  const { config: asked, pendingVersion } = await askBack(client, key, wish, signal);
  if (pendingVersion === undefined) return show(201, asked);
  return show(202, asked, warn(`version ${pendingVersion} is asked for and not made yet`));
}

function readKey({ params, query }: ApiRequest, defaultNamespace: string): ConfigKey {
  return {
    namespace: readNamespace(params['namespace'] ?? query['namespace'] ?? defaultNamespace),
    name: readName('name', params['name']),
  };
}

export const right = (verb: Right['verb'], key: ConfigKey): Right => ({
  verb,
  group: 'apps.openshift.io',
  resource: resources.deploymentConfigs.plural,
  ...key,
});

/** Who wrote which field is of no use to callers, and long. */
export function show(
  code: number,
  { metadata: { managedFields: _written, ...metadata }, ...rest }: DeploymentConfig,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { code, headers, body: { json: { ...rest, metadata } } };
}

/** As the apiserver warns, which Kubernetes' clients print. */
export const warn = (text: string): Record<string, string> => ({ warning: writeWarning(text) });

/** Much less than what clients take of headers, and as much as the apiserver says at once. */
const longestWarnings = 4 * 1024;

/** Several in one header; of those that it can't carry, how many they are. */
export function warnAll(texts: readonly string[]): Record<string, string> {
  const all = texts.map(writeWarning);
  const carried: string[] = [];
  let length = 0;
  for (const text of all) {
    length += text.length + 2;
    if (length > longestWarnings) break;
    carried.push(text);
  }
  const rest = all.length - carried.length;
  const warnings = rest === 0 ? carried : [...carried, writeWarning(`and ${rest} more`)];
  return warnings.length === 0 ? {} : { warning: warnings.join(', ') };
}

/** Names that no header can carry are blurred. */
const writeWarning = (text: string): string =>
  `299 - "${text.replaceAll(/["\\]/g, '').replaceAll(/[^\x20-\x7e]/g, '?')}"`;
