import { describe, expect, it } from '@jest/globals';

import { buildWorkload, imagePatch, isComplete, type Workload } from '../../bench/workloads.js';

const plan = { namespace: 'bench', name: 'web-1', pods: 10 };

function workload(status: Workload['status']): Workload {
  return { metadata: { name: 'web-1' }, spec: { replicas: 10 }, status: { ...status } };
}

const done = {
  observedGeneration: 4,
  replicas: 10,
  updatedReplicas: 10,
  availableReplicas: 10,
} as const;

describe('isComplete', () => {
  it('when every count is what was asked for and the generation was observed', () => {
    expect(isComplete(workload(done), 4)).toBe(true);
  });

  it('reads a generation that stands there as a string, as a number', () => {
    expect(isComplete(workload({ ...done, observedGeneration: '10' }), 9)).toBe(true);
    expect(isComplete(workload({ ...done, observedGeneration: '9' }), 10)).toBe(false);
  });

  it.each<[string, Workload['status']]>([
    ['the generation was not observed yet', { ...done, observedGeneration: 3 }],
    ['old pods are left', { ...done, replicas: 11 }],
    ['new pods are missing', { ...done, updatedReplicas: 9 }],
    ['a pod is not available', { ...done, availableReplicas: 9 }],
    ['there is no status', {}],
  ])('not when %s', (_why, status) => {
    expect(isComplete(workload(status), 4)).toBe(false);
  });
});

describe('buildWorkload', () => {
  it('gives both kinds the same margins, size and template', () => {
    const deployment = buildWorkload({ kind: 'deployment', ...plan }, 1);
    const rollout = buildWorkload({ kind: 'rollout', ...plan }, 1);
    const margins = { maxSurge: '25%', maxUnavailable: '25%' };
    expect(deployment).toMatchObject({ spec: { strategy: { rollingUpdate: margins } } });
    expect(rollout).toMatchObject({ spec: { strategy: { canary: margins } } });
    const { strategy: _one, ...deploymentRest } = (
      deployment as unknown as { spec: { strategy: unknown } }
    ).spec;
    const { strategy: _other, ...rolloutRest } = (
      rollout as unknown as { spec: { strategy: unknown } }
    ).spec;
    expect(rolloutRest).toEqual(deploymentRest);
  });
});

describe('imagePatch', () => {
  it('names an image that no other version has', () => {
    expect(imagePatch(2)).not.toEqual(imagePatch(1));
  });
});
