import { defined } from '../../domain/shared/optional.js';
import { configAnnotations } from '../../kubernetes/deployment-configs/annotations.js';
import type { DeploymentConfig } from '../../kubernetes/deployment-configs/objects.js';
import { badInput } from '../failure.js';
import type { Subject, Wish } from '../handling.js';
import { phaseOfVersion, versionOf } from '../tree/describe-version.js';
import { whoAmI } from '../who-am-i.js';
import { annotateVersion, describeStand, readVersions } from './versions.js';

/** Asks for another try of the latest version, when it has failed. */
export async function retryVersion(
  subject: Subject<DeploymentConfig>,
  { reason }: Wish,
): Promise<string> {
  const { ref, object } = subject;
  const versions = await readVersions(subject);
  const [latest] = versions;
  const isLatest =
    latest !== undefined && versionOf(latest) === (object.status?.latestVersion ?? 0);
  if (!isLatest || phaseOfVersion(latest) !== 'Failed') {
    throw badInput(
      `${ref}: only a latest version that has failed can be tried again, and ${describeStand(versions)}`,
    );
  }
  const by = await whoAmI(subject.session.cluster);
  await annotateVersion(subject, latest, {
    [configAnnotations.retry]: JSON.stringify(defined({ by, reason })),
  });
  return `${ref}: version ${versionOf(latest)} is tried again`;
}
