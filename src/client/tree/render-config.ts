import { isOver, type VersionPhase } from '../../domain/deployment-config/observation.js';
import { formatAge } from '../output/duration.js';
import { cleanText, span, type Line, type Tone } from '../output/line.js';
import { padCells } from '../output/table.js';
import { describeConfigCounts } from './describe-config-counts.js';
import { isHookUnderWay } from './describe-hooks.js';
import { renderHooks } from './render-hooks.js';
import {
  hang,
  renderBar,
  renderMessage,
  renderName,
  renderPods,
  type RenderOptions,
} from './render-parts.js';
import { shortenImage } from './shorten-image.js';
import type { CanaryProgress, ConfigPhase, ConfigTree, JobTree, VersionTree } from './tree.js';

const phaseTones: Record<ConfigPhase, Tone> = {
  Complete: 'good',
  Progressing: 'busy',
  Paused: 'warn',
  Failed: 'bad',
  Cancelled: 'warn',
  Waiting: 'dim',
  Idle: 'dim',
};

const versionTones: Record<VersionPhase, Tone> = {
  New: 'dim',
  Pending: 'dim',
  Running: 'busy',
  Complete: 'good',
  Failed: 'bad',
};

/** A config, its versions from newest to oldest, what was started for them, and their pods. */
export function renderConfig(tree: ConfigTree, options: RenderOptions): Line[] {
  const shown = tree.versions.filter(isInteresting);
  const idle = tree.versions.length - shown.length;
  const branches = renderVersions(shown, options.nowMs);
  if (idle > 0) {
    const noun = idle === 1 ? 'older version' : 'older versions';
    branches.push([[span(`${idle} ${noun} without pods`, 'dim')]]);
  }
  const { phase, message } = tree;
  const tone = phase === 'Progressing' || phase === 'Complete' ? 'dim' : phaseTones[phase];
  return [
    renderHeading(tree, options),
    ...renderMessage(message, tone, branches.length > 0),
    ...hang(branches),
  ];
}

const isInteresting = ({ current, replicas, pods, jobs, hooks, phase }: VersionTree): boolean =>
  current ||
  replicas.desired > 0 ||
  pods.length > 0 ||
  (jobs.length > 0 && !isOver(phase)) ||
  hooks.some(isHookUnderWay);

function renderHeading(tree: ConfigTree, options: RenderOptions): Line {
  const { phase, replicas } = tree;
  const isPausedToo = tree.paused && phase !== 'Paused';
  const isSettled = phase === 'Complete' || phase === 'Idle';
  const done = Math.min(replicas.updated, replicas.available);
  return [
    ...renderName(tree, options),
    span(`${phase}${isPausedToo ? ', paused' : ''}`, phaseTones[phase]),
    span('  '),
    ...(isSettled
      ? []
      : [
          span(renderBar(phase === 'Waiting' ? 0 : done, replicas.desired), phaseTones[phase]),
          span('  '),
        ]),
    span(describeConfigCounts(tree)),
    ...(tree.triggers === '' ? [] : [span(`  ${tree.triggers}`, 'dim')]),
  ];
}

function renderVersions(versions: readonly VersionTree[], nowMs: number): Line[][] {
  const cells = padCells(
    versions.map(({ version, phase, cancelled, replicationController, images, replicas }) => [
      `version ${version}`,
      cancelled && phase === 'Failed' ? 'Cancelled' : phase,
      replicationController,
      images.map(shortenImage).join(', '),
      `${replicas.ready}/${replicas.desired} ready`,
    ]),
  );
  return versions.map((version, index) => {
    const [title = '', phase = '', name = '', images = '', ready = ''] = cells[index] ?? [];
    const isReady = version.replicas.ready >= version.replicas.desired;
    const heading: Line = [
      span(title, version.current ? 'strong' : 'plain'),
      span('  '),
      span(phase, versionTones[version.phase]),
      span(`  ${name}  `),
      span(images, 'busy'),
      span('  '),
      span(ready, isReady ? 'good' : 'warn'),
      ...(version.canary === null ? [] : [span(`  ${describeCanary(version.canary)}`, 'warn')]),
      span(`  ${describeCausesOf(version)}`, 'dim'),
    ];
    const branches = [
      ...renderHooks(version.hooks, !isOver(version.phase), nowMs),
      ...renderJobs(listOtherJobs(version), nowMs),
      ...renderPods(version.pods, nowMs),
    ];
    return [heading, ...hang(branches)];
  });
}

/** Example: canary step 2 of 3, needs approval */
export function describeCanary({ step, steps, needsApproval, comparison }: CanaryProgress): string {
  if (comparison) return 'A/B, needs a winner';
  return `canary step ${step} of ${steps}${needsApproval ? ', needs approval' : ''}`;
}

/** Example: manual change by ann */
export function describeCausesOf({ causes, by }: Pick<VersionTree, 'causes' | 'by'>): string {
  return cleanText(`${causes.join(', ')}${by === null ? '' : ` by ${by}`}`);
}

/** Those that are not shown as tries of hooks. */
export function listOtherJobs({ jobs, hooks }: VersionTree): JobTree[] {
  const tries = new Set(hooks.flatMap((hook) => hook.tries.map(({ pod }) => pod)));
  return jobs.filter(({ name }) => !tries.has(name));
}

function renderJobs(jobs: readonly JobTree[], nowMs: number): Line[][] {
  const cells = padCells(
    jobs.map(({ name, phase, exitCode, created }) => [
      name,
      phase,
      exitCode === null ? '' : `exit ${exitCode}`,
      formatAge(created ?? undefined, nowMs),
    ]),
  );
  return jobs.map((job, index) => {
    const [name = '', phase = '', exit = '', age = ''] = cells[index] ?? [];
    return [
      [
        span(`${name}  `),
        span(phase, jobTone(job)),
        span(`  ${exit}  `),
        span(age, 'dim'),
        ...(job.reason === null ? [] : [span(`  ${job.reason}`, 'warn')]),
      ],
    ];
  });
}

function jobTone({ phase }: JobTree): Tone {
  if (phase === 'Succeeded') return 'good';
  return phase === 'Failed' ? 'bad' : 'busy';
}
