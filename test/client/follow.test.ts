import { describe, expect, test } from '@jest/globals';

import {
  createDeploymentFollower,
  describeEnd,
  describeProgress,
} from '../../src/client/deployments/deployment-follower.js';
import { followInView } from '../../src/client/follow.js';
import { buildDeploymentTrees } from '../../src/client/tree/build-deployment-trees.js';
import { PlainView } from '../../src/client/tree/follow-view.js';
import { resources } from '../../src/kubernetes/resources.js';
import {
  changed,
  ScriptedClient,
  type ListStep,
  type WatchStep,
} from './support/scripted-client.js';
import { deployment, type DeploymentFacts } from './support/objects.js';

const late = {
  type: 'Progressing',
  status: 'False',
  reason: 'ProgressDeadlineExceeded',
  message: 'Late.',
};

async function follow(lists: ListStep[], watches?: WatchStep[], signal?: AbortSignal) {
  const lines: string[] = [];
  const end = await followInView(
    {
      cluster: { client: new ScriptedClient(lists, watches) },
      type: resources.builtInDeployments,
      namespace: 'shop',
      name: 'web',
      follower: createDeploymentFollower(),
      ...(signal === undefined ? {} : { signal }),
    },
    new PlainView((line) => lines.push(line.replace(/after [\d.]+s/, 'after a while'))),
  );
  return { end, lines };
}

const rolledBack = {
  type: 'RolledBack',
  status: 'True',
  reason: 'PodsCrash',
  message: 'Revision 2 failed; rolled back to revision 1',
  lastUpdateTime: '2026-01-01T00:00:00Z',
};

describe('followInView', () => {
  test.each<[string, DeploymentFacts, string, string]>([
    [
      'complete',
      {},
      'complete',
      'deployment.apps/web: complete after a while: 10 of 10 updated, 10 available',
    ],
    [
      'failed',
      { updated: 6, conditions: [late] },
      'failed',
      'deployment.apps/web: failed after a while: 6 of 10 updated, 10 available, 4 old left. Late.',
    ],
    [
      'rolled back',
      { conditions: [rolledBack] },
      'failed',
      'deployment.apps/web: rolled back after a while: 10 of 10 updated, 10 available. Revision 2 failed; rolled back to revision 1.',
    ],
    [
      'refused',
      { updated: 6, conditions: [{ ...late, reason: 'ReplicaSetCreateError' }] },
      'failed',
      'deployment.apps/web: failed after a while: 6 of 10 updated, 10 available, 4 old left. Late.',
    ],
    [
      'cancelled',
      { updated: 6, paused: true, annotations: { 'slipway.dev/cancelled': 'wrong one' } },
      'cancelled',
      'deployment.apps/web: cancelled after a while: 6 of 10 updated, 10 available, 4 old left. Cancelled: wrong one',
    ],
  ])('%s', async (_title, facts, end, line) => {
    expect(await follow([[deployment(facts)]])).toEqual({ end, lines: [line] });
  });

  test('an object that is not there, or no longer, has failed', async () => {
    const gone = 'deployment.apps/web: failed: it was deleted';
    expect(await follow([[]])).toEqual({ end: 'failed', lines: [gone] });
    const deleted = changed('DELETED', deployment());
    const { end, lines } = await follow([[deployment({ updated: 2 })]], [[deleted, 'open']]);
    expect([end, lines.at(-1)]).toEqual(['failed', gone]);
  });

  test('goes on until the end, and says what changed on the way', async () => {
    const steps: DeploymentFacts[] = [{ updated: 5, paused: true }, {}];
    // A stream that ends at once is followed by a rest, so each step is seen on its own.
    const watches: WatchStep[] = steps.map((facts) => [changed('MODIFIED', deployment(facts))]);
    const { end, lines } = await follow(
      [[deployment({ observed: 1 })]],
      [[], ...watches, ['open']],
    );
    expect(end).toBe('complete');
    expect(lines).toEqual([
      'deployment.apps/web: waiting for a controller to see the change',
      'deployment.apps/web: paused at 5 of 10 updated, 10 available, 5 old left. Paused.',
      'deployment.apps/web: complete after a while: 10 of 10 updated, 10 available',
    ]);
  });

  test('stops with the reason of its signal', async () => {
    const stop = new Error('enough');
    const progress = [deployment({ updated: 1 })];
    await expect(follow([progress], [['open']], AbortSignal.abort(stop))).rejects.toBe(stop);
  });
});

test('a line and an end are one line, whatever the cluster’s messages hold', () => {
  const conditions = [{ ...late, message: 'a\nb' }];
  const [tree] = buildDeploymentTrees({
    deployments: [deployment({ updated: 1, conditions })],
    replicaSets: [],
    pods: [],
  });
  expect(describeEnd('x', tree, 61_000)).toBe(
    'x: failed after 1m1s: 1 of 10 updated, 10 available, 9 old left. a b',
  );
  expect(describeProgress('x', { ...tree!, phase: 'Paused' })).not.toContain('\n');
});
