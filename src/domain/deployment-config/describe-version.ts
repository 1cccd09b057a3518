import { describeDelay } from '../shared/run-once-pod.js';
import { sum } from '../shared/sizes.js';
import type { VersionObservation, VersionPhase } from './observation.js';
import { deployerName } from './plan-deployer.js';
import { targetOf } from './plan-sizes.js';
import type { VersionAction } from './plan.js';

/** Where a version is and what is done about it, in a sentence or two for whoever looks at the run. */
export function describeVersion(
  seen: VersionObservation,
  {
    phase,
    actions,
    step,
  }: {
    readonly phase?: VersionPhase;
    readonly actions: readonly VersionAction[];
    /** Of a canary, where it is and what it waits for. */
    readonly step?: string;
  },
): string {
  const { version, config } = seen;
  const steps = actions.flatMap(describeAction);
  const doing = steps.length === 0 ? '' : ` Now: ${steps.join(', ')}.`;
  const held = config.paused ? ' The config is paused.' : '';
  return (
    `${step === undefined ? describePhase(seen, phase) : `${step}.`}${held}${doing}`.replace(
      '  ',
      ' ',
    ) + (version < config.latestVersion ? ` Version ${config.latestVersion} has taken over.` : '')
  );
}

function describePhase(seen: VersionObservation, phase: VersionPhase | undefined): string {
  const { version, controllers, config } = seen;
  const own = controllers.find((controller) => controller.version === version);
  const old = sum(
    controllers.filter((controller) => controller !== own),
    ({ replicas }) => replicas,
  );
  const counts = `${own?.available ?? 0} of ${targetOf(seen)} new pods available, ${old} old pods left`;
  switch (phase) {
    case undefined:
      return `Version ${version} is about to be made.`;
    case 'New':
    case 'Pending':
      if (own?.deployer !== undefined) {
        return `Version ${version} waits for pod ${own.deployer.name} to run${describeDelay(own.deployer)}.`;
      }
      return `Version ${version} waits for its turn.`;
    case 'Running':
      if (own?.deployer?.hasEnded === false) {
        return `Version ${version} is carried out by pod ${own.deployer.name}: ${counts}.`;
      }
      return `Rolling out version ${version}: ${counts}.`;
    case 'Complete':
      return config.isTest
        ? `The test of version ${version} is complete.`
        : `Version ${version} is complete: ${counts}.`;
    case 'Failed':
      return `Version ${version} has failed: ${own?.statusReason ?? 'see its events'}.`;
  }
}

function describeAction(action: VersionAction): readonly string[] {
  switch (action.kind) {
    case 'createController':
      return [`take the snapshot ${action.name}`];
    case 'scaleController':
      return [`scale ${action.name} from ${action.from} to ${action.to}`];
    case 'setPhase':
      return [`${action.name} becomes ${action.to}`];
    case 'cancelController':
      return [`stop ${action.name}`];
    case 'deleteController':
      return [`delete ${action.name}`];
    case 'measure':
      return [`measure ${action.metrics.join(' and ')}`];
    case 'createDeployer':
      return [`start the deployer pod ${deployerName(action.name)}`];
    case 'deletePod':
      return [`delete pod ${action.name}`];
    case 'moveRegion':
      return [`move ${action.name} to version ${action.version}`];
    case 'refillRegion':
      return [`scale ${action.name} back to ${action.size}`];
    case 'noteCanary':
    case 'announce':
    case 'noteStep':
    case 'releasePod':
      return [];
  }
}
