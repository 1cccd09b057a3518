import { describe, expect, test } from '@jest/globals';

import type { Manifest } from '../../../../src/client/manifests/parse-manifests.js';
import { fillMarks } from '../../../../src/client/manifests/templates/generated-value.js';
import {
  decideValues,
  findPlaces,
  type Existing,
} from '../../../../src/client/manifests/templates/recover-values.js';
import { manifestsOf } from '../support.js';

const word = { name: 'WORD', generate: 'expression', from: '[a-c]{4}' };
const other = { name: 'OTHER', generate: 'expression', from: '[0-9]{2}' };

const object = (kind: string, name: string, fields: object) => ({
  apiVersion: kind === 'Deployment' ? 'apps/v1' : 'v1',
  kind,
  metadata: { name },
  ...fields,
});

const secret = (stringData: object) => object('Secret', 'db', { stringData });
const encoded = (data: Record<string, string>) => ({
  data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, btoa(text)])),
});
const env = (...items: object[]) =>
  object('Deployment', 'web', {
    spec: { template: { spec: { containers: [{ name: 'web', env: items }] } } },
  });

/** Decides for a Template with these objects, when the cluster has those. */
function decide(objects: readonly object[], cluster: Record<string, Existing> = {}) {
  const template = {
    apiVersion: 'v1',
    kind: 'Template',
    metadata: { name: 'shop' },
    objects,
    parameters: [word, other],
  };
  const { parsed, manifests, mistakes } = manifestsOf(JSON.stringify(template));
  expect(mistakes).toEqual([]);
  const existing = new Map<Manifest, Existing>(
    manifests.map((manifest) => [
      manifest,
      cluster[`${manifest.type.kind}/${manifest.object.metadata.name}`] ?? 'absent',
    ]),
  );
  const decided = decideValues(
    parsed.generated,
    findPlaces(manifests),
    existing,
    (choices) => choices - 1,
  );
  const filled = manifests.map((one) => fillMarks(one.object, decided.values));
  return { values: [...decided.values], mistakes: decided.mistakes, filled };
}

const refused = (problem: string): string =>
  `web.yaml: Template shop: parameter WORD: ${problem}: give it with --param WORD=VALUE`;

describe('a first deploy', () => {
  test('generates one value for all the places', () => {
    const { filled, mistakes } = decide([
      secret({ word: '${WORD}', url: 'x://${WORD}@db', both: '${WORD}${OTHER}' }),
      env({ name: 'PIN', value: '${OTHER}' }, { name: 'NUMBER', value: '${{OTHER}}' }),
    ]);
    expect(mistakes).toEqual([]);
    expect(filled[0]).toMatchObject({
      stringData: { word: 'cccc', url: 'x://cccc@db', both: 'cccc99' },
    });
    expect(JSON.stringify(filled[1])).toContain('{"name":"NUMBER","value":99}');
  });

  test('what is used nowhere needs no value', () => {
    expect(decide([secret({ a: 'b' })])).toMatchObject({ values: [], mistakes: [] });
  });

  test('a value that only a skipped object uses is of no concern', () => {
    const build = { ...object('BuildConfig', 'web', { spec: { triggers: ['${WORD}'] } }) };
    expect(decide([build, secret({})])).toMatchObject({ values: [], mistakes: [] });
  });
});

