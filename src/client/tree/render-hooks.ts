import { formatAge, formatDuration } from '../output/duration.js';
import { span, type Line, type Tone } from '../output/line.js';
import { padCells } from '../output/table.js';
import { hang, isTrouble } from './render-parts.js';
import type { HookTree, HookTryTree } from './tree.js';

/** Of a log's end, so many lines are shown below a try that failed. */
const tailLines = 2;

const tones: Record<HookTryTree['phase'], Tone> = {
  Pending: 'warn',
  Running: 'busy',
  Succeeded: 'good',
  Failed: 'bad',
};

/**
 * The hooks of a version or a revision: one line each where there was one try, else the tries below it. Those
 * that have not begun are left out once nobody waits for them any more.
 */
export function renderHooks(
  hooks: readonly HookTree[],
  isUnderWay: boolean,
  nowMs: number,
): Line[][] {
  const shown = hooks.filter(
    ({ phase, tries, moment }) =>
      phase !== null || tries.length > 0 || (isUnderWay && moment !== 'abort'),
  );
  const cells = padCells(
    shown.map((hook) => [
      `${hook.moment} hook`,
      hook.phase ?? (hook.tries.length > 0 ? 'Pending' : 'not begun'),
      ...(shown.some(({ policy }) => policy !== null) ? [hook.policy ?? ''] : []),
    ]),
  );
  return shown.map((hook, index) => {
    const [title = '', phase = '', ...policy] = cells[index] ?? [];
    const heading: Line = [
      span(`${title}  `),
      span(phase, hook.phase === null ? 'dim' : tones[hook.phase]),
      span(policy.map((word) => `  ${word}`).join(''), 'dim'),
    ];
    return renderHook(hook, heading, nowMs);
  });
}

function renderHook(hook: HookTree, heading: Line, nowMs: number): Line[] {
  const { tries, ended } = hook;
  const [only] = tries;
  const isOne = tries.length === 1 && only !== undefined && ended <= 1 && !isWaiting(hook);
  if (isOne) {
    const [facts = []] = renderFacts([only], nowMs);
    return [[...heading, span('  '), ...facts], ...renderTail(only)];
  }
  if (tries.length === 0) return [[...heading, ...renderReason(hook.reason)]];
  const facts = renderFacts(tries, nowMs);
  const numbers = padCells(tries.map(({ number, phase }) => [`try ${number}`, phase]));
  const branches = tries.map((each, index): Line[] => {
    const [number = '', phase = ''] = numbers[index] ?? [];
    const line = [
      span(`${number}  `),
      span(phase, tones[each.phase]),
      span('  '),
      ...(facts[index] ?? []),
    ];
    return [line, ...renderTail(each)];
  });
  return [[...heading, span(`  ${describeTries(hook)}`)], ...hang(branches)];
}

/** Whether another try is due, and not there yet. */
const isWaiting = ({ phase, tries }: HookTree): boolean =>
  phase === 'Pending' && tries.at(-1)?.endedAt !== null;

/** Example: 3 tries, waits for the next */
export function describeTries(hook: HookTree): string {
  const count = Math.max(hook.ended, hook.tries.at(-1)?.number ?? 0);
  const words = count === 1 ? '1 try' : `${count} tries`;
  return isWaiting(hook) ? `${words}, waits for the next` : words;
}

/** Its pod, how it ended, how long it took and how long ago that is, in columns. */
function renderFacts(tries: readonly HookTryTree[], nowMs: number): Line[] {
  const cells = padCells(
    tries.map((each) => [
      each.pod,
      each.exitCode === null ? '' : `exit ${each.exitCode}`,
      describeTook(each),
      formatAge(each.endedAt ?? each.startedAt ?? each.created ?? undefined, nowMs),
    ]),
  );
  return tries.map((each, index) => {
    const [pod = '', exit = '', took = '', age = ''] = cells[index] ?? [];
    const facts = [exit, took].filter((text) => text !== '').map((text) => `  ${text}`);
    return [
      span(pod),
      span(facts.join('')),
      span(`  ${age}`, 'dim'),
      ...renderReason(each.reason),
      ...(each.gone ? [span('  its pod is gone', 'dim')] : []),
    ];
  });
}

function describeTook({ startedAt, endedAt }: HookTryTree): string {
  if (startedAt === null || endedAt === null) return '';
  return `took ${formatDuration(Date.parse(endedAt) - Date.parse(startedAt))}`;
}

const renderReason = (reason: string | null): Line =>
  reason === null ? [] : [span(`  ${reason}`, isTrouble(reason) ? 'bad' : 'warn')];

function renderTail({ phase, tail }: HookTryTree): Line[] {
  if (phase !== 'Failed' || tail === null) return [];
  const lines = tail.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(-tailLines).map((line) => [span(`   ${line.trimEnd()}`, 'dim')]);
}
