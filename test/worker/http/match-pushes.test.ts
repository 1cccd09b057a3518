import { expect, test } from '@jest/globals';

import type { ImageRepository } from '../../../src/kubernetes/image-repositories/objects.js';
import { matchPushes } from '../../../src/worker/http/notifications/match-pushes.js';

const repository = (name: string, path: string, namespace = 'shop'): ImageRepository => ({
  metadata: { name, namespace },
  spec: { repository: path },
});
const push = (path: string, tag = 'latest', digest = 'sha256:1') => ({
  host: 'registry.test:5000',
  repository: path,
  tag,
  digest,
});
const web = repository('web', 'registry.test:5000/team/web');

test('a push belongs to all that follow its path, whichever the host', () => {
  const inside = repository('inner', 'registry.svc/team/web');
  const other = repository('db', 'registry.test:5000/team/db');
  const result = matchPushes([push('team/web')], [web, inside, other]);
  expect(result.matches.map((match) => match.repository.metadata.name)).toEqual(['web', 'inner']);
  expect(result).toMatchObject({ accepted: 1, unmatched: 0 });
});

test('what nobody follows is counted', () => {
  expect(matchPushes([push('team/x'), push('team'), push('team/web/x')], [web])).toEqual({
    matches: [],
    accepted: 0,
    unmatched: 3,
  });
});

test('of several pushes of a tag the last counts', () => {
  const pushes = [
    push('team/web', 'a', 'sha256:1'),
    push('team/web', 'b'),
    push('team/web', 'a', 'sha256:2'),
  ];
  const { matches, accepted } = matchPushes(pushes, [web]);
  expect(accepted).toBe(3);
  expect(matches.map(({ push: { tag, digest } }) => [tag, digest])).toEqual([
    ['a', 'sha256:2'],
    ['b', 'sha256:1'],
  ]);
});

test('the same name in two namespaces is two', () => {
  const twin = repository('web', 'registry.test:5000/team/web', 'test');
  expect(matchPushes([push('team/web')], [web, twin]).matches).toHaveLength(2);
});
