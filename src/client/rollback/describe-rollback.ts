import type { RollbackOutcome, RollbackStanding } from '../../contracts/rollback.js';
import { span, type Line } from '../output/line.js';
import type { NextCommands } from './plan-next-commands.js';
import { renderWarnings } from './render-report.js';

/** Where each config stands. Example: dc/web has gone back from version 5 to version 3, as version 6 */
export function describeStanding(standing: RollbackStanding): string {
  const { name, from, to, version, state, reason = '' } = standing;
  const way = `from version ${from} to version ${to}`;
  const why = reason === '' ? '' : `: ${reason}`;
  switch (state) {
    case 'Complete':
      return `dc/${name} has gone back ${way}, as version ${version ?? ''}`;
    case 'Running':
      return `dc/${name} is on its way back ${way}, as version ${version ?? ''}`;
    case 'Failed':
      return version === undefined
        ? `dc/${name} could not go back ${way}, and was left as it was${why}`
        : `dc/${name} failed on its way back ${way}, as version ${version}${why}`;
    case 'Untouched':
      return `dc/${name} was left as it was, at version ${from}`;
  }
}

/** What people have to know once it is over; what was not known beforehand has shown itself by then. */
export function renderOutcome({ standings, report }: RollbackOutcome): readonly Line[] {
  const warned = report.configs
    .map(({ name, warnings }) => ({
      name,
      warnings: warnings.filter(({ kind }) => kind !== 'NotChecked'),
    }))
    .filter(({ warnings }) => warnings.length > 0);
  return [
    ...standings.map((standing): Line => [span(describeStanding(standing))]),
    ...warned.flatMap((config): Line[] => [
      [span(`What to look at in dc/${config.name}:`, 'strong')],
      ...renderWarnings(config),
    ]),
  ];
}

/** The commands in full, so that nobody has to think in their worst hour. */
export function renderNextCommands(
  { goOn, goBack, stuck }: NextCommands,
  write: (which: 'goOn' | 'goBack', targets: readonly string[]) => string,
): readonly Line[] {
  return [
    ...(goOn.length === 0 ? [] : [[span('To go on:    ', 'strong'), span(write('goOn', goOn))]]),
    ...(goBack.length === 0
      ? []
      : [[span('To go back:  ', 'strong'), span(write('goBack', goBack))]]),
    ...stuck.map(({ name, from }): Line => [
      span(`dc/${name} can't go back to version ${from}, which was never complete`),
    ]),
  ];
}
