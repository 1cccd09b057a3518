import { readFileSync, renameSync, writeFileSync } from 'node:fs';

import { z } from 'zod';

import { CommandFailure } from '../../client/failure.js';
import type { Layout } from './layout.js';
import { partNames } from './parts.js';

const partSchema = z.object({
  pid: z.number().int(),
  /** When the process started: a later one with the same pid is not ours to end. */
  identity: z.string(),
  /** What it was started with: a part that should run otherwise is started anew. */
  fingerprint: z.string(),
});

const settingsSchema = z.object({
  dropIn: z.boolean(),
  nodes: z.number().int(),
  worker: z.boolean(),
  unsafeNoFsync: z.boolean(),
  kubeconfig: z.string().optional(),
  context: z.string().optional(),
  /** As the user's own kubeconfig names it. */
  clusterName: z.string().optional(),
  temporalAddress: z.string().optional(),
  /** One node beside the simulated ones that really runs its pods. */
  realNode: z.boolean().optional(),
});

const nameSchema = z.enum(partNames);

const stateSchema = z.object({
  version: z.literal(1),
  /** Those of the stack that is up; none once it is down. */
  settings: settingsSchema.optional(),
  /** Kept after `down`, so that addresses stay the same where they are free. */
  ports: z.partialRecord(nameSchema, z.record(z.string(), z.number().int())),
  parts: z.partialRecord(nameSchema, partSchema),
  /** That of the real node's pods; kept after `down` as well. */
  nodeNetwork: z.string().optional(),
});

export type StackSettings = Readonly<z.infer<typeof settingsSchema>>;
export type PartRecord = Readonly<z.infer<typeof partSchema>>;
export type StackState = z.infer<typeof stateSchema>;

export const emptyState = (): StackState => ({ version: 1, ports: {}, parts: {} });

export function readState(layout: Layout): StackState {
  let text: string;
  try {
    text = readFileSync(layout.state, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return emptyState();
    throw error;
  }
  try {
    return stateSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new CommandFailure(
      `${layout.state} is not a state that this version of Slipway wrote: end the processes it names, then delete ${layout.folder}`,
      undefined,
      { cause: error },
    );
  }
}

/** At once and without waiting, so that no process is started that is not written down. */
export function writeState(layout: Layout, state: StackState): void {
  const draft = `${layout.state}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(state, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(draft, layout.state);
}
