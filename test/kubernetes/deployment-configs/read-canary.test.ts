import { describe, expect, test } from '@jest/globals';

import { noCanaryNotes } from '../../../src/domain/deployment-config/canary-strategy.js';
import { configAnnotations } from '../../../src/kubernetes/deployment-configs/annotations.js';
import { buildController } from '../../../src/kubernetes/deployment-configs/build-controller.js';
import {
  canaryAnnotations,
  readCanaryNotes,
  readCanaryStages,
  writeApproval,
  writeMetricNotes,
} from '../../../src/kubernetes/deployment-configs/read-canary.js';
import { readStrategy } from '../../../src/kubernetes/deployment-configs/read-controller.js';

const notesOf = (annotations: Readonly<Record<string, string>>) =>
  readCanaryNotes({ metadata: { name: 'web-2', annotations } });

describe('stages', () => {
  test('are the steps, and a comparison after them', () => {
    const metric = { name: 'errors', url: 'http://prom', query: 'up', max: 1, min: null };
    const stages = readCanaryStages({
      steps: [
        { percent: 10, pause: { seconds: 5 } },
        { count: 3, approve: true, metrics: [metric] },
      ],
      ab: { share: 40 },
    });
    expect(stages).toEqual([
      { size: '10%', pauseSeconds: 5, needsApproval: false, isComparison: false, metrics: [] },
      {
        size: 3,
        pauseSeconds: 0,
        needsApproval: true,
        isComparison: false,
        metrics: [{ name: 'errors', max: 1, intervalSeconds: 10, count: 1 }],
      },
      { size: '40%', pauseSeconds: 0, needsApproval: false, isComparison: true, metrics: [] },
    ]);
  });

  test('of a strategy without parameters are none', () => {
    expect(readStrategy({ type: 'Canary' })).toEqual({
      type: 'Canary',
      timeoutSeconds: 600,
      stages: [],
    });
  });
});

describe('notes', () => {
  test('of a version that has none begin with the first step', () => {
    expect(notesOf({})).toEqual(noCanaryNotes);
  });

  test('are read as they were written', () => {
    const metrics = new Map([
      ['errors', { passed: 2, value: 0.1, atMs: 1_000, troubles: 1, problem: 'no value' }],
      ['constructor', { passed: 1, atMs: 2_000, troubles: 0 }],
    ]);
    const approval = { step: 1, by: 'ann', reason: 'fine', winner: 'new' } as const;
    const written = {
      ...canaryAnnotations(1, { step: 1, reachedAtMs: 5_000, waitedMs: 20.4 }),
      ...writeMetricNotes(metrics),
      ...writeApproval(approval),
    } as Record<string, string>;
    expect(notesOf(written)).toEqual({
      step: 1,
      reachedAtMs: 5_000,
      waitedMs: 20,
      metrics,
      approval,
    });
  });

  test('of a step that is left go with it', () => {
    expect(canaryAnnotations(1, { step: 2 })).toEqual({
      [configAnnotations.canaryStep]: '2',
      [configAnnotations.canaryReachedAt]: null,
      [configAnnotations.canaryWaited]: null,
      [configAnnotations.canaryMetrics]: null,
    });
    expect(canaryAnnotations(1, { step: 1 })).not.toHaveProperty([configAnnotations.canaryMetrics]);
  });

  test.each(['-1', '1.5', 'one', ''])('a step "%s" is none', (step) => {
    expect(notesOf({ [configAnnotations.canaryStep]: step }).step).toBe(0);
  });

  test.each(['', 'yes', '1', 'null', '{}', '{"step":"0"}', '{"step":-1}', '{"step":0.5}'])(
    'an approval "%s" is none, which is said',
    (text) => {
      const notes = notesOf({ [configAnnotations.approval]: text });
      expect(notes).not.toHaveProperty('approval');
      expect(notes.approvalProblem).toContain(configAnnotations.approval);
    },
  );

  test('a winner that is no side is none either', () => {
    const notes = notesOf({ [configAnnotations.approval]: '{"step":0,"winner":"both"}' });
    expect(notes.approvalProblem).toContain('neither new nor old');
  });

  test.each(['', '[]', '{"errors":1}', '{"errors":{"passed":1}}', '{"errors":{"at":"x"}}'])(
    'measurements "%s" are none',
    (text) => {
      expect(notesOf({ [configAnnotations.canaryMetrics]: text }).metrics.size).toBe(0);
    },
  );
});

test('an approval on the config is none of its versions', () => {
  const annotations = { [configAnnotations.approval]: '{"step":0}', team: 'shop' };
  const template = { metadata: { labels: { app: 'web' } } };
  const config = { metadata: { name: 'web', annotations }, spec: { template } };
  const version = buildController(config, 2);
  expect(version.metadata.annotations).toMatchObject({ team: 'shop' });
  expect(readCanaryNotes(version)).toEqual(noCanaryNotes);
});
