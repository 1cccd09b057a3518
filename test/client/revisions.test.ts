import { describe, expect, test } from '@jest/globals';

import { planUndo } from '../../src/client/plan-undo.js';
import {
  currentTemplate,
  imagesOf,
  listRevisions,
  pickRevision,
  selectorOf,
} from '../../src/client/revisions.js';
import { parseRevision } from '../../src/client/revision-option.js';
import { readChangeNote } from '../../src/kubernetes/change-note.js';
import { deployment, replicaSet } from './support/objects.js';

describe('listRevisions', () => {
  test('newest first, its own only, and without the label that controllers add', () => {
    const revisions = listRevisions(deployment(), [
      replicaSet(2),
      replicaSet(10),
      replicaSet(3, { owner: 'other' }),
      replicaSet(0),
    ]);
    expect(revisions.map(({ revision }) => revision)).toEqual([10, 2]);
    expect(revisions[0]?.template.metadata?.labels).toEqual({ app: 'web' });
    expect(imagesOf(revisions[0]!.template)).toEqual(['nginx:10']);
  });
});

test('revisions larger than a number are kept to the last digit', () => {
  const large = (revision: string) =>
    replicaSet(1, { annotations: { 'deployment.kubernetes.io/revision': revision } });
  const revisions = listRevisions(deployment(), [
    large('9007199254740993'),
    replicaSet(7),
    large('9007199254740995'),
  ]);
  expect(revisions.map(({ revision }) => revision)).toEqual([
    '9007199254740995',
    '9007199254740993',
    7,
  ]);
  const wanted = parseRevision('9007199254740993');
  expect(pickRevision('x', revisions, wanted)).toBe(revisions[1]);
});

test('pickRevision lists what there is', () => {
  const revisions = listRevisions(deployment(), [replicaSet(2), replicaSet(3)]);
  expect(pickRevision('deployment.apps/web', revisions, 2).revision).toBe(2);
  expect(() => pickRevision('deployment.apps/web', revisions, 9)).toThrow(
    'deployment.apps/web: revision 9 is not in its history, which has 3, 2',
  );
  expect(() => pickRevision('deployment.apps/web', [], 1)).toThrow('which has none');
});

test('a revision is found by any number that it had', () => {
  const annotations = { 'deployment.kubernetes.io/revision-history': '1,3,x' };
  const revisions = listRevisions(deployment(), [replicaSet(5, { annotations }), replicaSet(4)]);
  expect(revisions[0]?.earlier).toEqual([1, 3]);
  expect(pickRevision('x', revisions, 3).revision).toBe(5);
  expect(() => pickRevision('x', revisions, 2)).toThrow('which has 5, 4, 3, 1');
});

describe('currentTemplate', () => {
  const revisions = listRevisions(deployment(), [replicaSet(2, { image: 'from-set' })]);

  test.each([
    ['the newest set has it', {}, 'from-set'],
    ['not before a controller looked', { observed: 1 }, 'nginx:2'],
    ['not while paused', { paused: true }, 'nginx:2'],
  ])('%s', (_title, facts, image) => {
    expect(imagesOf(currentTemplate(deployment(facts), revisions))).toEqual([image]);
  });

  test('a Deployment without a history has its own', () => {
    expect(imagesOf(currentTemplate(deployment(), []))).toEqual(['nginx:2']);
  });
});

