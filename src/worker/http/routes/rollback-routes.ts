import { examine } from '../rollbacks/examine.js';
import { generateRollback } from '../rollbacks/generate-rollback.js';
import { readRollbackBody } from '../rollbacks/read-rollback-body.js';
import { HttpProblem } from '../problem.js';
import { readNamespace } from '../read-name.js';
import type { Answer, ApiRequest, Route } from '../route.js';
import { schemaRef } from '../schemas.js';
import { goBack, right, show, warnAll, type ConfigRouteSources } from './config-routes.js';

const limitBytes = 64 * 1024;
const dryRun = 'true or All: tell what it would change and what may break, and change nothing.';

type Endpoint = Omit<Route, 'path' | 'query' | 'operationId'>;

/** Going back, in the words of the document and in those of OpenShift. */
export function rollbackRoutes(sources: ConfigRouteSources): readonly Route[] {
  const endpoint = rollbackEndpoint(sources);
  return [
    {
      ...endpoint,
      path: '/deploymentConfigRollbacks',
      operationId: 'rollBackDeploymentConfig',
      query: { namespace: "The namespace of the object; the worker's own by default.", dryRun },
    },
    {
      ...endpoint,
      path: '/namespaces/{namespace}/deploymentConfigRollbacks',
      operationId: 'rollBackDeploymentConfigInNamespace',
      query: { dryRun },
    },
  ];
}

const rollbackEndpoint = (sources: ConfigRouteSources): Endpoint => ({
  method: 'POST',
  access: 'cluster',
  summary: 'Take a DeploymentConfig back to an earlier version',
  description:
    'With {name, rollback}, examines what going back means, and then has it done: the config becomes what it was, as a new version, by which the caller is named, with all triggers suspended. With a DeploymentConfigRollback of OpenShift, examines it as well, and answers with the config as it would be: PUT the answer to /deploymentConfigs to have it so. Needs the right to update the DeploymentConfig.',
  body: {
    description: 'Which config goes back, to what, and how far.',
    types: ['application/json'],
    limitBytes,
    schema: schemaRef('Rollback'),
  },
  answers: {
    200: {
      description:
        'Nothing was changed: the report of a dry run, or the config as it would be after a DeploymentConfigRollback, with what may break in the header Warning.',
      schema: { oneOf: [schemaRef('RollbackReport'), schemaRef('DeploymentConfig')] },
    },
    201: {
      description: 'The config has gone back, and the version of that is made.',
      schema: schemaRef('DeploymentConfig'),
    },
    202: {
      description:
        'It is going to go back, and the version of that is not made yet; that is not forgotten. A header Warning says so.',
      schema: schemaRef('DeploymentConfig'),
    },
  },
  problems: {
    404: 'There is no such DeploymentConfig.',
    409: 'The DeploymentConfig has changed meanwhile, or is asked to go back already; nothing was changed.',
    422: 'It can not go back, or the body is not what it must be: the message and its causes name each problem. Nothing was changed.',
  },
  handle: (request) => handle(sources, request),
});

async function handle(
  { client, gate, defaultNamespace }: ConfigRouteSources,
  request: ApiRequest,
): Promise<Answer> {
  const { params, query } = request;
  const namespace = readNamespace(params['namespace'] ?? query['namespace'] ?? defaultNamespace);
  const isDryRun = readDryRun(query['dryRun']);
  // Whose right it is to go back depends on the name, which is in the body.
  await gate.identify(request);
  const body = readRollbackBody(await request.json(), namespace);
  const key = { namespace, name: body.name };
  const { username } = await gate.admit(request, right('update', key));
  if (body.kind === 'generate') {
    const { config, warnings } = await generateRollback(client, key, body, username);
    const texts = warnings.map(({ object, message }) => `${object}: ${message}`);
    return show(200, config, warnAll(texts));
  }
  const wish = { ...body.wish, by: username };
  if (isDryRun) return { code: 200, body: { json: await examine(client, key, wish) } };
  return goBack(client, key, wish, request.signal);
}

function readDryRun(text: string | undefined): boolean {
  if (text === undefined || text === 'false') return false;
  if (text === 'true' || text === 'All') return true;
  throw new HttpProblem(400, 'dryRun: must be true, All or false');
}
