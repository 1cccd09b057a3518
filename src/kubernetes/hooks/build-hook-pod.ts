import type { HookMoment } from '../../domain/shared/hook.js';
import { hookPodName } from '../../domain/shared/hook.js';
import { defined } from '../../domain/shared/optional.js';
import {
  configAnnotations,
  deployerEnvironment,
  deployerPodLabel,
} from '../deployment-configs/annotations.js';
import { usualDeadlineSeconds } from '../deployment-configs/build-deployer-pod.js';
import type { Pod, PodTemplate } from '../objects.js';
import { runOnceFinalizer } from '../run-once-pods/hold.js';
import { toDeployerPodLabel } from '../run-once-pods/worked-for.js';
import { hookTryAnnotation, hookType, hookTypeLabel } from './annotations.js';
import type { HookOwner } from './hook-owner.js';
import type { EnvironmentVariable, ExecNewPodAction } from './objects.js';

type PodSpec = NonNullable<PodTemplate['spec']>;
type Container = PodSpec['containers'][number];

const graceSeconds = 10;

/** Of the container: what its command needs, and nothing that only makes sense for a server. */
const ofContainer = [
  'image',
  'imagePullPolicy',
  'workingDir',
  'envFrom',
  'securityContext',
] as const;

/** Of the pod: as whom, with what and where it runs. */
const ofPod = [
  'serviceAccountName',
  'automountServiceAccountToken',
  'imagePullSecrets',
  'securityContext',
  'nodeSelector',
  'tolerations',
  'hostAliases',
  'dnsPolicy',
  'dnsConfig',
  'runtimeClassName',
  'priorityClassName',
] as const;

export interface HookPodRequest {
  readonly owner: HookOwner;
  readonly moment: HookMoment;
  readonly number: number;
  readonly action: ExecNewPodAction;
}

/** The pod of one try of a hook: the command, in a container like that of the template. */
export function buildHookPod(request: HookPodRequest): Pod {
  const { owner, moment, number, action } = request;
  const { strategy, template, type } = owner;
  const { name, namespace = '', uid = '' } = owner.object.metadata;
  const spec: Partial<PodSpec> = template.spec ?? {};
  const base = findContainer(spec, action);
  const volumes = new Set(action.volumes ?? []);
  return {
    metadata: {
      name: hookPodName(name, moment, number),
      namespace,
      labels: {
        ...strategy.labels,
        [deployerPodLabel]: toDeployerPodLabel(name),
        [hookTypeLabel]: hookType(moment),
      },
      annotations: {
        ...strategy.annotations,
        [configAnnotations.deploymentName]: name,
        ...owner.podAnnotations,
        [hookTryAnnotation]: String(number),
      },
      finalizers: [runOnceFinalizer],
      // Not as its controller: that one counts pods by their labels, and would let go of this one.
      ownerReferences: [{ apiVersion: type.apiVersion, kind: type.kind, name, uid }],
    },
    spec: {
      ...pick(spec, ofPod),
      restartPolicy: 'Never',
      activeDeadlineSeconds: strategy.activeDeadlineSeconds ?? usualDeadlineSeconds,
      terminationGracePeriodSeconds: graceSeconds,
      ...defined({ volumes: spec.volumes?.filter((volume) => volumes.has(volume.name)) }),
      containers: [
        {
          ...pick<Partial<Container>, (typeof ofContainer)[number]>(base ?? {}, ofContainer),
          name: 'lifecycle',
          command: [...action.command],
          env: mergeEnvironment(base?.env ?? [], action.env ?? [], name, namespace),
          terminationMessagePolicy: 'FallbackToLogsOnError',
          ...defined({
            volumeMounts: base?.volumeMounts?.filter((mount) => volumes.has(mount.name)),
            resources: strategy.resources ?? undefined,
          }),
        },
      ],
    },
  };
}

/** The one that is named, init containers among them, or the only one. */
function findContainer(
  { containers = [], initContainers = [] }: Partial<PodSpec>,
  { containerName }: ExecNewPodAction,
): Container | undefined {
  const isNamed = containerName !== undefined && containerName !== null && containerName !== '';
  if (!isNamed) return containers[0];
  return [...containers, ...initContainers].find(({ name }) => name === containerName);
}

/** The container's own, overridden by the hook's, and what the hook is about, which nobody can override. */
function mergeEnvironment(
  own: readonly EnvironmentVariable[],
  given: readonly EnvironmentVariable[],
  name: string,
  namespace: string,
): EnvironmentVariable[] {
  const about = [
    { name: deployerEnvironment.name, value: name },
    { name: deployerEnvironment.namespace, value: namespace },
  ];
  const overriding = [...given, ...about];
  const isKept = (variable: EnvironmentVariable, by: readonly EnvironmentVariable[]): boolean =>
    !by.some((other) => other.name === variable.name);
  return [
    ...own.filter((variable) => isKept(variable, overriding)),
    ...given.filter((variable) => isKept(variable, about)),
    ...about,
  ];
}

function pick<T extends object, Key extends keyof T>(from: T, keys: readonly Key[]): Pick<T, Key> {
  return Object.fromEntries(
    keys.flatMap((key) => (from[key] === undefined ? [] : [[key, from[key]]])),
  ) as Pick<T, Key>;
}
