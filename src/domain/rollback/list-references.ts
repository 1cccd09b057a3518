import { hookMoments } from '../shared/hook.js';
import type {
  ConfigData,
  ContainerData,
  Items,
  KeyReference,
  Reference as ObjectReference,
  StrategyData,
  VariableData,
  VolumeData,
} from './config-data.js';
import type { ReferenceKind } from './scene.js';

/** An object, or one key of it, that pods can't do without. */
export interface Reference {
  readonly kind: ReferenceKind;
  readonly name: string;
  readonly key?: string;
  /** Where it is named. Example: spec.template.spec.volumes[settings] */
  readonly field: string;
}

/** What the pods of a config, of its hooks and of its deployer need. What is optional they can do without. */
export function listReferences({ spec }: ConfigData): readonly Reference[] {
  const pod = spec.template.spec ?? {};
  const field = 'spec.template.spec';
  const account = { name: pod.serviceAccountName ?? '' };
  return [
    ...ofContainers(`${field}.initContainers`, pod.initContainers ?? []),
    ...ofContainers(`${field}.containers`, pod.containers ?? []),
    ...(pod.volumes ?? []).flatMap((volume) =>
      ofVolume(`${field}.volumes[${volume.name}]`, volume),
    ),
    ...(pod.imagePullSecrets ?? []).flatMap((secret) =>
      refer('Secret', `${field}.imagePullSecrets`, secret),
    ),
    ...refer('ServiceAccount', `${field}.serviceAccountName`, account),
    ...ofStrategy(spec.strategy ?? {}),
  ];
}

const ofContainers = (list: string, containers: readonly ContainerData[]): readonly Reference[] =>
  containers.flatMap(({ name, env, envFrom }) => [
    ...ofVariables(`${list}[${name}].env`, env ?? []),
    ...(envFrom ?? []).flatMap(({ configMapRef, secretRef }) => [
      ...refer('ConfigMap', `${list}[${name}].envFrom`, configMapRef),
      ...refer('Secret', `${list}[${name}].envFrom`, secretRef),
    ]),
  ]);

const ofVariables = (list: string, variables: readonly VariableData[]): readonly Reference[] =>
  variables.flatMap(({ name, valueFrom }) => [
    ...referToKey('ConfigMap', `${list}[${name}]`, valueFrom?.configMapKeyRef),
    ...referToKey('Secret', `${list}[${name}]`, valueFrom?.secretKeyRef),
  ]);

function ofVolume(field: string, volume: VolumeData): readonly Reference[] {
  const { configMap, secret, persistentVolumeClaim, projected } = volume;
  return [
    ...referToItems('ConfigMap', field, configMap),
    ...referToItems('Secret', field, secret && { ...secret, name: secret.secretName }),
    ...refer('PersistentVolumeClaim', field, { name: persistentVolumeClaim?.claimName }),
    ...(projected?.sources ?? []).flatMap((source) => [
      ...referToItems('ConfigMap', field, source.configMap),
      ...referToItems('Secret', field, source.secret),
    ]),
  ];
}

/** Hooks and deployers have variables of their own. */
function ofStrategy(strategy: StrategyData): readonly Reference[] {
  const { type, lifecycle, rollingParams, recreateParams, customParams } = strategy;
  const isRolling = type === 'Rolling' || (type ?? '') === '';
  const holders = {
    lifecycle,
    ...(isRolling ? { rollingParams } : {}),
    ...(type === 'Recreate' ? { recreateParams } : {}),
  };
  const hooks = Object.entries(holders).flatMap(([holder, hooksOfIt]) =>
    hookMoments.flatMap((moment) =>
      ofVariables(
        `spec.strategy.${holder}.${moment}.execNewPod.env`,
        hooksOfIt?.[moment]?.execNewPod?.env ?? [],
      ),
    ),
  );
  if (type !== 'Custom') return hooks;
  const list = 'spec.strategy.customParams.environment';
  return [...hooks, ...ofVariables(list, customParams?.environment ?? [])];
}

type Maybe<T> = T | null | undefined;

function refer(
  kind: ReferenceKind,
  field: string,
  to: Maybe<ObjectReference>,
): readonly Reference[] {
  const name = to?.name ?? '';
  return name === '' || to?.optional === true ? [] : [{ kind, name, field }];
}

const referToKey = (
  kind: ReferenceKind,
  field: string,
  to: Maybe<KeyReference>,
): readonly Reference[] => refer(kind, field, to).map((one) => ({ ...one, key: to?.key ?? '' }));

/** A volume of chosen keys needs each of them; another one needs the object alone. */
function referToItems(
  kind: ReferenceKind,
  field: string,
  to: Maybe<ObjectReference & Items>,
): readonly Reference[] {
  const whole = refer(kind, field, to);
  const keys = to?.items ?? [];
  return keys.length === 0
    ? whole
    : whole.flatMap((one) => keys.map(({ key }) => ({ ...one, key })));
}
