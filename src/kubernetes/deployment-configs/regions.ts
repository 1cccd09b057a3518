import type { RegionPod, RegionSummary } from '../../domain/deployment-config/observation.js';
import { defined } from '../../domain/shared/optional.js';
import type { Pod, PodTemplate } from '../objects.js';
import { configAnnotations, podLabels } from './annotations.js';
import type { ReplicationController } from './objects.js';

/** The config that a user has made a ReplicationController of their own part of; undefined for others. */
export function regionOf({ metadata }: ReplicationController): string | undefined {
  const isControlled = metadata.ownerReferences?.some(({ controller }) => controller === true);
  const isVersion = metadata.annotations?.[configAnnotations.version] !== undefined;
  return isControlled === true || isVersion
    ? undefined
    : metadata.labels?.[configAnnotations.configName];
}

export function readRegion(region: ReplicationController, pods: readonly Pod[]): RegionSummary {
  const { metadata, spec, status } = region;
  const heldSize = Number(metadata.annotations?.[configAnnotations.heldSize] ?? NaN);
  return {
    name: metadata.name,
    uid: metadata.uid ?? '',
    desired: spec?.replicas ?? 1,
    available: status?.availableReplicas ?? 0,
    statusIsCurrent: (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0),
    pods: pods.map(readPod),
    ...defined({
      version: readVersion(spec?.template?.metadata?.annotations),
      heldSize: Number.isSafeInteger(heldSize) && heldSize >= 0 ? heldSize : undefined,
    }),
  };
}

function readPod({ metadata, status }: Pod): RegionPod {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return {
    name: metadata.name,
    uid: metadata.uid ?? '',
    isReady: ready?.status === 'True',
    isBeingDeleted: metadata.deletionTimestamp !== undefined,
    ...defined({ version: readVersion(metadata.annotations) }),
  };
}

function readVersion(
  annotations: Readonly<Record<string, string>> | undefined,
): number | undefined {
  const version = Number(annotations?.[configAnnotations.version] ?? NaN);
  return Number.isSafeInteger(version) && version > 0 ? version : undefined;
}

/** Where a region's pods may run is its own affair. */
const placement = [
  'nodeSelector',
  'nodeName',
  'affinity',
  'tolerations',
  'topologySpreadConstraints',
  'schedulerName',
] as const;

/** A version's template for a region: in that region's place, with the labels by which it knows its pods. */
export function buildRegionTemplate(
  region: ReplicationController,
  version: ReplicationController,
): PodTemplate {
  const { template } = version.spec ?? {};
  const own = region.spec?.template?.spec;
  const others = Object.entries(template?.spec ?? {}).filter(
    ([field]) => !(placement as readonly string[]).includes(field),
  );
  const kept = placement.flatMap((field) =>
    own?.[field] === undefined ? [] : [[field, own[field]] as const],
  );
  return {
    ...template,
    metadata: {
      ...template?.metadata,
      labels: {
        ...template?.metadata?.labels,
        [podLabels.deployment]: region.metadata.name,
        ...region.spec?.selector,
      },
    },
    spec: Object.fromEntries([...others, ...kept]) as PodTemplate['spec'],
  } as PodTemplate;
}
