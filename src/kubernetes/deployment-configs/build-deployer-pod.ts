import { deployerName } from '../../domain/deployment-config/plan-deployer.js';
import { defined } from '../../domain/shared/optional.js';
import type { EnvironmentVariable } from '../hooks/objects.js';
import type { Pod } from '../objects.js';
import { runOnceFinalizer } from '../run-once-pods/hold.js';
import { toDeployerPodLabel } from '../run-once-pods/worked-for.js';
import {
  configAnnotations,
  deployerAccount,
  deployerEnvironment,
  deployerPodLabel,
} from './annotations.js';
import type { DeploymentConfig, ReplicationController } from './objects.js';

/** OpenShift's: six hours. */
export const usualDeadlineSeconds = 21_600;
const graceSeconds = 10;

/**
 * The pod that carries out a version of strategy Custom: one container, which gets the version's name and
 * namespace, and a token with the rights of a deployer. What it writes last is kept when it fails.
 */
export function buildDeployerPod(config: DeploymentConfig, controller: ReplicationController): Pod {
  const { strategy = {}, template } = config.spec;
  const { customParams, resources, labels, annotations, activeDeadlineSeconds } = strategy;
  const { name, namespace, uid = '' } = controller.metadata;
  const { nodeSelector, tolerations, imagePullSecrets } = template.spec ?? {};
  return {
    metadata: {
      name: deployerName(name),
      ...(namespace === undefined ? {} : { namespace }),
      labels: { ...labels, [deployerPodLabel]: toDeployerPodLabel(name) },
      annotations: {
        ...annotations,
        [configAnnotations.deploymentName]: name,
        [configAnnotations.configName]: config.metadata.name,
      },
      finalizers: [runOnceFinalizer],
      // Not as its controller: that one counts pods by their labels, and would let go of this one.
      ownerReferences: [{ apiVersion: 'v1', kind: 'ReplicationController', name, uid }],
    },
    spec: {
      restartPolicy: 'Never',
      activeDeadlineSeconds: activeDeadlineSeconds ?? usualDeadlineSeconds,
      terminationGracePeriodSeconds: graceSeconds,
      serviceAccountName: deployerAccount.name,
      ...defined({ nodeSelector, tolerations, imagePullSecrets }),
      containers: [
        {
          name: 'deployment',
          image: customParams?.image ?? '',
          env: environment(customParams?.environment ?? [], name, namespace ?? ''),
          terminationMessagePolicy: 'FallbackToLogsOnError',
          ...defined({
            command: customParams?.command ?? undefined,
            resources: resources ?? undefined,
          }),
        },
      ],
    },
  };
}

/** What the user gives it, and what it is about, which nobody can set otherwise. */
function environment(
  given: readonly EnvironmentVariable[],
  name: string,
  namespace: string,
): EnvironmentVariable[] {
  const reserved: readonly string[] = Object.values(deployerEnvironment);
  return [
    ...given.filter((variable) => !reserved.includes(variable.name)),
    { name: deployerEnvironment.name, value: name },
    { name: deployerEnvironment.namespace, value: namespace },
  ];
}
