import type { KubernetesObject, PodTemplate } from '../objects.js';
import type { ResourceType } from '../resources.js';
import type { HookStrategy } from './objects.js';
import type { HooksSource } from './read-hooks.js';

/** What a hook belongs to: it keeps how far the hook is, and the hook's pods are made from it. */
export interface HookOwner {
  readonly type: ResourceType;
  readonly object: KubernetesObject;
  /** What people know it by, and events are about; absent once that is gone. */
  readonly subject?: { readonly type: ResourceType; readonly object: KubernetesObject };
  /** As it was when the deployment began. */
  readonly strategy: HooksSource & HookStrategy;
  readonly template: PodTemplate;
  /** What the hook's pods are to say of where they belong. */
  readonly podAnnotations: Readonly<Record<string, string>>;
}