describe('a later deploy keeps the value', () => {
  test.each<[string, object, Existing]>([
    ['of a Secret', secret({ word: '${WORD}' }), encoded({ word: 'kept' })],
    ['inside a text', secret({ url: 'x://${WORD}@db' }), encoded({ url: 'x://kept@db' })],
    [
      'of a Secret’s data',
      object('Secret', 'db', { data: { word: '${WORD}' } }),
      { data: { word: 'kept' } },
    ],
    [
      'of a ConfigMap',
      object('ConfigMap', 'db', { data: { a: '${WORD}' } }),
      { data: { a: 'kept' } },
    ],
    [
      'of a label',
      object('ConfigMap', 'db', { metadata: { name: 'db', labels: { a: '${WORD}' } } }),
      { metadata: { labels: { a: 'kept' } } },
    ],
  ])('%s', (_what, manifest, existing) => {
    const { kind } = manifest as { kind: string };
    const { values, mistakes } = decide([manifest], { [`${kind}/db`]: existing });
    expect(mistakes).toEqual([]);
    expect(values).toEqual([[0, 'kept']]);
  });

  test('of an environment variable, wherever that is now', () => {
    const containers = [
      { name: 'sidecar', env: [{ name: 'WORD', value: 'wrong' }] },
      {
        name: 'web',
        env: [
          { name: 'FIRST', value: 'wrong' },
          { name: 'WORD', value: 'kept' },
        ],
      },
    ];
    const { values } = decide([env({ name: 'WORD', value: '${WORD}' })], {
      'Deployment/web': { spec: { template: { spec: { containers } } } },
    });
    expect(values).toEqual([[0, 'kept']]);
  });

  test('of an item without a name, by its place', () => {
    const { values } = decide([object('ConfigMap', 'db', { list: ['a', '${WORD}'] })], {
      'ConfigMap/db': { list: ['a', 'kept'] },
    });
    expect(values).toEqual([[0, 'kept']]);
  });

  test('a number as well', () => {
    const { values, filled } = decide([object('ConfigMap', 'db', { port: '${{OTHER}}' })], {
      'ConfigMap/db': { port: 42 },
    });
    expect(values).toEqual([[1, '42']]);
    expect(filled[0]).toMatchObject({ port: 42 });
  });

  test('when one of several objects still has it', () => {
    const objects = [
      secret({ word: '${WORD}' }),
      object('ConfigMap', 'db', { data: { a: '${WORD}' } }),
    ];
    const { values } = decide(objects, { 'ConfigMap/db': { data: { a: 'kept' } } });
    expect(values).toEqual([[0, 'kept']]);
  });

  test('when it is also part of a name', () => {
    const objects = [secret({ word: '${WORD}' }), object('Service', 'web-${WORD}', {})];
    const { filled } = decide(objects, { 'Secret/db': encoded({ word: 'kept' }) });
    expect(filled[1]?.metadata.name).toBe('web-kept');
  });

  test('a new key of an old Secret gets a new value', () => {
    const { values } = decide([secret({ word: '${WORD}', pin: '${OTHER}' })], {
      'Secret/db': encoded({ word: 'kept' }),
    });
    expect(values).toEqual([
      [0, 'kept'],
      [1, '99'],
    ]);
  });
});

describe('no value is generated that a later deploy would change', () => {
  const never = refused(
    'a generated value would change with each deploy, as no object keeps it readable',
  );

  test.each<[string, readonly object[]]>([
    ['in a name only', [object('Service', 'web-${WORD}', {})]],
    [
      'in an object with such a name',
      [object('Secret', 'db-${WORD}', { stringData: { a: '${WORD}' } })],
    ],
    ['in a key only', [object('ConfigMap', 'db', { data: { '${WORD}': 'x' } })]],
    ['under such a key', [object('ConfigMap', 'db', { data: { '${WORD}': '${WORD}' } })]],
    ['together with another one only', [secret({ pin: '${OTHER}', a: '${WORD}-${OTHER}' })]],
  ])('%s', (_what, objects) => {
    expect(decide(objects).mistakes).toEqual([never]);
  });

  test('objects that disagree', () => {
    const objects = [
      secret({ word: '${WORD}' }),
      object('ConfigMap', 'db', { data: { a: '${WORD}' } }),
    ];
    const cluster = {
      'Secret/db': encoded({ word: 'one' }),
      'ConfigMap/db': { data: { a: 'two' } },
    };
    expect(decide(objects, cluster).mistakes).toEqual([
      refused('secret/db and configmap/db have different values of it'),
    ]);
  });

  test('a text that has changed around it', () => {
    const cluster = { 'Secret/db': encoded({ url: 'y://kept@db' }) };
    expect(decide([secret({ url: 'x://${WORD}@db' })], cluster).mistakes).toEqual([
      refused("secret/db is there, but its value can't be read from it"),
    ]);
  });

  test('an object that may not be read', () => {
    expect(decide([secret({ word: '${WORD}' })], { 'Secret/db': 'forbidden' }).mistakes).toEqual([
      refused('you may not read secret/db, which may have its value already'),
    ]);
  });
});
