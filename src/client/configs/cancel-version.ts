import { configAnnotations } from '../../kubernetes/deployment-configs/annotations.js';
import type { DeploymentConfig } from '../../kubernetes/deployment-configs/objects.js';
import { badInput } from '../failure.js';
import type { Subject, Wish } from '../handling.js';
import { describeWish } from '../describe-wish.js';
import { versionOf } from '../tree/describe-version.js';
import { whoAmI } from '../who-am-i.js';
import { annotateVersion, describeStand, findUnderWay, readVersions } from './versions.js';

/** Asks the version under way to stop, as `oc rollout cancel` does: the last complete one serves again. */
export async function cancelVersion(
  subject: Subject<DeploymentConfig>,
  { reason }: Wish,
): Promise<string> {
  const { ref } = subject;
  const versions = await readVersions(subject);
  const running = findUnderWay(versions);
  if (running === undefined) {
    throw badInput(`${ref}: there is nothing to cancel: ${describeStand(versions)}`);
  }
  const title = `version ${versionOf(running)}`;
  if (running.metadata.annotations?.[configAnnotations.cancelled] === 'true') {
    return `${ref}: ${title} is being cancelled already`;
  }
  const by = await whoAmI(subject.session.cluster);
  await annotateVersion(subject, running, {
    [configAnnotations.cancelled]: 'true',
    ...(by === undefined ? {} : { [configAnnotations.cancelledBy]: by }),
    [configAnnotations.statusReason]: describeWish('cancelled', { by: by ?? 'the user', reason }),
  });
  return `${ref}: ${title} cancelled`;
}
