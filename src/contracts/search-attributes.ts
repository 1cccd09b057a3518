import {
  defineSearchAttributeKey,
  SearchAttributeType,
  type SearchAttributePair,
} from '@temporalio/common';

import type { VersionRunPhase } from '../domain/deployment-config/plan.js';
import type { HookRunPhase } from '../domain/hook/plan.js';
import type { Phase } from '../domain/deployment/plan.js';
import type { Revision } from '../domain/shared/revision.js';
import type { RollbackRunPhase } from './rollback.js';
import type { ObjectRef } from './workflow-ids.js';

/** What the Temporal UI's list is filtered by. */
export const searchAttributes = {
  kind: defineSearchAttributeKey('SlipwayKind', SearchAttributeType.KEYWORD),
  namespace: defineSearchAttributeKey('SlipwayNamespace', SearchAttributeType.KEYWORD),
  name: defineSearchAttributeKey('SlipwayName', SearchAttributeType.KEYWORD),
  cluster: defineSearchAttributeKey('SlipwayCluster', SearchAttributeType.KEYWORD),
  phase: defineSearchAttributeKey('SlipwayPhase', SearchAttributeType.KEYWORD),
  revision: defineSearchAttributeKey('SlipwayRevision', SearchAttributeType.INT),
} as const;

/** What the list is to say of a run. */
export function describeRun(
  kind: 'Deployment' | 'DeploymentConfig' | 'Hook' | 'Rollback',
  { cluster, namespace, name }: ObjectRef,
  phase: Phase | VersionRunPhase | HookRunPhase | RollbackRunPhase,
  revision: Revision | undefined,
): readonly SearchAttributePair[] {
  return [
    { key: searchAttributes.kind, value: kind },
    { key: searchAttributes.cluster, value: cluster },
    { key: searchAttributes.namespace, value: namespace },
    { key: searchAttributes.name, value: name },
    { key: searchAttributes.phase, value: phase },
    ...(revision === undefined
      ? []
      : [{ key: searchAttributes.revision, value: Number(revision) }]),
  ];
}
