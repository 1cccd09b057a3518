import { formatSeconds } from '../../client/terminal/progress.js';
import type { StackStatus } from './status.js';
import type { UpResult } from './up.js';

/** What `up` says at its end. */
export function describeUp({ status, started }: UpResult, tookMs: number): readonly string[] {
  const first =
    started.length === 0 ? 'Slipway is already up.' : `Slipway is up (${formatSeconds(tookMs)}).`;
  return [first, ...describeAddresses(status)];
}

export function describeStatus(status: StackStatus): readonly string[] {
  if (status.state === 'down') return ['Slipway is not up. "slipway dev up" starts it.'];
  const width = Math.max(...status.parts.map(({ name }) => name.length));
  const parts = status.parts.map(({ name, running, pid, problem, log }) =>
    running
      ? `  ${name.padEnd(width)}  runs (process ${String(pid)})`
      : `  ${name.padEnd(width)}  DOWN: ${problem ?? ''}; its log is ${log}`,
  );
  const first =
    status.state === 'up'
      ? 'Slipway is up.'
      : 'Slipway is up in part. "slipway dev up" starts what is missing.';
  return [first, ...parts, ...describeAddresses(status)];
}

function describeAddresses(status: StackStatus): readonly string[] {
  const { temporal, clusters, worker, stateFolder } = status;
  const entries: readonly (readonly [string, string | null | undefined])[] = [
    ['Temporal', temporal?.address],
    ['Temporal UI', temporal?.ui],
    ['HTTP API', worker.http],
    ['kubeconfig', clusters[0]?.kubeconfig],
    ['logs', `${stateFolder}/logs`],
  ];
  return entries
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `  ${name.padEnd(12)} ${value ?? ''}`);
}

/** After the example: what there is to see, and lines to paste. */
export function describeNextSteps({ temporal, clusters }: StackStatus): readonly string[] {
  const ui = temporal?.ui ?? null;
  const steps: readonly (readonly [string, string])[] = [
    ['npx slipway get -w', 'look at it, live'],
    ['npx slipway pause deployment/hello --reason "lunch"', 'pause it; a change then waits'],
    ['npx slipway resume deployment/hello', 'let it go on'],
    ['npx slipway deploy -f examples/hello-broken.yaml', 'break it: an image that does not exist'],
    ['npx slipway undo deployment/hello', 'roll it back'],
    ['npx slipway history deployment/hello', 'what happened'],
    ['npm stop', 'stop everything'],
  ];
  const width = Math.max(...steps.map(([command]) => command.length));
  return [
    '',
    ...(ui === null ? [] : [`Temporal UI:  ${ui}/namespaces/default/workflows`]),
    `kubeconfig:   ${clusters[0]?.kubeconfig ?? ''}`,
    '',
    'For kubectl (try "kubectl get sdeploy") and temporal:',
    `  export KUBECONFIG=${clusters[0]?.kubeconfig ?? ''}`,
    `  export TEMPORAL_ADDRESS=${temporal?.address ?? ''}`,
    '',
    'What to try next:',
    ...steps.map(([command, what]) => `  ${command.padEnd(width)}  # ${what}`),
  ];
}
