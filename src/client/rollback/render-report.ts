import {
  changeAreas,
  isPossible,
  type ConfigReport,
  type FieldChange,
  type RollbackReport,
} from '../../domain/rollback/report.js';
import { span, type Line } from '../output/line.js';

/**
 * What going back would mean, for people: what changes, by area, then what may break and what keeps it from
 * being done, each with the object that it is about.
 */
export function renderReport(report: RollbackReport): readonly Line[] {
  return [...report.configs.flatMap((config) => [...renderConfig(config), []]), summarize(report)];
}

function renderConfig(config: ConfigReport): readonly Line[] {
  const { name, from, to, changes, problems } = config;
  const isSame = changes.length === 0 && problems.length === 0;
  const hasGoal = changes.length > 0 || isSame;
  const goal = hasGoal ? `: version ${from} would go back to version ${to}` : '';
  return [
    [span(`dc/${name}${goal}`, 'strong')],
    ...(isSame ? [[span('  nothing would change but the number of its version')]] : []),
    ...renderChanges(changes),
    ...renderWarnings(config),
    ...problems.map(({ field, message }): Line => [
      span('  ✗ ', 'bad'),
      span(`${field}: ${message}`),
    ]),
  ];
}

function renderChanges(changes: readonly FieldChange[]): readonly Line[] {
  return changeAreas.flatMap((area) => {
    const own = changes.filter((change) => change.area === area);
    return own.length === 0 ? [] : [[span(`  ${area}`, 'dim')], ...own.flatMap(renderChange)];
  });
}

function renderChange({ field, from, to }: FieldChange): readonly Line[] {
  const title = shorten(field);
  return [
    ...(from === undefined ? [] : [[span(`  - ${title}: ${from}`, 'bad')]]),
    ...(to === undefined ? [] : [[span(`  + ${title}: ${to}`, 'good')]]),
  ];
}

export const renderWarnings = ({ warnings }: Pick<ConfigReport, 'warnings'>): readonly Line[] =>
  warnings.map(({ object, message }) => [span('  ! ', 'warn'), span(`${object}: ${message}`)]);

/** Example: spec.template.spec.containers[web].image -> containers[web].image */
const shorten = (field: string): string => field.replace(/^spec\.(template\.spec\.)?/, '');

function summarize(report: RollbackReport): Line {
  const count = (of: 'problems' | 'warnings'): number =>
    report.configs.reduce((sum, config) => sum + config[of].length, 0);
  const warned = count('warnings') === 0 ? '' : `, with ${plural(count('warnings'), 'warning')}`;
  return isPossible(report)
    ? [span(`It can be done${warned}.`)]
    : [span(`It can't be done: ${plural(count('problems'), 'problem')}${warned}.`, 'bad')];
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;
