import type { Author } from '../domain/shared/author.js';
import { isNotFound } from './api-error.js';
import { isSameChange, writeChangeNote, type ChangedTemplate } from './change-note.js';
import type { KubernetesClient } from './client.js';
import { annotations } from './deployments/annotations.js';
import type { KubernetesObject } from './objects.js';
import type { ResourceType } from './resources.js';

/**
 * An object that is about to be applied, with the note of who has written its template. Where the template
 * stays as it is, a note that is there stays too. A dry run tells what the cluster makes of it.
 */
export async function signChange<T extends KubernetesObject>(
  client: KubernetesClient,
  type: ResourceType,
  object: T,
  author: Author,
  readTemplate: (object: T) => ChangedTemplate,
): Promise<T> {
  const [before, after] = await Promise.all([
    readCurrent<T>(client, type, object),
    client.apply(type, object, { dryRun: true, strict: true }),
  ]);
  const changed = readTemplate(after);
  const isSame = before !== undefined && isSameChange(readTemplate(before), changed);
  const note = isSame ? keptNote(before) : writeChangeNote(author, changed);
  const { metadata } = object;
  return {
    ...object,
    metadata: { ...metadata, annotations: { ...metadata.annotations, ...note } },
  };
}

function keptNote({ metadata }: KubernetesObject): Record<string, string> {
  const kept = metadata.annotations?.[annotations.changedBy];
  return kept === undefined ? {} : { [annotations.changedBy]: kept };
}

async function readCurrent<T extends KubernetesObject>(
  client: KubernetesClient,
  type: ResourceType,
  { metadata: { namespace, name } }: T,
): Promise<T | undefined> {
  try {
    return await client.get<T>(type, namespace, name);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
