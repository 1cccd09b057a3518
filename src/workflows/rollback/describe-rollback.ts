import type { RollbackRunStatus, RollbackStanding } from '../../contracts/rollback.js';
import { isPossible, type RollbackReport } from '../../domain/rollback/report.js';

/** Every problem, each with the config that has it. */
export const describeProblems = (report: RollbackReport): string =>
  `Nothing was changed: ${listProblems(report)}`;

export const listProblems = ({ configs }: RollbackReport): string =>
  configs
    .flatMap(({ name, problems }) =>
      problems.map(({ field, message }) => `${name}: ${field}: ${message}`),
    )
    .join('; ');

/** Where each config stands, in a sentence or two. */
export function describeEnd({ standings, report }: Omit<RollbackRunStatus, 'phase'>): string {
  if (standings.every(({ state }) => state === 'Untouched')) return describeIntent(report);
  const told = (['Failed', 'Running', 'Complete', 'Untouched'] as const).flatMap((state) =>
    standings.filter((standing) => standing.state === state).map(describeStanding),
  );
  return `${told.join('; ')}.`;
}

/** Example: web would go back from version 2 to version 1. */
function describeIntent(report: RollbackReport): string {
  if (!isPossible(report)) return describeProblems(report);
  const told = report.configs.map(
    ({ name, from, to }) => `${name} would go back from version ${from} to version ${to}`,
  );
  return `${told.join('; ')}.`;
}

function describeStanding({ name, from, to, version, state, reason }: RollbackStanding): string {
  switch (state) {
    case 'Complete':
      return `${name} has gone back from version ${from} to version ${to}, as version ${version ?? ''}`;
    case 'Running':
      return `${name} is going back, as version ${version ?? ''}`;
    case 'Failed':
      return version === undefined
        ? `${name} could not go back: ${reason ?? ''}`
        : `version ${version} of ${name} has failed: ${reason ?? ''}`;
    case 'Untouched':
      return `${name} is untouched at version ${from}`;
  }
}
