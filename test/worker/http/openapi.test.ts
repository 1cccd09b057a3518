import { describe, expect, test } from '@jest/globals';

import { connectCluster } from '../../../src/kubernetes/connect.js';
import { findRoute, paramNames } from '../../../src/worker/http/find-route.js';
import { createRoutes } from '../../../src/worker/http/routes/create-routes.js';
import { unreachableKubeconfig } from './support/unreachable-cluster.js';

interface Operation {
  operationId: string;
  security: object[];
  parameters?: { name: string; in: string }[];
  requestBody?: object;
  responses: Record<string, object>;
}
interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: object; securitySchemes: object };
}

const cluster = connectCluster({ kubeconfig: unreachableKubeconfig });
const routes = createRoutes({
  cluster,
  isReady: () => true,
  metrics: () => Promise.resolve(''),
});

async function readDocument(): Promise<Document> {
  const found = findRoute(routes, 'GET', '/openapi.json');
  if (found.kind !== 'found') throw new Error('there is no document');
  const { body } = await found.route.handle({} as never);
  // As it goes over the wire.
  return JSON.parse(JSON.stringify((body as { json: unknown }).json)) as Document;
}

describe('/openapi.json', () => {
  test('has every route, and no other', async () => {
    const { paths } = await readDocument();
    const told = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(told.sort()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).sort());
    expect(told).toEqual(
      expect.arrayContaining([
        'GET /generateDeploymentConfigs/{name}',
        'GET /namespaces/{namespace}/generateDeploymentConfigs/{name}',
        'PUT /deploymentConfigs/{namespace}/{name}',
        'POST /notifications',
        'POST /notifications/{namespace}/{imageRepository}',
        'GET /healthz',
        'GET /readyz',
        'GET /metrics',
        'GET /openapi.json',
      ]),
    );
  });

  test('tells each path apart: the router finds the route that is told', () => {
    for (const route of routes) {
      const path = route.path.replaceAll(/\{\w+\}/g, 'x');
      expect(findRoute(routes, route.method, path)).toMatchObject({ kind: 'found', route });
    }
  });

  test('tells parameters, bodies, rights and problems as they are', async () => {
    const { openapi, paths, components } = await readDocument();
    expect(openapi).toBe('3.1.0');
    const ids = new Set<string>();
    for (const { method, path, access, body, query } of routes) {
      const operation = paths[path]?.[method.toLowerCase()];
      if (operation === undefined) throw new Error(`${method} ${path} is missing`);
      ids.add(operation.operationId);
      const params = operation.parameters ?? [];
      const named = (place: string): string[] =>
        params.filter((param) => param.in === place).map(({ name }) => name);
      expect(named('path')).toEqual(paramNames(path));
      expect(named('query')).toEqual(Object.keys(query ?? {}));
      expect(operation.requestBody !== undefined).toBe(body !== undefined);
      expect(operation.security).toEqual(access === 'anyone' ? [] : [{ [access]: [] }]);
      if (access !== 'anyone') {
        expect(Object.keys(components.securitySchemes)).toContain(access);
        expect(Object.keys(operation.responses)).toEqual(
          expect.arrayContaining(['401', '403', '503']),
        );
      }
      if (body !== undefined) {
        expect(Object.keys(operation.responses)).toEqual(
          expect.arrayContaining(['400', '413', '415']),
        );
      }
      expect(Object.values(operation.responses).every((answer) => 'description' in answer)).toBe(
        true,
      );
    }
    expect(ids.size).toBe(routes.length);
  });

  test('every reference leads to a schema', async () => {
    const document = await readDocument();
    const names = Object.keys(document.components.schemas);
    const text = JSON.stringify(document);
    const used = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
    expect(new Set(used)).toEqual(new Set(names));
  });
});
