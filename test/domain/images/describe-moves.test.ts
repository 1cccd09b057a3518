import { expect, test } from '@jest/globals';

import { describeMoves } from '../../../src/domain/images/describe-moves.js';
import type { ImageRepositoryStatus } from '../../../src/domain/images/plan-image-repository.js';
import type { Condition } from '../../../src/domain/shared/conditions.js';

const status = (digests: Record<string, string>, ready?: Condition): ImageRepositoryStatus => ({
  tags: Object.entries(digests).map(([tag, digest]) => ({
    tag,
    digest,
    image: `quay.io/app@${digest}`,
    resolvedAt: '',
  })),
  conditions: ready === undefined ? [] : [ready],
});

const unready = (reason: string, message = reason): Condition => ({
  type: 'Ready',
  status: 'False',
  reason,
  message,
});

test('a tag that moved is told of, one that is new or stays is not', () => {
  const before = status({ stable: 'sha256:1', edge: 'sha256:2' });
  const after = status({ stable: 'sha256:1', edge: 'sha256:3', next: 'sha256:4' });
  expect(describeMoves(before, after)).toEqual([
    {
      type: 'Normal',
      reason: 'TagMoved',
      note: 'Tag edge moved from quay.io/app@sha256:2 to quay.io/app@sha256:3',
    },
  ]);
});

test('that it is not ready is told once for each reason', () => {
  const told = [{ type: 'Warning', reason: 'TagNotFound', note: 'no such tag' }];
  const missing = status({}, unready('TagNotFound', 'no such tag'));
  expect(describeMoves(status({}), missing)).toEqual(told);
  expect(describeMoves(status({}, unready('RegistryRefused')), missing)).toEqual(told);
  expect(describeMoves(status({}, unready('TagNotFound', 'other words')), missing)).toEqual([]);
});

test('that it is ready again is not', () => {
  const ready: Condition = { type: 'Ready', status: 'True', reason: 'Resolved' };
  expect(describeMoves(status({}, unready('TagNotFound')), status({}, ready))).toEqual([]);
});