describe('planUndo', () => {
  const sets = [
    replicaSet(1, { annotations: { 'kubernetes.io/change-cause': 'first', team: 'a' } }),
    replicaSet(2),
    replicaSet(3, { image: 'nginx:2' }),
  ];
  const plan = (facts: Parameters<typeof deployment>[0] = {}, toRevision = 0, history = sets) => {
    const object = deployment(facts);
    return planUndo('deployment.apps/web', object, listRevisions(object, history), { toRevision });
  };

  test('goes back to the second-highest revision by default', () => {
    expect(plan({}, 0, [replicaSet(1), replicaSet(2)]).target.revision).toBe(1);
  });

  test('writes the template, and only onto what was read', () => {
    expect(plan({ annotations: { own: 'kept' } }, 1)).toMatchObject({
      kind: 'patch',
      steps: [
        { op: 'replace', path: '/metadata/resourceVersion', value: '7' },
        {
          op: 'replace',
          path: '/spec/template',
          value: {
            metadata: { labels: { app: 'web' } },
            spec: { containers: [{ image: 'nginx:1' }] },
          },
        },
        {
          op: 'add',
          path: '/metadata/annotations',
          value: { own: 'kept', team: 'a', 'kubernetes.io/change-cause': 'first' },
        },
      ],
    });
  });

  test('notes are the change-cause of what comes of it', () => {
    const object = deployment({ annotations: { own: 'kept' } });
    const revisions = listRevisions(object, sets);
    const wish = { toRevision: 1, notes: 'orders get lost' };
    const undo = planUndo('deployment.apps/web', object, revisions, wish);
    expect(undo.kind === 'patch' && undo.steps[2]?.value).toEqual({
      own: 'kept',
      team: 'a',
      'kubernetes.io/change-cause': 'orders get lost',
    });
  });

  test('a change-cause that the revision didn’t have goes, bookkeeping stays', () => {
    const annotations = {
      'kubernetes.io/change-cause': 'newer',
      'deployment.kubernetes.io/revision': '3',
    };
    const undo = plan({ annotations, image: 'nginx:3' }, 2, [
      replicaSet(2, { annotations: { 'slipway.dev/cancelled': 'long ago' } }),
      replicaSet(3),
    ]);
    expect(undo).toMatchObject({ kind: 'patch' });
    expect(undo.kind === 'patch' && undo.steps[2]?.value).toEqual({
      'deployment.kubernetes.io/revision': '3',
    });
  });

  test('says who goes back, and why, until the history knows', () => {
    const object = deployment({ annotations: { 'deployment.kubernetes.io/revision': '3' } });
    const author = { by: 'ann', manager: 'slipway', reason: 'too slow' };
    const undo = planUndo('x', object, listRevisions(object, sets), { toRevision: 1 }, author);
    const written = undo.kind === 'patch' ? undo.steps[2]?.value : undefined;
    const { template } = undo.target;
    expect(readChangeNote(written as Record<string, string>, { template, next: 4 })).toEqual(
      author,
    );
  });

  test('what stands there of an earlier change is gone', () => {
    const annotations = { 'slipway.dev/changed-by': 'old', 'slipway.dev/cancelled-by': 'bob' };
    const undo = plan({ annotations }, 1);
    expect(undo.kind === 'patch' && undo.steps[2]?.value).toEqual({
      'kubernetes.io/change-cause': 'first',
      team: 'a',
    });
  });

  test('changes nothing when the template is the same already', () => {
    expect(plan({}, 2).kind).toBe('none');
    expect(plan({}, 3).kind).toBe('none');
  });

  test('refuses what is paused, and ends the pause of what was cancelled', () => {
    expect(() => plan({ paused: true }, 1)).toThrow('it is paused');
    const annotations = { 'slipway.dev/cancelled': 'x', 'slipway.dev/pause-reason': 'y' };
    const undo = plan({ paused: true, updated: 4, annotations }, 1);
    expect(undo.kind === 'patch' && undo.steps.slice(2)).toEqual([
      {
        op: 'add',
        path: '/metadata/annotations',
        value: { 'kubernetes.io/change-cause': 'first', team: 'a' },
      },
      { op: 'remove', path: '/spec/paused' },
    ]);
  });

  test.each([
    ['a template that came during the pause has no revision', 'nginx:9', 0, 2],
    ['one that was rolled out in part has', 'nginx:9', 3, 1],
    ['one whose set is empty still has', 'nginx:2', 0, 1],
  ])('a cancelled rollout: %s', (_title, image, updated, revision) => {
    const annotations = { 'slipway.dev/cancelled': 'x' };
    const undo = plan({ paused: true, annotations, image, updated }, 0, [
      replicaSet(1),
      replicaSet(2),
    ]);
    expect(undo.target.revision).toBe(revision);
  });

  test('says so when there is nothing to go back to', () => {
    expect(() => plan({}, 0, [replicaSet(1)])).toThrow(
      'there is no earlier revision to go back to',
    );
    expect(() => plan({}, 7)).toThrow('revision 7 is not in its history');
  });
});

test('selectorOf leaves no ReplicaSet out', () => {
  expect(selectorOf(deployment())).toBe('app=web');
  const ours = deployment();
  ours.spec = { ...ours.spec!, selector: {} };
  expect(selectorOf(ours)).toBeUndefined();
  const { selector: _selector, ...spec } = ours.spec;
  expect(selectorOf({ ...ours, spec: spec as typeof ours.spec })).toBeUndefined();
});
