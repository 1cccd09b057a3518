import { paramNames } from './find-route.js';
import { schemas } from './schemas.js';
import type { Access, AnswerDescription, Route } from './route.js';

const securitySchemes = {
  cluster: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A token that the cluster knows, of a ServiceAccount or a user, which the cluster lets do what is asked.',
  },
  notification: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The key `token` of the Secret that `spec.notificationSecret` of the ImageRepository names.',
  },
} satisfies Readonly<Record<Exclude<Access, 'anyone'>, object>>;

const usualParams: Readonly<Record<string, string>> = {
  name: 'The name of the object.',
  namespace: 'The namespace of the object.',
};

/** All routes as an OpenAPI document. What the router serves is what it tells. */
export function buildOpenApi(routes: readonly Route[], version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = (paths[route.path] ??= {});
    path[route.method.toLowerCase()] = describeRoute(route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Slipway',
      version,
      description: "The worker's HTTP API. Every problem is told by a Status of Kubernetes.",
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    paths,
    components: { schemas, securitySchemes },
  };
}

function describeRoute(route: Route): object {
  const { operationId, summary, description, access, body } = route;
  const path = paramNames(route.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    description: route.params?.[name] ?? usualParams[name],
    schema: { type: 'string' },
  }));
  const query = Object.entries(route.query ?? {}).map(([name, text]) => ({
    name,
    in: 'query',
    description: text,
    schema: { type: 'string' },
  }));
  return {
    operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    security: access === 'anyone' ? [] : [{ [access]: [] }],
    ...(path.length + query.length === 0 ? {} : { parameters: [...path, ...query] }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            description: body.description,
            required: true,
            content: Object.fromEntries(body.types.map((type) => [type, { schema: body.schema }])),
          },
        }),
    responses: describeAnswers(route),
  };
}

function describeAnswers(route: Route): object {
  const answers = Object.entries(route.answers).map(([code, answer]) => [
    code,
    describeAnswer(answer),
  ]);
  const problems = Object.entries(problemsOf(route)).map(([code, description]) => [
    code,
    {
      description,
      headers: headersOf(Number(code)),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Status' } } },
    },
  ]);
  return Object.fromEntries([...answers, ...problems]) as object;
}

const describeAnswer = ({ description, schema }: AnswerDescription): object => ({
  description,
  content:
    schema === undefined
      ? { 'text/plain': { schema: { type: 'string' } } }
      : { 'application/json': { schema } },
});

/** Those that come with a route's access and body, and its own; where both speak of a code, both count. */
function problemsOf({ access, body, problems, query, path }: Route): Record<number, string> {
  const all: Record<number, string> = {};
  const add = (code: number, text: string): void => {
    all[code] = all[code] === undefined ? text : `${all[code]} Or: ${text}`;
  };
  if (access !== 'anyone') add(401, 'No token was sent.');
  if (access === 'cluster') {
    add(400, 'The cluster does not know the token (reason InvalidToken).');
    add(403, 'The cluster does not let the caller do this.');
  }
  if (access === 'notification') add(403, 'The token opens nothing here.');
  if (query !== undefined || path.includes('{')) add(400, 'A parameter is not what it must be.');
  else add(400, 'The query has a parameter that is not known here.');
  if (body !== undefined) {
    add(400, 'The body is not JSON; the message says where.');
    add(408, 'The body did not come in time.');
    add(413, `The body has more than ${body.limitBytes} bytes.`);
    add(415, 'The body is of another type.');
  }
  for (const [code, text] of Object.entries(problems ?? {})) add(Number(code), text);
  add(500, 'Something is wrong in the worker, which its log tells.');
  if (access !== 'anyone') add(503, 'The cluster can not be asked right now.');
  add(504, 'There was no answer in time.');
  return all;
}

function headersOf(code: number): object {
  const text = (description: string): object => ({ description, schema: { type: 'string' } });
  const id = { 'X-Request-Id': text('By which the log of the worker knows the request.') };
  if (code === 401) return { ...id, 'WWW-Authenticate': text('Bearer, without an error.') };
  if (code === 400) {
    return {
      ...id,
      'WWW-Authenticate': text(
        'Bearer with error="invalid_token", where the token is the problem.',
      ),
    };
  }
  if (code === 503) return { ...id, 'Retry-After': text('Seconds to wait before the next try.') };
  return id;
}
