import { canonicalJson } from '../shared/canonical-json.js';
import { defined } from '../shared/optional.js';
import type { RollbackWish } from './wish.js';

/** A DeploymentConfig as it stands on the wire, as far as going back looks into it. */
export interface RollbackData {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly replicas?: number;
    readonly selector?: object | null;
    readonly template: object;
    readonly strategy?: object;
    readonly triggers?: readonly TriggerData[] | null;
    readonly triggersSuspended?: boolean | null;
  };
}

export interface TriggerData {
  readonly type: string;
  readonly imageChangeParams?: ImageParamsData | null;
}

interface ImageParamsData {
  readonly automatic?: boolean | null;
  readonly containerNames: readonly string[];
  readonly from?: { readonly namespace?: string; readonly name?: string } | null;
  readonly repositoryName?: string | null;
  readonly tag?: string | null;
  readonly lastTriggeredImage?: string | null;
}

/** Each field that may go back. */
export interface RollbackParts {
  readonly labels: boolean;
  readonly triggers: boolean;
  readonly strategy: boolean;
  readonly replicas: boolean;
  readonly selector: boolean;
  readonly template: boolean;
}

/** Configuration is labels, triggers and strategy; the application is what the pods are made from. */
export const partsOf = ({
  config,
  application,
  keepsReplicas,
}: Pick<RollbackWish, 'config' | 'application' | 'keepsReplicas'>): RollbackParts => ({
  labels: config,
  triggers: config,
  strategy: config,
  replicas: application && keepsReplicas !== true,
  selector: application,
  template: application,
});

const specParts = ['strategy', 'replicas', 'selector', 'template'] as const;

/**
 * The config as it would be after going back: the parts that go back from the release, the rest from what
 * stands now. Its type, its annotations, its versions and whatever else has no part in going back stay as they
 * are. All triggers are kept and suspended, so that none of them undoes it, and those on images that come from
 * the release would not act by themselves even then.
 */
export function buildRollback<Config extends RollbackData>(
  current: Config,
  release: Config,
  parts: RollbackParts,
): Config {
  const labelled = parts.labels
    ? takeFields(current.metadata, release.metadata, ['labels'])
    : current.metadata;
  const taken = specParts.filter((part) => parts[part]);
  const triggers = buildTriggers(current.spec, release.spec, parts);
  const { triggers: _replaced, ...spec } = takeFields(current.spec, release.spec, taken);
  return {
    ...current,
    metadata: labelled,
    spec: { ...spec, ...defined({ triggers }), triggersSuspended: true },
  };
}

/** The fields of one with some of another's, which may have them absent. */
function takeFields<T extends object>(current: T, release: T, keys: readonly (keyof T)[]): T {
  const isTaken = (key: string): boolean => keys.some((taken) => taken === key);
  const kept = Object.entries(current).filter(([key]) => !isTaken(key));
  const taken = Object.entries(release).filter(([key]) => isTaken(key));
  return Object.fromEntries([...kept, ...taken]) as T;
}

type Triggers = RollbackData['spec']['triggers'];

/**
 * Which image a trigger has put into the template last tells of the template, so it goes where that goes: else
 * the trigger would put an image back over the one that is wanted.
 */
function buildTriggers(
  current: RollbackData['spec'],
  release: RollbackData['spec'],
  { triggers, template }: RollbackParts,
): Triggers {
  const chosen = triggers ? makeManual(release.triggers) : current.triggers;
  if (triggers === template) return chosen;
  const filled = (template ? release : current).triggers;
  return chosen?.map((trigger) => withImageOf(trigger, filled));
}

/** Triggers of which no image acts by itself. */
export function makeManual<Trigger extends TriggerData>(
  triggers: readonly Trigger[] | null | undefined,
): Trigger[] | undefined {
  return triggers?.map((trigger) => {
    const { imageChangeParams: params } = trigger;
    if (params === undefined || params === null) return trigger;
    return { ...trigger, imageChangeParams: { ...params, automatic: false } };
  });
}

function withImageOf(trigger: TriggerData, filled: Triggers): TriggerData {
  const { imageChangeParams: params } = trigger;
  if (params === undefined || params === null) return trigger;
  const { lastTriggeredImage: _before, ...rest } = params;
  const same = filled?.find(
    (other) => describeSource(other.imageChangeParams) === describeSource(params),
  );
  const lastTriggeredImage = same?.imageChangeParams?.lastTriggeredImage ?? undefined;
  return { ...trigger, imageChangeParams: { ...rest, ...defined({ lastTriggeredImage }) } };
}

/** What a trigger follows and for whom, as a text. */
function describeSource(params: ImageParamsData | null | undefined): string {
  if (params === undefined || params === null) return '';
  const { from, repositoryName, tag, containerNames } = params;
  return canonicalJson([
    from?.namespace ?? '',
    from?.name ?? '',
    repositoryName ?? '',
    tag ?? '',
    containerNames,
  ]);
}
