import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

/** What the Temporal UI's list is filtered by. */
export const searchAttributes = {
  kind: defineSearchAttributeKey('SlipwayKind', SearchAttributeType.KEYWORD),
  namespace: defineSearchAttributeKey('SlipwayNamespace', SearchAttributeType.KEYWORD),
  name: defineSearchAttributeKey('SlipwayName', SearchAttributeType.KEYWORD),
  cluster: defineSearchAttributeKey('SlipwayCluster', SearchAttributeType.KEYWORD),
  phase: defineSearchAttributeKey('SlipwayPhase', SearchAttributeType.KEYWORD),
  revision: defineSearchAttributeKey('SlipwayRevision', SearchAttributeType.INT),
} as const;
