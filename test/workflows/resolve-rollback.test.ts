import { describe, expect, test } from '@jest/globals';

import { rollbackWorkflowId } from '../../src/contracts/workflow-ids.js';
import { resolveRollback } from '../../src/workflows/rollback/resolve-rollback.js';

const all = { config: true, application: true };
const one = 'rollback/local/shop/web';
const two = 'rollback/local/shop/web+db';

describe('a wish for the config that the workflow id names', () => {
  test.each<[string, unknown, object]>([
    ['nothing at all', undefined, all],
    ['an empty object', {}, all],
    [
      'a release by its name',
      { release: 'web-3', notes: 'oops' },
      { ...all, release: 3, notes: 'oops' },
    ],
    ['a part', { config: false, by: 'ann' }, { config: false, application: true, by: 'ann' }],
  ])('%s', (_title, input, wish) => {
    expect(resolveRollback(input, one)).toEqual({
      cluster: 'local',
      namespace: 'shop',
      members: [{ name: 'web', wish }],
      dryRun: false,
    });
  });

  test('may be for a dry run, by its id', () => {
    const resolved = resolveRollback({}, 'rollback-dry-run/local/shop/web');
    expect(resolved).toMatchObject({ dryRun: true });
  });
});

test('several are named, in their order, each with its wish', () => {
  const members = [{ name: 'web', wish: { release: 2 } }, { name: 'db' }];
  expect(resolveRollback({ members, parallel: true }, two)).toEqual({
    cluster: 'local',
    namespace: 'shop',
    members: [
      { name: 'web', wish: { ...all, release: 2 } },
      { name: 'db', wish: all },
    ],
    parallel: true,
    dryRun: false,
  });
});

test('more names than an id can hold are cut and told apart', () => {
  const names = Array.from({ length: 60 }, (_none, index) => `config-${index}`);
  const ref = { cluster: 'local', namespace: 'shop' };
  const id = rollbackWorkflowId(ref, names);
  expect(id.length).toBeLessThan(300);
  expect(rollbackWorkflowId(ref, names.toReversed())).not.toBe(id);
  expect(rollbackWorkflowId(ref, [...names, 'more'])).not.toBe(id);
  const members = names.map((name) => ({ name }));
  expect(resolveRollback({ members }, id).members).toHaveLength(60);
});

describe('what is refused', () => {
  test.each<[string, unknown, string, RegExp]>([
    ['another form of id', {}, 'rollback/shop/web', /workflow id: .* is not of the form/],
    ['another type', {}, 'undo/local/shop/web', /workflow id/],
    [
      'another id for these names',
      { members: [{ name: 'db' }] },
      one,
      /must be "rollback\/local\/shop\/db"/,
    ],
    ['another order', { members: [{ name: 'db' }, { name: 'web' }] }, two, /must be .*db\+web/],
    ['a dry run under the id of a real one', { dryRun: true }, one, /rollback-dry-run/],
    [
      'a real one under the id of a dry run',
      { dryRun: false },
      'rollback-dry-run/local/shop/web',
      /must be "rollback\/local/,
    ],
    ['another namespace', { namespace: 'bank' }, one, /^namespace: is "bank"/],
    ['a text', 'web', one, /^input: must be an object/],
    ['no members', { members: [] }, one, /^members: must be a list/],
    ['one twice', { members: [{ name: 'web' }, { name: 'web' }] }, two, /"web" is there twice/],
    ['a name that is none', { members: [{ name: '../web' }] }, one, /members\[0\]\.name/],
    [
      'several names and no members',
      {},
      two,
      /workflow id: "web\+db" is not the name of one config/,
    ],
    [
      'a wish beside members',
      { members: [{ name: 'web' }], notes: 'x' },
      one,
      /^notes: is not known/,
    ],
    ['a field that is not known', { revision: 1 }, one, /revision: is not known/],
    ['a flag that is none', { parallel: 'yes' }, one, /^parallel: must be true or false/],
    [
      'all that is wrong with a wish',
      { members: [{ name: 'web', wish: { release: 'db-1', config: 1 } }] },
      one,
      /members\[0\]\.wish\.config: must be true or false; members\[0\]\.wish\.release: must be a version of web/,
    ],
  ])('%s', (_title, input, id, message) => {
    expect(() => resolveRollback(input, id)).toThrow(message);
  });
});
