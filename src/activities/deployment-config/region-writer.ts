import type { VersionAction } from '../../domain/deployment-config/plan.js';
import type { KubernetesClient } from '../../kubernetes/client.js';
import { configAnnotations } from '../../kubernetes/deployment-configs/annotations.js';
import type { ReplicationController } from '../../kubernetes/deployment-configs/objects.js';
import { buildRegionTemplate } from '../../kubernetes/deployment-configs/regions.js';
import { resources } from '../../kubernetes/resources.js';
import type { Written } from '../carry-out.js';

type Action<Kind> = Extract<VersionAction, { kind: Kind }>;

/** Changes ReplicationControllers that users have made part of a config. */
export class RegionWriter {
  constructor(private readonly client: KubernetesClient) {}

  /** The template is replaced as a whole: what the last version had and this one hasn't must go. */
  move(
    { isEmptied }: Action<'moveRegion'>,
    region: ReplicationController,
    version: ReplicationController,
  ): Promise<Written> {
    const { annotations = {}, ...metadata } = region.metadata;
    const { replicas } = region.spec ?? {};
    const isHeld = annotations[configAnnotations.heldSize] !== undefined;
    const held =
      isEmptied && !isHeld ? { [configAnnotations.heldSize]: String(replicas ?? 1) } : {};
    return this.replace({
      ...region,
      metadata: { ...metadata, annotations: { ...annotations, ...held } },
      spec: {
        ...region.spec,
        template: buildRegionTemplate(region, version),
        ...(isEmptied ? { replicas: 0 } : {}),
      },
    });
  }

  refill({ size }: Action<'refillRegion'>, region: ReplicationController): Promise<Written> {
    const { [configAnnotations.heldSize]: _held, ...annotations } =
      region.metadata.annotations ?? {};
    return this.replace({
      ...region,
      metadata: { ...region.metadata, annotations },
      spec: { ...region.spec, replicas: size },
    });
  }

  /** It names the resource version that it was made from, so that nothing is lost. */
  private async replace(region: ReplicationController): Promise<Written> {
    const { metadata } = await this.client.replace(resources.replicationControllers, region);
    return { uid: metadata.uid ?? '', version: metadata.resourceVersion ?? '0' };
  }
}
