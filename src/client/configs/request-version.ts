import { defined } from '../../domain/shared/optional.js';
import { isConflict } from '../../kubernetes/api-error.js';
import { configAnnotations } from '../../kubernetes/deployment-configs/annotations.js';
import type { DeploymentConfig } from '../../kubernetes/deployment-configs/objects.js';
import { findPendingRollback } from '../../kubernetes/deployment-configs/read-request.js';
import { describeWish } from '../describe-wish.js';
import { badInput, CommandFailure } from '../failure.js';
import type { Subject, Triggered, TriggerWish } from '../handling.js';
import { recordEvent } from '../record-event.js';
import { whoAmI } from '../who-am-i.js';
import { createConfigFollower, createVersionAwaiter } from './config-follower.js';

/** A status update between reading and writing makes the write fail; this many are outlived. */
const tries = 20;

/** Asks for the version after the latest one. */
export async function requestVersion(
  subject: Subject<DeploymentConfig>,
  { reason, resumeTriggers }: TriggerWish,
): Promise<Triggered> {
  const { session, object } = subject;
  const { client } = session.cluster;
  const by = await whoAmI(session.cluster);
  const latest = await writeRequest(subject, { by, reason, resumesTriggers: resumeTriggers });
  await recordEvent(client, object, 'VersionRequested', describeWish('Asked for', { by, reason }));
  return {
    made: createVersionAwaiter(latest),
    ended: createConfigFollower(latest, true),
  };
}

/** Resolves to the latest version there was. */
async function writeRequest(
  { session: { cluster }, type, ref, object }: Subject<DeploymentConfig>,
  wish: {
    readonly by: string | undefined;
    readonly reason: string | undefined;
    readonly resumesTriggers: true | undefined;
  },
): Promise<number> {
  const { namespace, name } = object.metadata;
  let config = object;
  for (let count = 1; ; count += 1) {
    const latest = config.status?.latestVersion ?? 0;
    const pending = findPendingRollback(config);
    if (pending !== undefined) {
      throw badInput(
        `${ref} is on its way back to version ${pending.to}: try again when it is there`,
      );
    }
    const request = JSON.stringify({ version: latest + 1, ...defined(wish) });
    const { resourceVersion } = config.metadata;
    const metadata = { resourceVersion, annotations: { [configAnnotations.request]: request } };
    try {
      await cluster.client.patch(type, namespace, name, 'merge', { metadata });
      return latest;
    } catch (error) {
      if (!isConflict(error)) throw error;
      if (count >= tries) {
        throw new CommandFailure(`${ref} changes too fast to be written to`, undefined, {
          cause: error,
        });
      }
    }
    config = await cluster.client.get<DeploymentConfig>(type, namespace, name);
  }
}
