/** Everything that is run and that is not Node: what it is, and how it is had. */

/** What the local stack consists of. */
export type ToolName =
  | 'temporal'
  | 'etcd'
  | 'kube-apiserver'
  | 'kube-controller-manager'
  | 'kube-scheduler'
  | 'kwok'
  /** Only with a real node. */
  | 'kubelet';

/** With those that only tests, the conformance run or the bench ask for. */
export type AnyToolName = ToolName | 'kubectl' | 'registry' | 'kubernetes-e2e' | 'argo-rollouts';

export type RecipeName =
  'temporal' | 'etcd' | 'kwok' | 'registry' | 'kubernetes' | 'kubernetes-e2e' | 'argo-rollouts';

export type Recipe = RecipeBase &
  (
    | {
        /** A program of a published Go module without replace directives, built on its own. */
        readonly kind: 'go-install';
        readonly moduleVersion: string;
      }
    | {
        /** Programs of a Go module of ours, in `toolchain/<folder>`, that pins all they need. */
        readonly kind: 'go-module';
        readonly folder: string;
      }
    | {
        /** A test binary of a package that a Go module of ours, in `toolchain/<folder>`, pins. */
        readonly kind: 'go-test';
        readonly folder: string;
      }
    | {
        /**
         * A program of a published Go module with replace directives, which `go install` refuses: it is
         * built in a copy of the module's source.
         */
        readonly kind: 'go-source';
        readonly module: string;
        readonly moduleVersion: string;
      }
  );

interface RecipeBase {
  /** What the linker writes into the programs, beside leaving out the tables for debuggers. */
  readonly linkerVariables: Readonly<Record<string, string>>;
  /** Modules, compiled packages and the programs themselves, on disks that had none of them. */
  readonly diskGigabytes: number;
}

export interface Tool {
  readonly version: string;
  /** The environment variable that names a binary to use instead. */
  readonly variable: string;
  readonly versionArguments: readonly string[];
  /** What the pinned version says of itself. */
  readonly versionAnswer: RegExp;
  readonly recipe: RecipeName;
  /** The Go package of its main function, or of its tests. */
  readonly package: string;
  /** Folders of its module's source that stand beside the binary, by the name they have there. */
  readonly companions?: Readonly<Record<string, string>>;
}

/** The oldest Go that compiles all of the above; kwok and Kubernetes set the mark. */
export const oldestGo = { major: 1, minor: 26 } as const;

const kubernetesVersion = '1.36.3';
const versionPackage = 'k8s.io/component-base/version';
/** Clients reject a server whose version they can't read. */
const kubernetesLinkerVariables = {
  [`${versionPackage}.gitVersion`]: `v${kubernetesVersion}`,
  [`${versionPackage}.gitMajor`]: '1',
  [`${versionPackage}.gitMinor`]: '36',
};
const registryVersion = '3.0.0';
const registryModule = 'github.com/distribution/distribution/v3';
const argoRolloutsVersion = '1.10.1';
const argoRolloutsModule = 'github.com/argoproj/argo-rollouts';

export const recipes: Readonly<Record<RecipeName, Recipe>> = {
  etcd: {
    kind: 'go-module',
    folder: 'etcd',
    linkerVariables: {},
    diskGigabytes: 0.4,
  },
  kwok: {
    kind: 'go-install',
    moduleVersion: 'v0.8.0',
    linkerVariables: {},
    diskGigabytes: 1,
  },
  registry: {
    kind: 'go-install',
    moduleVersion: `v${registryVersion}`,
    linkerVariables: {},
    diskGigabytes: 1,
  },
  temporal: {
    kind: 'go-install',
    moduleVersion: 'v1.5.1',
    linkerVariables: { 'github.com/temporalio/cli/temporalcli.Version': '1.5.1' },
    diskGigabytes: 2.1,
  },
  kubernetes: {
    kind: 'go-module',
    folder: 'kubernetes',
    linkerVariables: kubernetesLinkerVariables,
    diskGigabytes: 3.5,
  },
  'kubernetes-e2e': {
    kind: 'go-test',
    folder: 'kubernetes',
    linkerVariables: kubernetesLinkerVariables,
    diskGigabytes: 3.5,
  },
  'argo-rollouts': {
    kind: 'go-source',
    module: argoRolloutsModule,
    moduleVersion: `v${argoRolloutsVersion}`,
    linkerVariables: { [`${argoRolloutsModule}/utils/version.version`]: argoRolloutsVersion },
    diskGigabytes: 3,
  },
};

