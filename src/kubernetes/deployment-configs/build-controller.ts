import { configAnnotations, podLabels } from './annotations.js';
import { changeAnnotation, type ServedBefore } from './config-change.js';
import type { DeploymentConfig, ReplicationController } from './objects.js';

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** Example: version 3 of web -> web-3 */
export const controllerName = (config: string, version: number): string => `${config}-${version}`;

/**
 * The ReplicationController that is a version: the whole config as it was, images and all, and no pods
 * yet. Its selector keeps its pods apart from those of other versions. What was in force before is noted, since
 * that may be gone when somebody asks.
 */
export function buildController(
  config: DeploymentConfig,
  version: number,
  before?: ServedBefore,
): ReplicationController {
  const { metadata, spec, status } = config;
  const name = controllerName(metadata.name, version);
  const own = { [podLabels.deployment]: name, [podLabels.config]: metadata.name };
  const { template } = spec;
  const labels = template.metadata?.labels ?? {};
  const marks = {
    [configAnnotations.configName]: metadata.name,
    [configAnnotations.version]: String(version),
  };
  return {
    metadata: {
      name,
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
      labels: { ...metadata.labels, [configAnnotations.configName]: metadata.name },
      annotations: {
        ...inherited(metadata.annotations),
        ...marks,
        [configAnnotations.phase]: 'New',
        [configAnnotations.desiredReplicas]: String(spec.replicas ?? 1),
        [configAnnotations.replicas]: '0',
        [configAnnotations.causes]: JSON.stringify(status?.details?.causes ?? []),
        ...changeAnnotation(config, version, before),
        [configAnnotations.encodedConfig]: encodeConfig(config, version),
      },
      ownerReferences: [
        {
          apiVersion: 'apps.openshift.io/v1',
          kind: 'DeploymentConfig',
          name: metadata.name,
          uid: metadata.uid ?? '',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      replicas: 0,
      minReadySeconds: spec.minReadySeconds ?? 0,
      selector: { ...selectorOf(config), ...own },
      template: {
        ...template,
        metadata: {
          ...template.metadata,
          labels: { ...labels, ...own },
          annotations: {
            ...template.metadata?.annotations,
            ...marks,
            [configAnnotations.deploymentName]: name,
          },
        },
      },
    },
  };
}

/** A selector that is left out is whatever the template's labels are. */
export function selectorOf({ spec }: DeploymentConfig): Record<string, string> {
  const { selector, template } = spec;
  const isGiven = selector !== undefined && selector !== null && Object.keys(selector).length > 0;
  return isGiven ? selector : (template.metadata?.labels ?? {});
}

/** The snapshot, without what tells of its storage alone. */
function encodeConfig({ metadata, spec, status }: DeploymentConfig, version: number): string {
  const { managedFields: _written, ...kept } = metadata;
  return JSON.stringify({
    apiVersion: 'apps.openshift.io/v1',
    kind: 'DeploymentConfig',
    metadata: { ...kept, annotations: inherited(metadata.annotations) },
    spec,
    status: { ...status, latestVersion: version },
  });
}

/** Snapshots are long, never change and are looked into at each look. */
const decoded = new WeakMap<ReplicationController, DeploymentConfig | undefined>();

/** The config in a version; undefined where somebody has spoilt it. */
export function decodeConfig(controller: ReplicationController): DeploymentConfig | undefined {
  if (!decoded.has(controller)) decoded.set(controller, parseSnapshot(controller));
  return decoded.get(controller);
}

function parseSnapshot({ metadata }: ReplicationController): DeploymentConfig | undefined {
  const text = metadata.annotations?.[configAnnotations.encodedConfig];
  if (text === undefined) return undefined;
  try {
    const config = JSON.parse(text) as Partial<DeploymentConfig> | null;
    return config?.spec?.template === undefined ? undefined : (config as DeploymentConfig);
  } catch {
    return undefined;
  }
}

/** What a version takes over from its config: not what asks something of that one, nor what only a version has. */
function inherited(own: Readonly<Record<string, string>> = {}): Record<string, string> {
  const notInherited: readonly string[] = [lastApplied, ...Object.values(configAnnotations)];
  return Object.fromEntries(Object.entries(own).filter(([key]) => !notInherited.includes(key)));
}
