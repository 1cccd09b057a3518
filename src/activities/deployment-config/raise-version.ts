import type { VersionRequest } from '../../domain/deployment-config/generate-config.js';
import { forgetRefusals } from '../../domain/deployment-config/mark-refused.js';
import type { Condition } from '../../domain/shared/conditions.js';
import type { KubernetesClient } from '../../kubernetes/client.js';
import { configAnnotations } from '../../kubernetes/deployment-configs/annotations.js';
import type { DeploymentConfig } from '../../kubernetes/deployment-configs/objects.js';
import { readConfig } from '../../kubernetes/deployment-configs/read-config.js';
import { readRequest } from '../../kubernetes/deployment-configs/read-request.js';
import { writeTriggers } from '../../kubernetes/deployment-configs/read-triggers.js';
import { resources } from '../../kubernetes/resources.js';
import { describeDetails, generate, type ConfigScene } from './generate.js';

export interface RaisedVersion {
  readonly isWritten: boolean;
  /** Sources whose images are not known, without which no version can be made. */
  readonly waitsFor: readonly string[];
}

/**
 * Makes a config's next version when there is a cause for one: fills in the newest images, lets triggers act
 * again where whoever asks says so, raises `status.latestVersion` and notes why. Each write names the version
 * of the config that it was made from, so that two who try make one version.
 */
export async function raiseVersion(
  client: KubernetesClient,
  scene: ConfigScene,
): Promise<RaisedVersion> {
  const { config } = scene;
  const { namespace = '' } = config.metadata;
  const asked = readRequest(config);
  const request = readWish(scene);
  const generated = generate(scene, request);
  let version = config.metadata.resourceVersion;
  const isResumed =
    generated.causes.length > 0 &&
    request?.resumesTriggers === true &&
    config.spec.triggersSuspended === true;
  if (generated.isFilled || isResumed) {
    const filled = {
      template: generated.template,
      triggers: writeTriggers(config.spec, namespace, generated.triggers),
    };
    version = await patch(client, config, version, {
      spec: {
        ...(generated.isFilled ? filled : {}),
        ...(isResumed ? { triggersSuspended: null } : {}),
      },
    });
  }
  if (generated.causes.length > 0) {
    const details = describeDetails(generated.causes);
    const status = { latestVersion: generated.latestVersion, details, ...dropRefusals(config) };
    version = await patch(client, config, version, { status }, 'status');
  }
  const isAnswered = asked !== undefined && (request === undefined || generated.causes.length > 0);
  if (isAnswered) {
    const metadata = { annotations: { [configAnnotations.request]: null } };
    await patch(client, config, version, { metadata });
  }
  const isWritten = generated.isFilled || generated.causes.length > 0 || isAnswered;
  return { isWritten, waitsFor: generated.waitsFor };
}

/** Why a rollback was refused before is of no interest any more. */
function dropRefusals(config: DeploymentConfig): { readonly conditions?: readonly Condition[] } {
  const { conditions } = readConfig(config).status;
  const left = forgetRefusals(conditions);
  return left.length === conditions.length ? {} : { conditions: left };
}

/** Whoever asks says for which version, so that asking twice makes one. */
export function readWish({ config }: ConfigScene): VersionRequest | undefined {
  const asked = readRequest(config);
  const latestVersion = config.status?.latestVersion ?? 0;
  return asked !== undefined && asked.version > latestVersion ? asked : undefined;
}

async function patch(
  client: KubernetesClient,
  { metadata: { namespace, name } }: DeploymentConfig,
  resourceVersion: string | undefined,
  body: { readonly metadata?: object; readonly spec?: object; readonly status?: object },
  subresource?: 'status',
): Promise<string | undefined> {
  const { metadata } = await client.patch<DeploymentConfig>(
    resources.deploymentConfigs,
    namespace,
    name,
    'merge',
    { ...body, metadata: { ...body.metadata, resourceVersion } },
    { brief: true, ...(subresource === undefined ? {} : { subresource }) },
  );
  return metadata.resourceVersion;
}
