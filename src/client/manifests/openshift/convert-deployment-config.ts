import { describeWishProblems, readWish } from '../../../domain/rollback/read-wish.js';
import { isMap, isText, mapOf, without, type JsonMap } from '../json-value.js';
import { findUnknownFields, type Conversion } from './conversion.js';
import { convertPodTemplate } from './convert-pod-template.js';
import { convertTriggers, plainWord } from './deployment-triggers.js';

const header = { apiVersion: 'apps.openshift.io/v1', kind: 'DeploymentConfig' };

/** A DeploymentConfig of any age in today's form. */
export function convertDeploymentConfig(value: JsonMap): Conversion {
  if (!isAbsent(value['rollback'])) return convertRollback(value);
  return isFirstForm(value) ? convertFirstForm(value) : convertSpec(value);
}

/** A wish to go back, which is all that is written: what the config becomes is for its history to say. */
function convertRollback(value: JsonMap): Conversion {
  if (value['spec'] !== undefined || value['template'] !== undefined) {
    const field = value['spec'] === undefined ? 'template' : 'spec';
    return { mistakes: [`${field}: must be left out with a rollback, which brings one`] };
  }
  const { rollback } = value;
  const metadata = without(convertMetadata(value), ['labels', 'annotations']);
  const read = readWish(nameOf(value) ?? '', rollback);
  return {
    object: { ...header, metadata, rollback },
    mistakes: [
      ...findUnknownFields(value, rollbackFields, ''),
      ...(read.kind === 'wish' ? [] : [describeWishProblems('rollback', read.problems)]),
    ],
  };
}

const rollbackFields = ['apiVersion', 'kind', 'id', 'namespace', 'metadata', 'rollback'];

/** Before there was a `spec`, the fields stood beside the `kind`. */
const isFirstForm = (value: JsonMap): boolean =>
  value['spec'] === undefined &&
  ['id', 'template', 'triggers', 'latestVersion'].some((name) => value[name] !== undefined);

function nameOf(value: JsonMap): string | undefined {
  const name = mapOf(value['metadata'])['name'] ?? value['id'];
  return isText(name) ? name : undefined;
}

function convertSpec(value: JsonMap): Conversion {
  const spec = mapOf(value['spec']);
  const strategy = convertStrategy(spec['strategy'], 'spec.strategy');
  const { triggers, mistakes } = isAbsent(spec['triggers'])
    ? { triggers: undefined, mistakes: [] }
    : convertTriggers(spec['triggers'], 'spec.triggers');
  const converted = {
    ...without(spec, ['strategy', 'triggers']),
    ...(strategy.strategy === undefined ? {} : { strategy: strategy.strategy }),
    ...(triggers === undefined ? {} : { triggers }),
  };
  return {
    object: { ...value, ...header, spec: converted },
    mistakes: [...strategy.mistakes, ...mistakes],
  };
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** `latestVersion` and `details` tell what has happened, which the cluster counts itself. */
const firstFields = [
  'apiVersion',
  'kind',
  'id',
  'metadata',
  'namespace',
  'labels',
  'annotations',
  'creationTimestamp',
  'resourceVersion',
  'selfLink',
  'uid',
  'triggers',
  'template',
  'latestVersion',
  'details',
];

function convertFirstForm(value: JsonMap): Conversion {
  const template = mapOf(value['template']);
  const controller = mapOf(template['controllerTemplate']);
  const inside = 'template.controllerTemplate';
  const strategy = convertStrategy(template['strategy'], 'template.strategy');
  // Without triggers it was only ever started by hand; today that takes an empty list.
  const { triggers, mistakes } = isAbsent(value['triggers'])
    ? { triggers: [], mistakes: [] }
    : convertTriggers(value['triggers'], 'triggers');
  const pods = isMap(controller['podTemplate'])
    ? convertPodTemplate(controller['podTemplate'], `${inside}.podTemplate`)
    : { mistakes: [`${inside}.podTemplate: is required`] };
  const { replicas, replicaSelector } = controller;
  const strategyFields = { ...strategy.strategy, ...labelsOf(value) };
  return {
    object: {
      ...header,
      metadata: convertMetadata(value),
      spec: {
        ...(Object.keys(strategyFields).length === 0 ? {} : { strategy: strategyFields }),
        triggers,
        ...(isAbsent(replicas) ? {} : { replicas }),
        ...(isAbsent(replicaSelector) ? {} : { selector: replicaSelector }),
        ...(pods.object === undefined ? {} : { template: pods.object }),
      },
    },
    mistakes: [
      ...findUnknownFields(value, firstFields, ''),
      ...findUnknownFields(template, ['strategy', 'controllerTemplate'], 'template'),
      ...findUnknownFields(controller, ['replicas', 'replicaSelector', 'podTemplate'], inside),
      ...strategy.mistakes,
      ...mistakes,
      ...pods.mistakes,
    ],
  };
}

/** The labels were those of the object, and of the pods that carry its deployment out. */
const labelsOf = ({ labels }: JsonMap): JsonMap => (isMap(labels) ? { labels } : {});

function convertMetadata(value: JsonMap): JsonMap {
  const metadata = mapOf(value['metadata']);
  const name = nameOf(value);
  const { namespace, labels, annotations } = value;
  return {
    ...(isText(namespace) ? { namespace } : {}),
    ...(isMap(annotations) ? { annotations } : {}),
    ...metadata,
    ...(name === undefined ? {} : { name }),
    ...(isMap(labels) ? { labels: { ...labels, ...mapOf(metadata['labels']) } } : {}),
  };
}

const strategies: Readonly<Record<string, string>> = {
  recreate: 'Recreate',
  rolling: 'Rolling',
  canary: 'Canary',
  custom: 'Custom',
  custompod: 'Custom',
};

interface ConvertedStrategy {
  readonly strategy?: JsonMap;
  readonly mistakes: readonly string[];
}

function convertStrategy(value: unknown, path: string): ConvertedStrategy {
  if (isAbsent(value)) return { mistakes: [] };
  if (!isMap(value)) return { mistakes: [`${path}: must be a map of fields`] };
  const { type, customPod, ...rest } = value;
  const custom = customPod === undefined ? {} : { customParams: customPod };
  if (!isText(type)) return { strategy: { ...custom, ...rest }, mistakes: [] };
  const word = strategies[plainWord(type)];
  if (word === undefined) {
    return { mistakes: [`${path}.type: "${type}" should be Rolling, Recreate, Canary or Custom`] };
  }
  return { strategy: { type: word, ...custom, ...rest }, mistakes: [] };
}
