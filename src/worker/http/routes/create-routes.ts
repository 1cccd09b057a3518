import { readFileSync } from 'node:fs';

import type { Cluster } from '../../../kubernetes/connect.js';
import { ClusterGate } from '../caller/cluster-gate.js';
import { buildOpenApi } from '../openapi.js';
import type { Route } from '../route.js';
import { configRoutes } from './config-routes.js';
import { notificationRoutes } from './notification-routes.js';
import { rollbackRoutes } from './rollback-routes.js';
import { probeRoutes, type ProbeSources } from './probe-routes.js';

export interface RouteSources extends ProbeSources {
  readonly cluster: Pick<Cluster, 'client' | 'defaultNamespace'>;
}

/** Everything that the worker serves. */
export function createRoutes({ cluster, ...probes }: RouteSources): readonly Route[] {
  const { client, defaultNamespace } = cluster;
  const gate = new ClusterGate(client);
  const routes: Route[] = [
    ...probeRoutes(probes),
    ...configRoutes({ client, gate, defaultNamespace }),
    ...rollbackRoutes({ client, gate, defaultNamespace }),
    ...notificationRoutes(client),
  ];
  const own: Route = {
    method: 'GET',
    path: '/openapi.json',
    operationId: 'openapi',
    summary: 'This document',
    access: 'anyone',
    answers: { 200: { description: 'An OpenAPI 3.1 document.', schema: { type: 'object' } } },
    handle: () => ({ code: 200, body: { json: document } }),
  };
  routes.push(own);
  const document = buildOpenApi(routes, readVersion());
  return routes;
}

function readVersion(): string {
  const url = new URL('../../../../package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(url, 'utf8')) as { version: string };
  return version;
}
