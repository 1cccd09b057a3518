import { expect, test } from '@jest/globals';

import { findOvertaken } from '../../../src/domain/rollback/find-overtaken.js';
import { nameReleases } from '../../../src/domain/rollback/name-releases.js';
import type { ConfigReport, RollbackReport } from '../../../src/domain/rollback/report.js';

const look = (...configs: Pick<ConfigReport, 'name' | 'from' | 'to'>[]): RollbackReport => ({
  configs: configs.map((config) => ({ ...config, changes: [], problems: [], warnings: [] })),
});

const web = { name: 'web', from: 2, to: 1 };
const db = { name: 'db', from: 8, to: 7 };

test('a second look is for the versions of the first, whatever has come since', () => {
  const wish = { config: true, application: false, notes: 'why' };
  const members = [
    { name: 'web', wish },
    { name: 'db', wish: { ...wish, release: 7 } },
  ];
  expect(nameReleases(members, look(web, db))).toEqual([
    { name: 'web', wish: { ...wish, release: 1 } },
    { name: 'db', wish: { ...wish, release: 7 } },
  ]);
  expect(nameReleases(members, look(db))).toEqual(members);
});

test('a config that has come to another version since is overtaken', () => {
  const now = look(web, { ...db, from: 9 });
  expect(findOvertaken(look(web, db), now)).toEqual({
    name: 'db',
    why: 'db has version 9 by now, and was examined at version 8',
  });
});

test('one with another edit is not, nor is one that was not looked at before or is gone', () => {
  expect(findOvertaken(look(web, db), look(web, db))).toBeUndefined();
  expect(findOvertaken(look(db), look({ ...web, from: 3 }, db))).toBeUndefined();
  expect(findOvertaken(look(web), look({ ...web, from: 0 }))).toBeUndefined();
});
