/** Everything that the local stack runs and that is not Node: what it is, and how it is had. */

export type ToolName =
  'temporal' | 'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler' | 'kwok';

export type RecipeName = 'temporal' | 'etcd' | 'kwok' | 'kubernetes';

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
  /** The Go package of its main function. */
  readonly package: string;
}

/** The oldest Go that compiles all of the above; kwok and Kubernetes set the mark. */
export const oldestGo = { major: 1, minor: 26 } as const;

const kubernetesVersion = '1.36.3';
const versionPackage = 'k8s.io/component-base/version';

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
  temporal: {
    kind: 'go-install',
    moduleVersion: 'v1.5.1',
    linkerVariables: { 'github.com/temporalio/cli/temporalcli.Version': '1.5.1' },
    diskGigabytes: 2.1,
  },
  kubernetes: {
    kind: 'go-module',
    folder: 'kubernetes',
    // Clients reject a server whose version they can't read.
    linkerVariables: {
      [`${versionPackage}.gitVersion`]: `v${kubernetesVersion}`,
      [`${versionPackage}.gitMajor`]: '1',
      [`${versionPackage}.gitMinor`]: '36',
    },
    diskGigabytes: 3.5,
  },
};

export const tools: Readonly<Record<ToolName, Tool>> = {
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
};

function kubernetesTool(name: ToolName): Tool {
  return {
    version: kubernetesVersion,
    variable: `SLIPWAY_${name.toUpperCase().replaceAll('-', '_')}_BIN`,
    versionArguments: ['--version'],
    versionAnswer: new RegExp(`^Kubernetes v${kubernetesVersion.replaceAll('.', '\\.')}$`, 'm'),
    recipe: 'kubernetes',
    package: `k8s.io/kubernetes/cmd/${name}`,
  };
}
