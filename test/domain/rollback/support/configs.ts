import type {
  ConfigData,
  ContainerData,
  Labels,
  PodData,
  StrategyData,
  VariableData,
} from '../../../../src/domain/rollback/config-data.js';
import type { GoingBack, Neighbour } from '../../../../src/domain/rollback/scene.js';

export interface ConfigDraft {
  readonly name?: string;
  readonly labels?: Labels;
  readonly selector?: Labels;
  readonly podLabels?: Labels;
  /** Plain variables of the one container. */
  readonly env?: Labels;
  readonly container?: Partial<ContainerData>;
  readonly pod?: PodData;
  readonly strategy?: StrategyData;
}

/** A config of one container. */
export function draftConfig(draft: ConfigDraft = {}): ConfigData {
  const { name = 'web', labels, selector, podLabels = { name }, env, container, pod } = draft;
  return {
    metadata: { name, ...(labels === undefined ? {} : { labels }) },
    spec: {
      ...(selector === undefined ? {} : { selector }),
      template: {
        metadata: { labels: podLabels },
        spec: {
          containers: [
            { name: 'main', image: 'example.com/web:1', env: toVariables(env), ...container },
          ],
          ...pod,
        },
      },
      ...(draft.strategy === undefined ? {} : { strategy: draft.strategy }),
    },
  };
}

export const toVariables = (env: Labels = {}): readonly VariableData[] =>
  Object.entries(env).map(([name, value]) => ({ name, value }));

/** From version 2 back to version 1. */
export function goBack(
  before: ConfigDraft,
  after: ConfigDraft,
  rest: Partial<GoingBack> = {},
): GoingBack {
  const name = before.name ?? 'web';
  return {
    current: draftConfig({ ...before, name }),
    proposed: draftConfig({ ...after, name }),
    from: 2,
    to: 1,
    ownLabels: { deploymentconfig: name },
    versions: [],
    ...rest,
  };
}

/** A config that stays as it is. */
export function standBeside(
  draft: ConfigDraft,
  kind: Neighbour['kind'] = 'DeploymentConfig',
): Neighbour {
  const { metadata, spec } = draftConfig(draft);
  return {
    kind,
    name: metadata.name,
    labels: metadata.labels ?? {},
    selector: spec.selector ?? spec.template.metadata?.labels ?? {},
    template: spec.template,
  };
}
