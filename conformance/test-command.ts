/** The tests that are run: those of Deployments, without the one that needs a cloud. */
export const suite = '[sig-apps] Deployment';
const skipped = 'load-balancer';

/** How many there are in the pinned version. Fewer have proved nothing. */
export const testCount = 11;

const withinMinutes = 30;

export interface TestCommandOptions {
  readonly kubeconfig: string;
  /** A regular expression that the name of a test must match as well. */
  readonly focus?: string | undefined;
  /** Where the test binary writes what came of each test. */
  readonly results: string;
}

/** What the test binary is called with. */
export function buildTestArguments(options: TestCommandOptions): readonly string[] {
  const suitePattern = suite.replaceAll(/[[\]]/g, '\\$&');
  const focus = options.focus === undefined ? '' : `.*(${options.focus})`;
  return [
    `--kubeconfig=${options.kubeconfig}`,
    // No cloud, and no pods of the system's own to wait for; kwok's nodes are ready enough.
    '--provider=local',
    '--minStartupPods=0',
    '--allowed-not-ready-nodes=-1',
    `--ginkgo.focus=${suitePattern}${focus}`,
    `--ginkgo.skip=${skipped}`,
    `--ginkgo.timeout=${withinMinutes}m`,
    `--ginkgo.json-report=${options.results}`,
    // Names each test as it starts, which is how it can be followed.
    '--ginkgo.v',
    '--ginkgo.silence-skips',
    '--ginkgo.no-color',
  ];
}
