import type { RollbackProblem } from '../../domain/rollback/report.js';
import { defined } from '../../domain/shared/optional.js';
import { ApiError, isConflict, isForbidden, isInvalid } from '../../kubernetes/api-error.js';
import type { KubernetesClient } from '../../kubernetes/client.js';
import type { DeploymentConfig } from '../../kubernetes/deployment-configs/objects.js';
import { resources } from '../../kubernetes/resources.js';

/** A status update between reading and trying makes the trial fail; this many are outlived, as by the write itself. */
const tries = 20;

/**
 * Why a config can't be written as it would be after going back, by the judgement of the apiserver itself. The
 * trial is as strict as the write.
 */
export async function findWriteProblems(
  client: Pick<KubernetesClient, 'get' | 'replace'>,
  proposed: DeploymentConfig,
): Promise<readonly RollbackProblem[]> {
  if (proposed.spec.paused === true) {
    return [{ field: 'spec.paused', message: 'it is paused: resume it first' }];
  }
  const type = resources.deploymentConfigs;
  const { namespace, name, uid, generation } = proposed.metadata;
  let trial = proposed;
  for (let count = 1; ; count += 1) {
    try {
      await client.replace(type, trial, { dryRun: true, strict: true });
      return [];
    } catch (error) {
      // Policies refuse what they won't have as invalid or as forbidden, as it pleases them.
      const isRefusal = isInvalid(error) || isForbidden(error);
      if (error instanceof ApiError && isRefusal) return readProblems(error);
      if (!isConflict(error) || count >= tries) throw error;
    }
    const { metadata } = await client.get<DeploymentConfig>(type, namespace, name);
    // Another config than was looked at: that is found, and looked at anew, when it is really written.
    if (metadata.uid !== uid || metadata.generation !== generation) return [];
    const { resourceVersion } = metadata;
    trial = { ...proposed, metadata: { ...proposed.metadata, ...defined({ resourceVersion }) } };
  }
}

function readProblems({ causes, message }: ApiError): readonly RollbackProblem[] {
  const named = causes.flatMap((cause) =>
    cause.field === undefined || cause.message === undefined
      ? []
      : [{ field: cause.field, message: cause.message }],
  );
  if (named.length > 0) return named;
  // A field that the kind has no more, such as of a version made before an upgrade, is named in the sentence alone.
  const unknown = [...message.matchAll(/unknown field "([^"]+)"/g)].map(([, field = '']) => ({
    field,
    message: 'the cluster knows no such field',
  }));
  return unknown.length > 0 ? unknown : [{ field: 'spec', message }];
}
