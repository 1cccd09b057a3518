import { isDigest } from '../domain/images/digest.js';
import { isTag } from '../domain/images/parse-image.js';

/** That someone says a tag was pushed. Only the registry itself can confirm it. */
export interface PushNotice {
  /** The host by which the one who pushed knows the registry; others may know it by another. */
  readonly host?: string;
  /** The path of the repository, without a host. */
  readonly repository: string;
  readonly tag: string;
  readonly digest: string;
}

export type NotificationReading =
  | { readonly kind: 'valid'; readonly pushes: readonly PushNotice[] }
  | { readonly kind: 'invalid'; readonly problem: string };

/**
 * Reads what a registry of the distribution project sends to its endpoints: events, of which pushes of
 * tagged manifests matter here. Pulls, deletions, layers and manifests without a tag are passed over.
 */
export function readNotification(envelope: unknown): NotificationReading {
  if (!isObject(envelope)) return invalid('the notification is not a JSON object');
  const events = envelope['events'];
  if (!Array.isArray(events)) return invalid('events: must be a list');
  const pushes: PushNotice[] = [];
  for (const [index, event] of (events as unknown[]).entries()) {
    const push = readEvent(event);
    if (typeof push === 'string') return invalid(`events[${index}]${push}`);
    if (push !== undefined) pushes.push(push);
  }
  return { kind: 'valid', pushes };
}

/** A text is what is wrong with it; undefined when it is of no interest. */
function readEvent(event: unknown): PushNotice | string | undefined {
  if (!isObject(event)) return ': must be an object';
  const { action, target, request } = event;
  if (typeof action !== 'string') return '.action: must be a text';
  if (action !== 'push') return undefined;
  if (!isObject(target)) return '.target: must be an object';
  const { repository, tag, digest } = target;
  if (tag === undefined || tag === '') return undefined;
  if (typeof tag !== 'string' || !isTag(tag)) return '.target.tag: must be a tag';
  if (typeof repository !== 'string' || repository === '') {
    return '.target.repository: must be the name of a repository';
  }
  if (typeof digest !== 'string' || !isDigest(digest)) return '.target.digest: must be a digest';
  const host = isObject(request) ? request['host'] : undefined;
  return {
    ...(typeof host === 'string' && host !== '' ? { host } : {}),
    repository,
    tag,
    digest,
  };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const invalid = (problem: string): NotificationReading => ({ kind: 'invalid', problem });
