/** Absent and null are the same on the wire. */
type Maybe<T> = T | null | undefined;

/** A DeploymentConfig as it stands on the wire; only what a look before going back needs of it. */
export interface ConfigData {
  readonly metadata: { readonly name: string; readonly labels?: Maybe<Labels> };
  readonly spec: {
    readonly selector?: Maybe<Labels>;
    readonly template: TemplateData;
    readonly strategy?: Maybe<StrategyData>;
  };
}

export type Labels = Readonly<Record<string, string>>;

export interface TemplateData {
  readonly metadata?: Maybe<{ readonly labels?: Maybe<Labels> }>;
  readonly spec?: Maybe<PodData>;
}

export interface PodData {
  readonly containers?: Maybe<readonly ContainerData[]>;
  readonly initContainers?: Maybe<readonly ContainerData[]>;
  readonly volumes?: Maybe<readonly VolumeData[]>;
  readonly imagePullSecrets?: Maybe<readonly Reference[]>;
  readonly serviceAccountName?: Maybe<string>;
}

export interface ContainerData {
  readonly name: string;
  readonly image?: Maybe<string>;
  readonly env?: Maybe<readonly VariableData[]>;
  readonly envFrom?: Maybe<readonly VariablesData[]>;
  readonly ports?: Maybe<readonly PortData[]>;
  readonly restartPolicy?: Maybe<string>;
}

export interface VariableData {
  readonly name: string;
  readonly value?: Maybe<string>;
  readonly valueFrom?: Maybe<{
    readonly configMapKeyRef?: Maybe<KeyReference>;
    readonly secretKeyRef?: Maybe<KeyReference>;
    readonly fieldRef?: Maybe<{ readonly fieldPath: string }>;
    readonly resourceFieldRef?: Maybe<{
      readonly resource: string;
      readonly containerName?: Maybe<string>;
    }>;
  }>;
}

/** All variables of one object. */
export interface VariablesData {
  readonly prefix?: Maybe<string>;
  readonly configMapRef?: Maybe<Reference>;
  readonly secretRef?: Maybe<Reference>;
}

export interface Reference {
  readonly name?: Maybe<string>;
  readonly optional?: Maybe<boolean>;
}

export interface KeyReference extends Reference {
  readonly key: string;
}

export interface PortData {
  readonly name?: Maybe<string>;
  readonly containerPort: number;
  readonly protocol?: Maybe<string>;
}

export interface VolumeData {
  readonly name: string;
  readonly configMap?: Maybe<Reference & Items>;
  readonly secret?: Maybe<
    Items & { readonly secretName?: Maybe<string>; readonly optional?: Maybe<boolean> }
  >;
  readonly persistentVolumeClaim?: Maybe<{ readonly claimName: string }>;
  readonly projected?: Maybe<{
    readonly sources?: Maybe<
      readonly {
        readonly configMap?: Maybe<Reference & Items>;
        readonly secret?: Maybe<Reference & Items>;
      }[]
    >;
  }>;
}

export interface Items {
  readonly items?: Maybe<readonly { readonly key: string }[]>;
}

export interface StrategyData {
  readonly type?: Maybe<string>;
  readonly customParams?: Maybe<{
    readonly image?: Maybe<string>;
    readonly environment?: Maybe<readonly VariableData[]>;
  }>;
  readonly lifecycle?: Maybe<Hooks>;
  readonly rollingParams?: Maybe<Hooks>;
  readonly recreateParams?: Maybe<Hooks>;
}

interface Hooks {
  readonly pre?: Maybe<HookData>;
  readonly mid?: Maybe<HookData>;
  readonly post?: Maybe<HookData>;
  readonly abort?: Maybe<HookData>;
}

export interface HookData {
  readonly execNewPod?: Maybe<{ readonly env?: Maybe<readonly VariableData[]> }>;
}

/** All containers of a template, in the order in which they start. */
export const containersOf = ({ spec }: TemplateData): readonly ContainerData[] => [
  ...(spec?.initContainers ?? []),
  ...(spec?.containers ?? []),
];

/** A selector that is left out is whatever the template's labels are. */
export function selectorOf({ spec }: ConfigData): Labels {
  const { selector, template } = spec;
  const isGiven = selector !== undefined && selector !== null && Object.keys(selector).length > 0;
  return isGiven ? selector : (template.metadata?.labels ?? {});
}
