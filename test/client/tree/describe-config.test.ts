import { describe, expect, test } from '@jest/globals';

import { describeConfig } from '../../../src/client/tree/describe-config.js';
import type { ImageRepository } from '../../../src/kubernetes/image-repositories/objects.js';
import {
  config,
  followLatest,
  repository,
  version,
  type ConfigFacts,
  type VersionFacts,
} from '../support/configs.js';

const stand = (
  facts: ConfigFacts,
  latest?: VersionFacts,
  repositories: readonly ImageRepository[] = [],
) =>
  describeConfig({
    config: config(facts),
    latest: latest === undefined ? undefined : version(1, latest),
    repositories,
  });

const cancelled = { 'openshift.io/deployment.cancelled': 'true' };
const why = { 'openshift.io/deployment.status-reason': 'no room' };
const asked = { 'slipway.dev/request': '{"version":2,"by":"ann"}' };
const none = { status: { latestVersion: 0 } };
const suspended = {
  type: 'TriggersSuspended',
  status: 'True',
  message: 'rollback to version 1',
  lastTransitionTime: '2026-01-01T12:00:00Z',
};

describe('by its latest version', () => {
  test.each<[string, ConfigFacts, VersionFacts | undefined, string, string]>([
    ['complete', {}, {}, 'Complete', ''],
    ['under way', {}, { phase: 'Running' }, 'Progressing', ''],
    ['about to be made', {}, undefined, 'Progressing', ''],
    ['failed', {}, { phase: 'Failed', marks: why }, 'Failed', 'Version 1: no room'],
    [
      'cancelled',
      {},
      { phase: 'Failed', marks: { ...cancelled, ...why } },
      'Cancelled',
      'Version 1: no room',
    ],
    [
      'paused under way',
      { spec: { paused: true }, annotations: { 'slipway.dev/pause-reason': 'lunch' } },
      { phase: 'Running' },
      'Paused',
      'Paused, version 1 waits: lunch',
    ],
    ['paused when complete', { spec: { paused: true } }, {}, 'Complete', 'Paused.'],
    [
      'paused with a change',
      { spec: { paused: true }, image: 'web:2' },
      {},
      'Paused',
      'Paused, its changes wait.',
    ],
    ['changed', { image: 'web:2' }, {}, 'Waiting', 'Version 2 is due: config change.'],
    [
      'changed while triggers are suspended',
      { spec: { triggersSuspended: true }, image: 'web:2', status: { conditions: [suspended] } },
      {},
      'Complete',
      'Triggers are suspended since 2026-01-01T12:00:00Z: rollback to version 1',
    ],
    [
      'without a version while triggers are suspended',
      { spec: { triggersSuspended: true }, ...none },
      undefined,
      'Idle',
      'Triggers are suspended: spec.triggersSuspended is set',
    ],
    ['asked for', { annotations: asked }, {}, 'Waiting', 'Version 2 is due: manual change by ann.'],
    [
      'scaled, unseen',
      { spec: { replicas: 9 }, status: { observedGeneration: 0 } },
      {},
      'Waiting',
      'No controller has seen this change yet.',
    ],
    [
      'without triggers',
      { ...none, spec: { triggers: [] } },
      undefined,
      'Idle',
      'It has no version, and none of its triggers makes one: "slipway trigger dc/web" does.',
    ],
  ])('%s', (_title, facts, latest, phase, message) => {
    expect(stand(facts, latest)).toEqual({ phase, message, waitsFor: [] });
  });
});

describe('without an image', () => {
  const blank = { ...none, spec: followLatest, image: ' ' };
  const ready = { type: 'Ready', status: 'True' as const };
  const refused = { type: 'Ready', status: 'False' as const, message: 'the registry says no' };

  test.each<[string, readonly ImageRepository[], string]>([
    ['no repository', [], 'there is no such ImageRepository here'],
    ['one not asked', [repository()], 'the registry has not been asked yet'],
    ['one that fails', [repository({ conditions: [refused] })], 'the registry says no'],
    [
      'one without the tag',
      [repository({ conditions: [ready] })],
      "the repository has no such tag, or doesn't follow it",
    ],
  ])('%s', (_title, repositories, reason) => {
    expect(stand(blank, undefined, repositories)).toEqual({
      phase: 'Waiting',
      waitsFor: ['shop/web:latest'],
      message: `It waits for the image of shop/web:latest: ${reason}`,
    });
  });

  test('once it is known a version is due', () => {
    const tags = [{ tag: 'latest', image: 'web@sha256:1' }];
    const { phase, message } = stand(blank, undefined, [repository({ tags })]);
    expect([phase, message]).toEqual([
      'Waiting',
      'Version 1 is due: image change of shop/web:latest.',
    ]);
  });
});
