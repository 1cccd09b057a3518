import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { DeterminismViolationError } from '@temporalio/workflow';
import { bundleWorkflowCode, DefaultLogger, Runtime, Worker } from '@temporalio/worker';

import { workflowTypes } from '../../src/contracts/workflow-ids.js';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const histories = readdirSync(here('histories')).filter((file) => file.endsWith('.json'));

interface RecordedHistory {
  readonly events: readonly [
    { readonly workflowExecutionStartedEventAttributes: { readonly workflowId: string } },
  ];
}

const readHistory = (file: string): RecordedHistory =>
  JSON.parse(readFileSync(here(`histories/${file}`), 'utf8')) as RecordedHistory;

const bundle = (workflowsPath: string) =>
  bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });

async function replay(workflowBundle: { code: string }, file: string): Promise<void> {
  const history = readHistory(file);
  const { workflowId } = history.events[0].workflowExecutionStartedEventAttributes;
  await Worker.runReplayHistory({ workflowBundle }, history, workflowId);
}

/** Bundling takes seconds, and more of them on a busy machine. */
jest.setTimeout(120_000);

beforeAll(() => {
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' } } },
  });
});

describe('recorded histories', () => {
  let current: { code: string };
  beforeAll(async () => {
    current = await bundle(here('../../src/workflows/index.ts'));
  });

  test.each(histories)('%s still replays', async (file) => {
    await replay(current, file);
  });

  test('there is one of each workflow type', () => {
    const recorded = new Set(histories.map((file) => file.split('-')[0]));
    expect([...recorded].sort()).toEqual(Object.values(workflowTypes).sort());
  });
});

test('a workflow that does something else is caught', async () => {
  const changed = await bundle(here('changed-workflows.ts'));
  const file = histories.find((name) => name.startsWith('deployment-')) ?? '';
  await expect(replay(changed, file)).rejects.toThrow(DeterminismViolationError);
});
