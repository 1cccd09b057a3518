import { isNotFound } from '../../../kubernetes/api-error.js';
import type { KubernetesClient } from '../../../kubernetes/client.js';
import { imageRepositoryAnnotations } from '../../../kubernetes/image-repositories/annotations.js';
import type { ImageRepository } from '../../../kubernetes/image-repositories/objects.js';
import { resources } from '../../../kubernetes/resources.js';
import { readNotification, type PushNotice } from '../../../registry/read-notification.js';
import { matchPushes, type PushMatch } from '../notifications/match-pushes.js';
import { NotificationGate } from '../notifications/notification-gate.js';
import { HttpProblem } from '../problem.js';
import { readName, readNamespace } from '../read-name.js';
import type { Answer, ApiRequest, Route } from '../route.js';
import { schemaRef } from '../schemas.js';

const body: NonNullable<Route['body']> = {
  description: 'The envelope that the registry sends.',
  types: [
    'application/json',
    'application/vnd.docker.distribution.events.v1+json',
    'application/vnd.docker.distribution.events.v2+json',
  ],
  limitBytes: 1024 * 1024,
  schema: schemaRef('Notification'),
};

const shared = {
  method: 'POST',
  access: 'notification',
  body,
  answers: {
    202: { description: 'How many pushes will be looked into.', schema: schemaRef('Receipt') },
  },
} as const satisfies Partial<Route>;

const invalid = { 422: 'The body is JSON and yet no notification; the message says why.' };

/** Registries tell of pushes here. What they say is a hint: the registry itself is asked before it counts. */
export function notificationRoutes(client: KubernetesClient): readonly Route[] {
  const gate = new NotificationGate(client);
  return [
    {
      ...shared,
      path: '/notifications',
      operationId: 'notifyAll',
      summary: 'Tell of pushes to any ImageRepository whose secret the token is',
      problems: invalid,
      handle: async (request) => take(client, request, await gate.admit(request.authorization)),
    },
    {
      ...shared,
      path: '/notifications/{namespace}/{imageRepository}',
      operationId: 'notifyOne',
      summary: 'Tell of pushes to one ImageRepository',
      params: { imageRepository: 'The name of the ImageRepository.' },
      problems: { ...invalid, 404: 'There is no such ImageRepository.' },
      handle: async (request) => {
        const namespace = readNamespace(request.params['namespace']);
        const name = readName('imageRepository', request.params['imageRepository']);
        const repository = await gate.admitTo(request.authorization, namespace, name);
        return take(client, request, () => Promise.resolve([repository]));
      },
    },
  ];
}

async function take(
  client: KubernetesClient,
  request: ApiRequest,
  findOpen: () => Promise<readonly ImageRepository[]>,
): Promise<Answer> {
  const pushes = readPushes(await request.json());
  // Registries tell of every pull and of every layer as well.
  const repositories = pushes.length === 0 ? [] : await findOpen();
  const { matches, accepted, unmatched } = matchPushes(pushes, repositories);
  const at = new Date().toISOString();
  for (const match of matches) await note(client, match, at);
  return { code: 202, body: { json: { accepted, unmatched } } };
}

function readPushes(envelope: unknown): readonly PushNotice[] {
  const reading = readNotification(envelope);
  if (reading.kind === 'valid') return reading.pushes;
  throw new HttpProblem(422, reading.problem);
}

/** Whoever watches the ImageRepository sees it and asks the registry at once. */
async function note(
  client: KubernetesClient,
  { repository: { metadata }, push: { tag, digest } }: PushMatch,
  at: string,
): Promise<void> {
  const { namespace, name } = metadata;
  const annotations = { [imageRepositoryAnnotations.pushed]: JSON.stringify({ tag, digest, at }) };
  try {
    const type = resources.imageRepositories;
    await client.patch(
      type,
      namespace,
      name,
      'merge',
      { metadata: { annotations } },
      { brief: true },
    );
  } catch (error) {
    // It was deleted a moment ago: nobody follows its tags any more.
    if (!isNotFound(error)) throw error;
  }
}
