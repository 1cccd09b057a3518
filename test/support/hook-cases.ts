import type { HookMoment } from '../../src/domain/shared/hook.js';
import type { HookTrial } from './hook-trial.js';

export const hookPolicies = ['Retry', 'Abort', 'Ignore'] as const;
export type HookCasePolicy = (typeof hookPolicies)[number];

/** One way in which the pods of a hook may end, and what that means under each policy. */
export interface HookCase {
  readonly name: string;
  /** How long all tries may take together. */
  readonly deadlineSeconds?: number;
  readonly resources?: object;
  /** What the node does to the hook's pods. */
  readonly play: (
    hooks: HookTrial,
    owner: string,
    moment: HookMoment,
    policy: HookCasePolicy,
  ) => Promise<void>;
  /** How the hook and its deployment end, and in how many tries at least. */
  readonly ends: Readonly<
    Record<HookCasePolicy, readonly ['Succeeded' | 'Failed', 'Complete' | 'Failed', number]>
  >;
}

export const hookCases: readonly HookCase[] = [
  {
    name: 'success',
    play: (hooks, version, moment) => hooks.end(version, moment, 0),
    ends: {
      Retry: ['Succeeded', 'Complete', 1],
      Abort: ['Succeeded', 'Complete', 1],
      Ignore: ['Succeeded', 'Complete', 1],
    },
  },
  {
    name: 'failure',
    deadlineSeconds: 8,
    play: async (hooks, version, moment, policy) => {
      await hooks.end(version, moment, 1, { message: 'no such table' });
      if (policy === 'Retry') await hooks.end(version, moment, 1, { number: 2 });
    },
    ends: {
      Retry: ['Failed', 'Failed', 2],
      Abort: ['Failed', 'Failed', 1],
      Ignore: ['Failed', 'Complete', 1],
    },
  },
  {
    name: 'failure, then success',
    play: async (hooks, version, moment, policy) => {
      await hooks.end(version, moment, 1);
      if (policy === 'Retry') await hooks.end(version, moment, 0, { number: 2 });
    },
    ends: {
      Retry: ['Succeeded', 'Complete', 2],
      Abort: ['Failed', 'Failed', 1],
      Ignore: ['Failed', 'Complete', 1],
    },
  },
  {
    name: 'a pod that is deleted',
    play: async (hooks, version, moment, policy) => {
      await hooks.delete(version, moment);
      if (policy === 'Retry') await hooks.end(version, moment, 0, { number: 2 });
    },
    ends: {
      Retry: ['Succeeded', 'Complete', 2],
      Abort: ['Failed', 'Failed', 1],
      Ignore: ['Failed', 'Complete', 1],
    },
  },
  {
    name: 'a pod that is never scheduled',
    deadlineSeconds: 6,
    resources: { requests: { cpu: '5k' } },
    play: () => Promise.resolve(),
    ends: {
      Retry: ['Failed', 'Failed', 1],
      Abort: ['Failed', 'Failed', 1],
      Ignore: ['Failed', 'Complete', 1],
    },
  },
  {
    name: 'a deadline',
    deadlineSeconds: 8,
    play: async (hooks, version, moment) => {
      await hooks.until(version, moment);
    },
    ends: {
      Retry: ['Failed', 'Failed', 1],
      Abort: ['Failed', 'Failed', 1],
      Ignore: ['Failed', 'Complete', 1],
    },
  },
];
