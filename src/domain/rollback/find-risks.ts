import { findEnvironmentRisks } from './find-environment-risks.js';
import { findHookRisks } from './find-hook-risks.js';
import { findMissingReferences } from './find-missing-references.js';
import { findServiceRisks } from './find-service-risks.js';
import { listReferences } from './list-references.js';
import type { RollbackWarning } from './report.js';
import type { Existing, GoingBack, Neighbour, ServiceData } from './scene.js';

/** What is there beside those that go back. */
export interface Surroundings {
  /** Not those that go back themselves. */
  readonly neighbours: readonly Neighbour[];
  readonly services: readonly ServiceData[];
  readonly existing: readonly Existing[];
}

/** What may break when one of several goes back, though it can be done; the others are judged as they will be. */
export function findRisks(
  member: GoingBack,
  all: readonly GoingBack[],
  { neighbours, services, existing }: Surroundings,
): readonly RollbackWarning[] {
  const others = all.filter((other) => other !== member);
  return [
    ...findEnvironmentRisks(member, others, neighbours),
    ...findServiceRisks(member, services),
    ...findMissingReferences(listReferences(member.proposed), existing),
    ...findHookRisks(member),
  ];
}
