import { describe, expect, test } from '@jest/globals';

import { findEnvironmentRisks } from '../../../src/domain/rollback/find-environment-risks.js';
import { goBack, standBeside, type ConfigDraft } from './support/configs.js';

const shop = { labels: { 'app.kubernetes.io/part-of': 'shop' } };
const web = (draft: ConfigDraft): ConfigDraft => ({ name: 'web', ...shop, ...draft });
const db = (draft: ConfigDraft): ConfigDraft => ({ name: 'db', ...shop, ...draft });

const port = (value: string): ConfigDraft => ({ env: { API_PORT: value } });

describe('a front end and a back end', () => {
  const webGoesBack = goBack(web(port('2')), web(port('1')));
  const dbGoesBack = goBack(db(port('2')), db(port('1')));

  test('the front end alone: a warning that names the variable and the back end', () => {
    expect(findEnvironmentRisks(webGoesBack, [], [standBeside(db(port('2')))])).toEqual([
      {
        kind: 'Environment',
        object: 'DeploymentConfig/db',
        message: 'API_PORT goes back from "2" to "1", and DeploymentConfig "db" keeps "2"',
      },
    ]);
  });

  test('both together: none for either', () => {
    expect(findEnvironmentRisks(webGoesBack, [dbGoesBack], [])).toEqual([]);
    expect(findEnvironmentRisks(dbGoesBack, [webGoesBack], [])).toEqual([]);
  });

  test('both lose a variable together: none', () => {
    const members = [goBack(web(port('2')), web({})), goBack(db(port('2')), db({}))];
    expect(findEnvironmentRisks(members[0]!, [members[1]!], [])).toEqual([]);
  });

  test('both together, and a third that stays', () => {
    const cache = standBeside({ name: 'cache', ...shop, ...port('2') });
    const risks = findEnvironmentRisks(webGoesBack, [dbGoesBack], [cache]);
    expect(risks.map(({ object }) => object)).toEqual(['DeploymentConfig/cache']);
  });

  test('the other one goes back to something else', () => {
    const elsewhere = goBack(db(port('2')), db(port('3')));
    const [risk] = findEnvironmentRisks(webGoesBack, [elsewhere], []);
    expect(risk?.message).toBe(
      'API_PORT goes back from "2" to "1", and DeploymentConfig "db" goes back to "3"',
    );
    expect(findEnvironmentRisks(elsewhere, [webGoesBack], [])).toHaveLength(1);
  });

  test('the other one loses the variable', () => {
    const [risk] = findEnvironmentRisks(webGoesBack, [goBack(db(port('2')), db({}))], []);
    expect(risk?.message).toMatch(/from "2" to "1", and DeploymentConfig "db" no longer has it$/);
  });

  test('the other one goes back with its configuration alone, and keeps the variable', () => {
    const configAlone = goBack(db(port('2')), db(port('2')));
    expect(findEnvironmentRisks(webGoesBack, [configAlone], [])).toHaveLength(1);
    expect(findEnvironmentRisks(configAlone, [webGoesBack], [])).toEqual([]);
  });

  test('a Deployment that stays', () => {
    const [risk] = findEnvironmentRisks(
      webGoesBack,
      [],
      [standBeside(db(port('2')), 'Deployment')],
    );
    expect(risk?.object).toBe('Deployment/db');
  });
});

