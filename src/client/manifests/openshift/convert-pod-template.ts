import { isMap, isText, listOf, mapOf, without, type JsonMap } from '../json-value.js';
import { findUnknownFields, type Conversion } from './conversion.js';

/** A pod template of any age: the first ones have a `desiredState` with a manifest of containers. */
export function convertPodTemplate(template: JsonMap, path: string): Conversion {
  if (template['desiredState'] === undefined) return { object: template, mistakes: [] };
  const { labels, annotations, nodeSelector } = template;
  const state = mapOf(template['desiredState']);
  const inState = `${path}.desiredState`;
  const manifest = mapOf(state['manifest']);
  const inManifest = `${inState}.manifest`;
  const containers = listOf(manifest['containers']).map((container, index) =>
    convertContainer(mapOf(container), `${inManifest}.containers[${index}]`),
  );
  const volumes = listOf(manifest['volumes']).map((volume) => convertVolume(mapOf(volume)));
  const metadata = {
    ...(isMap(labels) ? { labels } : {}),
    ...(isMap(annotations) ? { annotations } : {}),
  };
  const spec = {
    ...without(manifest, ['version', 'id', 'uuid', 'containers', 'volumes', 'restartPolicy']),
    ...convertRestartPolicy(manifest['restartPolicy']),
    ...(isMap(nodeSelector) ? { nodeSelector } : {}),
    containers: containers.map(({ object }) => object ?? {}),
    ...(volumes.length === 0 ? {} : { volumes }),
  };
  return {
    object: { ...(Object.keys(metadata).length === 0 ? {} : { metadata }), spec },
    mistakes: [
      ...findUnknownFields(template, templateFields, path),
      ...findUnknownFields(state, ['manifest'], inState),
      ...findUnknownFields(manifest, manifestFields, inManifest),
      ...containers.flatMap(({ mistakes }) => mistakes),
    ],
  };
}

const templateFields = ['id', 'labels', 'annotations', 'nodeSelector', 'desiredState'];

const manifestFields = [
  'version',
  'id',
  'uuid',
  'containers',
  'volumes',
  'restartPolicy',
  'dnsPolicy',
  'hostNetwork',
];

const sameInContainers = [
  'name',
  'image',
  'workingDir',
  'ports',
  'env',
  'volumeMounts',
  'lifecycle',
  'terminationMessagePath',
  'securityContext',
];

const changedInContainers = [
  'entrypoint',
  'command',
  'cpu',
  'memory',
  'resources',
  'privileged',
  'capabilities',
  'imagePullPolicy',
  'livenessProbe',
  'readinessProbe',
];

const pullPolicies: Readonly<Record<string, string>> = {
  PullAlways: 'Always',
  PullIfNotPresent: 'IfNotPresent',
  PullNever: 'Never',
};

function convertContainer(container: JsonMap, path: string): Conversion {
  const known = [...sameInContainers, ...changedInContainers];
  const { entrypoint, command, privileged, capabilities, imagePullPolicy } = container;
  const resources = convertResources(container);
  const security = {
    ...mapOf(container['securityContext']),
    ...(privileged === true ? { privileged } : {}),
    ...(isMap(capabilities) ? { capabilities } : {}),
  };
  return {
    object: {
      ...without(container, changedInContainers),
      // What was the command is the arguments today, after the image's own entrypoint or this one.
      ...(isFilled(entrypoint) ? { command: entrypoint } : {}),
      ...(isFilled(command) ? { args: command } : {}),
      ...(Object.keys(resources).length === 0 ? {} : { resources }),
      ...(Object.keys(security).length === 0 ? {} : { securityContext: security }),
      ...(isText(imagePullPolicy)
        ? { imagePullPolicy: pullPolicies[imagePullPolicy] ?? imagePullPolicy }
        : {}),
      ...convertProbe('livenessProbe', container),
      ...convertProbe('readinessProbe', container),
    },
    mistakes: findUnknownFields(container, known, path),
  };
}

const isFilled = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

/** `cpu` was in thousandths, `memory` in bytes, and none of it was 0. */
function convertResources({ cpu, memory, resources }: JsonMap): JsonMap {
  const limits = {
    ...(typeof cpu === 'number' && cpu > 0 ? { cpu: `${cpu}m` } : {}),
    ...(typeof memory === 'number' && memory > 0 ? { memory: String(memory) } : {}),
    ...mapOf(mapOf(resources)['limits']),
  };
  return { ...mapOf(resources), ...(Object.keys(limits).length === 0 ? {} : { limits }) };
}

/** Its `type` only repeated which of the other fields there is. */
function convertProbe(name: string, container: JsonMap): JsonMap {
  const probe = container[name];
  return isMap(probe) ? { [name]: without(probe, ['type']) } : {};
}

const sources: Readonly<Record<string, string>> = {
  hostDir: 'hostPath',
  persistentDisk: 'gcePersistentDisk',
};

/** What a volume is made of stood in a map of its own, and was an empty folder by default. */
function convertVolume(volume: JsonMap): JsonMap {
  if (!('source' in volume)) return volume;
  const entries = Object.entries(mapOf(volume['source'])).filter(([, value]) => value !== null);
  const [name = 'emptyDir', value = {}] = entries[0] ?? [];
  const target = mapOf(mapOf(value)['target'])['name'];
  const converted = name === 'secret' && isText(target) ? { secretName: target } : value;
  return { ...without(volume, ['source']), [sources[name] ?? name]: converted };
}

const restartPolicies: Readonly<Record<string, string>> = {
  always: 'Always',
  onFailure: 'OnFailure',
  never: 'Never',
};

function convertRestartPolicy(policy: unknown): JsonMap {
  if (isText(policy)) return { restartPolicy: policy };
  const [word = ''] = Object.keys(mapOf(policy));
  const converted = restartPolicies[word];
  return converted === undefined ? {} : { restartPolicy: converted };
}