export const tools: Readonly<Record<AnyToolName, Tool>> = {
  temporal: {
    version: '1.5.1',
    variable: 'SLIPWAY_TEMPORAL_BIN',
    versionArguments: ['--version'],
    versionAnswer: /^temporal version \S+ \(Server 1\.29\.1,/m,
    recipe: 'temporal',
    package: 'github.com/temporalio/cli/cmd/temporal',
  },
  etcd: {
    version: '3.6.8',
    variable: 'SLIPWAY_ETCD_BIN',
    versionArguments: ['--version'],
    versionAnswer: /^etcd Version: 3\.6\.8$/m,
    recipe: 'etcd',
    package: '.',
  },
  'kube-apiserver': kubernetesTool('kube-apiserver'),
  'kube-controller-manager': kubernetesTool('kube-controller-manager'),
  'kube-scheduler': kubernetesTool('kube-scheduler'),
  kwok: {
    version: '0.8.0',
    variable: 'SLIPWAY_KWOK_BIN',
    versionArguments: ['--version'],
    versionAnswer: /^kwok version v0\.8\.0\b/m,
    recipe: 'kwok',
    package: 'sigs.k8s.io/kwok/cmd/kwok',
  },
  kubelet: kubernetesTool('kubelet'),
  kubectl: {
    ...kubernetesTool('kubectl'),
    versionArguments: ['version', '--client'],
    versionAnswer: new RegExp(`^Client Version: v${literal(kubernetesVersion)}$`, 'm'),
  },
  registry: {
    version: registryVersion,
    variable: 'SLIPWAY_REGISTRY_BIN',
    versionArguments: ['--version'],
    versionAnswer: new RegExp(`${literal(registryModule)} v${literal(registryVersion)}\\b`, 'm'),
    recipe: 'registry',
    package: `${registryModule}/cmd/registry`,
  },
  'kubernetes-e2e': {
    version: kubernetesVersion,
    variable: 'SLIPWAY_KUBERNETES_E2E_BIN',
    versionArguments: ['--version'],
    versionAnswer: new RegExp(`^v${literal(kubernetesVersion)}$`, 'm'),
    recipe: 'kubernetes-e2e',
    package: 'k8s.io/kubernetes/test/e2e',
  },
  'argo-rollouts': {
    version: argoRolloutsVersion,
    variable: 'SLIPWAY_ARGO_ROLLOUTS_BIN',
    versionArguments: ['--version'],
    versionAnswer: new RegExp(`^v${literal(argoRolloutsVersion)}\\b`, 'm'),
    recipe: 'argo-rollouts',
    package: './cmd/rollouts-controller',
    companions: { crds: 'manifests/crds' },
  },
};

function kubernetesTool(name: AnyToolName): Tool {
  return {
    version: kubernetesVersion,
    variable: `SLIPWAY_${name.toUpperCase().replaceAll('-', '_')}_BIN`,
    versionArguments: ['--version'],
    versionAnswer: new RegExp(`^Kubernetes v${literal(kubernetesVersion)}$`, 'm'),
    recipe: 'kubernetes',
    package: `k8s.io/kubernetes/cmd/${name}`,
  };
}

/** A version, or the path of a module, as a part of a regular expression. */
function literal(version: string): string {
  return version.replaceAll('.', '\\.');
}