describe('variables', () => {
  const risksOf = (before: ConfigDraft, after: ConfigDraft, other: ConfigDraft): string[] =>
    findEnvironmentRisks(goBack(web(before), web(after)), [], [standBeside(db(other))]).map(
      ({ message }) => message,
    );

  test.each<[string, ConfigDraft, ConfigDraft, ConfigDraft]>([
    ['that stay', port('2'), port('2'), port('2')],
    ['that differ already', port('2'), port('1'), port('3')],
    ['that differ now and agree then', port('2'), port('1'), port('1')],
    ['that the other one does not have', port('2'), port('1'), {}],
    ['that come, and that the other one has already', {}, port('1'), port('2')],
    ['of another name', port('2'), port('1'), { env: { DB_PORT: '2' } }],
  ])('no warning for those %s', (_title, before, after, other) => {
    expect(risksOf(before, after, other)).toEqual([]);
  });

  test('one that goes', () => {
    expect(risksOf(port('2'), {}, port('2'))).toEqual([
      'API_PORT="2" goes, and DeploymentConfig "db" keeps "2"',
    ]);
  });

  test('each of several', () => {
    const now = { env: { A: '2', B: '2', C: '2' } };
    const messages = risksOf(now, { env: { A: '1', B: '1', C: '2' } }, now);
    expect(messages.map((message) => message.slice(0, 1))).toEqual(['A', 'B']);
  });

  test('by reference: the key of a Secret is told, and a text that reads the same is another value', () => {
    const secret = (key: string): ConfigDraft => ({
      container: { env: [{ name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'api', key } } }] },
    });
    expect(risksOf(secret('new'), secret('old'), secret('new'))).toEqual([
      'TOKEN goes back from key "new" of Secret "api" to key "old" of Secret "api", ' +
        'and DeploymentConfig "db" keeps key "new" of Secret "api"',
    ]);
    const text = { env: { TOKEN: 'key "new" of Secret "api"' } };
    expect(risksOf(secret('new'), secret('old'), text)).toEqual([]);
  });

  test('of a secret: that it changes is told, and not what it is', () => {
    const key = (value: string): ConfigDraft => ({ env: { API_KEY: value } });
    expect(risksOf(key('two'), key('one'), key('two'))).toEqual([
      'API_KEY goes back from (hidden) to another one, and DeploymentConfig "db" keeps (hidden)',
    ]);
    expect(risksOf(key('two'), key('one'), key('one'))).toEqual([]);
    expect(risksOf(key('two'), {}, key('two'))).toEqual([
      'API_KEY=(hidden) goes, and DeploymentConfig "db" keeps (hidden)',
    ]);
    const members = [goBack(web(key('2')), web(key('1'))), goBack(db(key('2')), db(key('0')))];
    expect(findEnvironmentRisks(members[0]!, [members[1]!], [])[0]?.message).toBe(
      'API_KEY goes back from (hidden) to another one, ' +
        'and DeploymentConfig "db" goes back to another one',
    );
  });

  test('of init containers, too', () => {
    const setup = (value: string): ConfigDraft => ({
      pod: { initContainers: [{ name: 'setup', env: [{ name: 'SCHEMA', value }] }] },
    });
    expect(risksOf(setup('2'), setup('1'), { env: { SCHEMA: '2' } })).toHaveLength(1);
  });

  test('of several containers: as long as one of them keeps the value, nothing is lost', () => {
    const two = (a: string, b: string): ConfigDraft => ({
      pod: {
        containers: [
          { name: 'a', env: [{ name: 'MODE', value: a }] },
          { name: 'b', env: [{ name: 'MODE', value: b }] },
        ],
      },
    });
    expect(risksOf(two('2', '2'), two('1', '2'), { env: { MODE: '2' } })).toEqual([]);
    expect(risksOf(two('2', '2'), two('1', '0'), { env: { MODE: '2' } })).toEqual([
      'MODE goes back from "2" to "1" and "0", and DeploymentConfig "db" keeps "2"',
    ]);
  });

  test('all variables of an object that the other one keeps', () => {
    const from = (name: string): ConfigDraft => ({
      container: { envFrom: [{ configMapRef: { name } }] },
    });
    expect(risksOf(from('shop-2'), from('shop-1'), from('shop-2'))).toEqual([
      'it no longer has all of ConfigMap "shop-2" as variables, and DeploymentConfig "db" keeps them',
    ]);
    expect(risksOf(from('shop-2'), from('shop-1'), from('shop-1'))).toEqual([]);
    const both = [
      goBack(web(from('shop-2')), web(from('shop-1'))),
      goBack(db(from('shop-2')), db(from('shop-1'))),
    ];
    expect(findEnvironmentRisks(both[0]!, [both[1]!], [])).toEqual([]);
  });

  test('a long value is cut in the sentence, not in the comparison', () => {
    const long = 'x'.repeat(300);
    const messages = risksOf(
      { env: { A: `${long}2` } },
      { env: { A: `${long}1` } },
      { env: { A: `${long}2` } },
    );
    expect(messages).toHaveLength(1);
    expect(messages[0]!.length).toBeLessThan(450);
  });
});

describe('one application', () => {
  const areOne = (a: ConfigDraft, b: ConfigDraft): boolean =>
    findEnvironmentRisks(
      goBack({ ...a, ...port('2') }, { ...a, ...port('1') }),
      [],
      [standBeside({ name: 'db', ...b, ...port('2') })],
    ).length > 0;
  const partOf = (name: string) => ({ 'app.kubernetes.io/part-of': name });

  test.each<[string, boolean, ConfigDraft, ConfigDraft]>([
    ['what both are part of', true, { labels: partOf('shop') }, { labels: partOf('shop') }],
    ['on the pods of one of them', true, { podLabels: partOf('shop') }, { labels: partOf('shop') }],
    ['of two applications', false, { labels: partOf('shop') }, { labels: partOf('blog') }],
    [
      'which decides, where both say it',
      false,
      { labels: { ...partOf('shop'), app: 'web' } },
      { labels: { ...partOf('blog'), app: 'web' } },
    ],
    ['one app label', true, { labels: { app: 'shop' } }, { podLabels: { app: 'shop' } }],
    [
      'one app label, where only one says what it is part of',
      true,
      { labels: { ...partOf('shop'), app: 'shop' } },
      { labels: { app: 'shop' } },
    ],
    ['two app labels', false, { labels: { app: 'web' } }, { labels: { app: 'db' } }],
    ['one selector', true, { selector: { stack: 'a' } }, { selector: { stack: 'a' } }],
    ['two selectors', false, { selector: { stack: 'a' } }, { selector: { stack: 'b' } }],
    ['no labels at all', false, { podLabels: {} }, { podLabels: {} }],
  ])('%s: %s', (_title, expected, a, b) => {
    expect(areOne(a, b)).toBe(expected);
  });

  test('labels from before count as much as those that come back', () => {
    const member = goBack({ ...port('2'), labels: partOf('shop') }, port('1'));
    expect(findEnvironmentRisks(member, [], [standBeside(db(port('2')))])).toHaveLength(1);
    const back = goBack(port('2'), { ...port('1'), labels: partOf('shop') });
    expect(findEnvironmentRisks(back, [], [standBeside(db(port('2')))])).toHaveLength(1);
  });
});
