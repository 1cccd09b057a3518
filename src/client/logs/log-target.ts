import type { HookWish } from '../../kubernetes/hooks/read-hooks.js';
import type { KubernetesObject, Pod } from '../../kubernetes/objects.js';
import type { ResourceType } from '../../kubernetes/resources.js';
import type { FollowEnd } from '../follower.js';
import { describeHooks } from '../tree/describe-hooks.js';
import type { LogPicture } from './log-selection.js';
import { listLogSources } from './log-source.js';

/** One object by its name. */
export interface Address {
  readonly type: ResourceType;
  readonly name: string;
}

/** The version or revision whose hooks and deployer are to be read. */
export interface LogTarget {
  /** Example: version 2 of deploymentconfig.apps.openshift.io/web */
  readonly title: string;
  readonly namespace: string;
  readonly root: Address;
  /** What its hooks are kept with, and named after. */
  readonly holder: Address;
  /** The hooks that it asks for, as far as that is known. */
  readonly listWishes: (holder: KubernetesObject) => readonly Pick<HookWish, 'moment' | 'policy'>[];
  readonly hasDeployer: (holder: KubernetesObject) => boolean;
  /** How it ended; undefined while more may come. */
  readonly judge: (
    holder: KubernetesObject,
    root: KubernetesObject | undefined,
  ) => FollowEnd | undefined;
}

/** What was seen of a target. */
export interface LogScene {
  readonly root: KubernetesObject | undefined;
  /** Undefined before it is made, and when it is gone. */
  readonly holder: KubernetesObject | undefined;
  readonly pods: readonly Pod[];
}

/** What there is to be read; undefined without a holder. */
export function buildPicture(
  { title, listWishes, hasDeployer, judge }: LogTarget,
  { root, holder, pods }: LogScene,
): LogPicture | undefined {
  if (holder === undefined) return undefined;
  const hooks = describeHooks({ holder, wishes: listWishes(holder), pods });
  const sources = listLogSources({ holder, hooks, pods });
  return {
    title,
    hooks,
    hasDeployer: hasDeployer(holder) || sources.some(({ moment }) => moment === undefined),
    sources,
    end: judge(holder, root),
  };
}
