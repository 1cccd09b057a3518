import { describe, expect, test } from '@jest/globals';

import type { VariableData } from '../../../src/domain/rollback/config-data.js';
import { findMissingReferences } from '../../../src/domain/rollback/find-missing-references.js';
import { listReferences } from '../../../src/domain/rollback/list-references.js';
import type { Existing } from '../../../src/domain/rollback/scene.js';
import { draftConfig, type ConfigDraft } from './support/configs.js';

/** Each reference as a line. Example: ConfigMap/web.conf at spec.…  */
const referencesOf = (draft: ConfigDraft): string[] =>
  listReferences(draftConfig(draft)).map(
    ({ kind, name, key, field }) =>
      `${kind}/${name}${key === undefined ? '' : ` ${key}`} at ${field.replace('spec.template.spec.', '')}`,
  );

const fromSecret = (name: string, key: string, optional?: boolean): VariableData => ({
  name: 'A',
  valueFrom: { secretKeyRef: { name, key, ...(optional === undefined ? {} : { optional }) } },
});
const fromConfigMap = (name: string, key: string): VariableData => ({
  name: 'A',
  valueFrom: { configMapKeyRef: { name, key } },
});

describe('what pods need', () => {
  test.each<[string, ConfigDraft, string[]]>([
    ['nothing', {}, []],
    ['a plain variable', { env: { A: '1' } }, []],
    [
      'variables from keys',
      { container: { env: [fromSecret('db', 'password'), fromConfigMap('web', 'port')] } },
      [
        'Secret/db password at containers[main].env[A]',
        'ConfigMap/web port at containers[main].env[A]',
      ],
    ],
    [
      'all variables of an object',
      {
        container: { envFrom: [{ configMapRef: { name: 'web' } }, { secretRef: { name: 'db' } }] },
      },
      ['ConfigMap/web at containers[main].envFrom', 'Secret/db at containers[main].envFrom'],
    ],
    [
      'those of init containers',
      { pod: { initContainers: [{ name: 'setup', env: [fromConfigMap('web', 'port')] }] } },
      ['ConfigMap/web port at initContainers[setup].env[A]'],
    ],
    [
      'volumes',
      {
        pod: {
          volumes: [
            { name: 'a', configMap: { name: 'web' } },
            { name: 'b', secret: { secretName: 'db' } },
            { name: 'c', persistentVolumeClaim: { claimName: 'data' } },
            { name: 'd', configMap: { name: 'web', items: [{ key: 'x' }, { key: 'y' }] } },
          ],
        },
      },
      [
        'ConfigMap/web at volumes[a]',
        'Secret/db at volumes[b]',
        'PersistentVolumeClaim/data at volumes[c]',
        'ConfigMap/web x at volumes[d]',
        'ConfigMap/web y at volumes[d]',
      ],
    ],
    [
      'projected volumes',
      {
        pod: {
          volumes: [
            {
              name: 'all',
              projected: {
                sources: [
                  { configMap: { name: 'web' } },
                  { secret: { name: 'db', items: [{ key: 'ca' }] } },
                  {},
                ],
              },
            },
          ],
        },
      },
      ['ConfigMap/web at volumes[all]', 'Secret/db ca at volumes[all]'],
    ],
    [
      'pull secrets and an account',
      { pod: { imagePullSecrets: [{ name: 'pull' }, {}], serviceAccountName: 'robot' } },
      ['Secret/pull at imagePullSecrets', 'ServiceAccount/robot at serviceAccountName'],
    ],
    [
      'nothing that is optional',
      {
        container: {
          env: [fromSecret('db', 'password', true)],
          envFrom: [{ configMapRef: { name: 'web', optional: true } }],
        },
        pod: { volumes: [{ name: 'b', secret: { secretName: 'db', optional: true } }] },
      },
      [],
    ],
    [
      'the variables of hooks, of the strategy that is used',
      {
        strategy: {
          type: 'Recreate',
          lifecycle: { abort: { execNewPod: { env: [fromConfigMap('a', 'k')] } } },
          recreateParams: { mid: { execNewPod: { env: [fromConfigMap('b', 'k')] } } },
          rollingParams: { pre: { execNewPod: { env: [fromConfigMap('c', 'k')] } } },
          customParams: { environment: [fromConfigMap('d', 'k')] },
        },
      },
      [
        'ConfigMap/a k at spec.strategy.lifecycle.abort.execNewPod.env[A]',
        'ConfigMap/b k at spec.strategy.recreateParams.mid.execNewPod.env[A]',
      ],
    ],
    [
      'the variables of a deployer',
      { strategy: { type: 'Custom', customParams: { environment: [fromConfigMap('d', 'k')] } } },
      ['ConfigMap/d k at spec.strategy.customParams.environment[A]'],
    ],
    [
      'hooks of a rolling update that is not named',
      { strategy: { rollingParams: { pre: { execNewPod: { env: [fromConfigMap('c', 'k')] } } } } },
      ['ConfigMap/c k at spec.strategy.rollingParams.pre.execNewPod.env[A]'],
    ],
  ])('%s', (_title, draft, expected) => {
    expect(referencesOf(draft)).toEqual(expected);
  });
});

describe('what is missing', () => {
  const missing = (draft: ConfigDraft, ...existing: Existing[]) =>
    findMissingReferences(listReferences(draftConfig(draft)), existing);

  test('an object that is gone, once', () => {
    const draft = {
      container: {
        envFrom: [{ configMapRef: { name: 'web' } }],
        env: [fromConfigMap('web', 'port')],
      },
    };
    expect(missing(draft)).toEqual([
      {
        kind: 'MissingReference',
        object: 'ConfigMap/web',
        message: 'it is gone, and spec.template.spec.containers[main].env[A] needs it',
      },
    ]);
  });

  test('a key that is gone', () => {
    const draft = { container: { env: [fromSecret('db', 'password')] } };
    expect(missing(draft, { kind: 'Secret', name: 'db', keys: ['user'] })).toEqual([
      {
        kind: 'MissingReference',
        object: 'Secret/db',
        message:
          'it has no key "password", and spec.template.spec.containers[main].env[A] needs it',
      },
    ]);
    expect(missing(draft, { kind: 'Secret', name: 'db', keys: ['password'] })).toEqual([]);
  });

  test('keys that nobody knows are taken to be there', () => {
    const draft = { container: { env: [fromSecret('db', 'password')] } };
    expect(missing(draft, { kind: 'Secret', name: 'db' })).toEqual([]);
  });

  test('each key of its own', () => {
    const items = [{ key: 'a' }, { key: 'b' }, { key: 'c' }];
    const draft = { pod: { volumes: [{ name: 'v', configMap: { name: 'web', items } }] } };
    const found = missing(draft, { kind: 'ConfigMap', name: 'web', keys: ['b'] });
    expect(found.map(({ message }) => message)).toEqual([
      expect.stringContaining('no key "a"'),
      expect.stringContaining('no key "c"'),
    ]);
  });

  test('a ConfigMap is no Secret', () => {
    const draft = { container: { envFrom: [{ secretRef: { name: 'web' } }] } };
    expect(missing(draft, { kind: 'ConfigMap', name: 'web' })).toHaveLength(1);
  });
});
