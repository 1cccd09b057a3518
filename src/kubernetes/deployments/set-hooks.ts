import type { HookStrategy } from '../hooks/objects.js';
import type { HooksSource } from '../hooks/read-hooks.js';
import type { Deployment, ReplicaSet } from '../objects.js';
import { annotations } from './annotations.js';

export type SetHooks = HooksSource & HookStrategy;

const fields = [
  'lifecycle',
  'resources',
  'labels',
  'annotations',
  'activeDeadlineSeconds',
] as const satisfies readonly (keyof HookStrategy)[];

/** What a set keeps of its Deployment's hooks, for a rollout that goes by them as they were; else nothing. */
export function writeSetHooks({ spec }: Deployment): string | undefined {
  const strategy = spec?.strategy ?? {};
  const { lifecycle } = strategy;
  if (lifecycle === undefined || lifecycle === null) return undefined;
  return JSON.stringify(Object.fromEntries(fields.map((field) => [field, strategy[field]])));
}

/** Only Slipway writes it; what it can't read it has not written. */
export function readSetHooks({ metadata }: Pick<ReplicaSet, 'metadata'>): SetHooks {
  try {
    const kept: unknown = JSON.parse(metadata.annotations?.[annotations.hooks] ?? '{}');
    return typeof kept === 'object' && kept !== null ? kept : {};
  } catch {
    return {};
  }
}
