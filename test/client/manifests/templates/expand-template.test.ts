import { describe, expect, test } from '@jest/globals';

import { parseManifests } from '../../../../src/client/manifests/parse-manifests.js';
import { readable } from '../../../../src/client/manifests/templates/generated-value.js';

interface Facts {
  readonly apiVersion?: string;
  readonly parameters?: unknown;
  readonly objects?: unknown;
  readonly labels?: object;
}

function expand(facts: Facts, params: Record<string, string> = {}) {
  const template = { apiVersion: 'template.openshift.io/v1', kind: 'Template', ...facts };
  const named = { ...template, metadata: { name: 'shop' } };
  return parseManifests([{ name: 'shop.json', text: JSON.stringify(named) }], {
    params: new Map(Object.entries(params)),
  });
}

const config = (data: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'web', ...metadata },
  data,
});

/** The data of the only object, with these parameters. */
function fill(data: object, parameters: readonly object[], params: Record<string, string> = {}) {
  const { drafts, mistakes } = expand({ objects: [config(data)], parameters }, params);
  expect(mistakes).toEqual([]);
  return (drafts[0]?.object as unknown as { data: unknown }).data;
}

describe('filling in', () => {
  const parameters = [
    { name: 'HOST', value: 'db' },
    { name: 'PORT', value: '5432' },
    { name: 'DEBUG', value: 'true' },
    { name: 'NOTHING' },
  ];

  test.each([
    ['${HOST}', 'db'],
    ['tcp://${HOST}:${PORT}/${HOST}', 'tcp://db:5432/db'],
    ['${PORT}', '5432'],
    ['${{PORT}}', 5432],
    ['${{DEBUG}}', true],
    ['${{HOST}}', 'db'],
    ['x-${{PORT}}', 'x-${{PORT}}'],
    ['[${NOTHING}]', '[]'],
    ['echo ${SHELL_VARIABLE} $HOST', 'echo ${SHELL_VARIABLE} $HOST'],
    ['${{UNKNOWN}}', '${{UNKNOWN}}'],
    ['$${HOST}', '$db'],
  ])('%s', (text, value) => {
    expect(fill({ field: text }, parameters)).toEqual({ field: value });
  });

  test('at any depth, and in keys', () => {
    const data = { '${HOST}-key': [{ deep: ['${PORT}', 7, null, '${{PORT}}'] }] };
    expect(fill(data, parameters)).toEqual({ 'db-key': [{ deep: ['5432', 7, null, 5432] }] });
  });

  test('a value is not filled in itself', () => {
    const looping = [
      { name: 'A', value: '${B}' },
      { name: 'B', value: '$&' },
    ];
    expect(fill({ field: '${A} ${B}' }, looping)).toEqual({ field: '${B} $&' });
  });

  test('JSON of any shape can stand for a field', () => {
    const list = [{ name: 'ARGS', value: '["a", {"b": 1}]' }];
    expect(fill({ field: '${{ARGS}}' }, list)).toEqual({ field: ['a', { b: 1 }] });
  });

  test('what the user gives wins, and may be empty', () => {
    expect(fill({ field: '${HOST}' }, parameters, { HOST: 'other' })).toEqual({ field: 'other' });
    expect(fill({ field: '${HOST}' }, parameters, { HOST: '' })).toEqual({ field: '' });
    const generated = [{ name: 'WORD', generate: 'expression', from: '[a-z]{8}' }];
    expect(fill({ field: '${WORD}' }, generated, { WORD: 'given' })).toEqual({ field: 'given' });
  });

  test('a value of the Template’s own comes before its generator', () => {
    const both = [{ name: 'WORD', value: 'own', generate: 'expression', from: '[a-z' }];
    expect(fill({ field: '${WORD}' }, both)).toEqual({ field: 'own' });
  });

  test('what is to be generated is marked, and shown as it was written', () => {
    const { drafts, generated } = expand({
      objects: [config({ one: 'x-${WORD}', whole: '${{WORD}}' })],
      parameters: [{ name: 'WORD', generate: 'expression', from: '[a-z]{8}' }],
    });
    expect(generated).toMatchObject([
      { index: 0, name: 'WORD', template: 'shop.json: Template shop' },
    ]);
    const { data } = drafts[0]?.object as unknown as { data: Record<string, string> };
    expect(data['one']).not.toContain('$');
    expect(readable(data['one'] ?? '')).toBe('x-${WORD}');
    expect(readable(data['whole'] ?? '')).toBe('${WORD}');
  });
});

describe('labels and namespaces', () => {
  test('labels are added to every object, filled in, and win', () => {
    const { drafts } = expand({
      objects: [config({}, { labels: { app: 'own', other: 'kept' } }), config({}, { name: 'b' })],
      labels: { app: '${NAME}', '${NAME}': 'yes' },
      parameters: [{ name: 'NAME', value: 'shop' }],
    });
    expect(drafts.map(({ object }) => object.metadata.labels)).toEqual([
      { app: 'shop', other: 'kept', shop: 'yes' },
      { app: 'shop', shop: 'yes' },
    ]);
  });

  test('a namespace counts only where a parameter names it', () => {
    const { drafts } = expand({
      objects: [config({}, { namespace: 'fixed' }), config({}, { namespace: '${WHERE}' })],
      parameters: [{ name: 'WHERE', value: 'art' }],
    });
    expect(drafts.map(({ object }) => object.metadata.namespace)).toEqual([undefined, 'art']);
  });
});

describe('which Templates', () => {
  test.each(['v1', 'template.openshift.io/v1'])('%s', (apiVersion) => {
    const { drafts, mistakes } = expand({ apiVersion, objects: [config({})] });
    expect([drafts.length, mistakes]).toEqual([1, []]);
  });

  test('two Templates keep their generated values apart', () => {
    const template = (name: string) =>
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Template',
        metadata: { name },
        objects: [config({ word: '${WORD}' }, { name })],
        parameters: [{ name: 'WORD', generate: 'expression', from: '[a-z]{8}' }],
      });
    const text = `${template('a')}\n---\n${template('b')}`;
    const { drafts, generated } = parseManifests([{ name: 'two.yaml', text }]);
    expect(generated.map(({ index, template }) => [index, template])).toEqual([
      [0, 'two.yaml: document 1: Template a'],
      [1, 'two.yaml: document 2: Template b'],
    ]);
    const words = drafts.map(({ object }) => JSON.stringify(object).match(/\uE000\d/)?.[0]);
    expect(words).toEqual(['\uE0000', '\uE0001']);
  });
});

describe('mistakes', () => {
  const start = 'shop.json: Template shop: ';

  test.each([
    [[{ name: 'A', required: true }], 'parameter A: needs a value: give it with --param A=VALUE'],
    [
      [{ name: 'A', generate: 'expression', from: '[a-z]' }],
      'parameter A: from: "[a-z]" needs a length, such as [a-z]{8}',
    ],
    [
      [{ name: 'A', generate: 'expression' }],
      'parameter A: from: is required, because its value is to be generated',
    ],
    [
      [{ name: 'A', generate: 'random', from: 'x' }],
      'parameter A: generate: "random" should be expression, the only generator there is',
    ],
    [[{ name: 'A', value: 5432 }], 'parameter A: value: must be a text: put it in quotes'],
    [[{ name: 'A', required: 'yes' }], 'parameter A: required: must be true or false'],
    [[{ name: 'A' }, { name: 'A' }], 'parameter A: is there twice'],
    [[{ value: 'x' }], 'parameters[0].name: is required'],
    [
      [{ name: 'A-B' }],
      'parameters[0].name: "A-B" should have letters, digits and underscores only',
    ],
    [['A'], 'parameters[0]: must be a map of fields'],
    [{ A: 'x' }, 'parameters: must be a list'],
  ])('%j', (parameters, sentence) => {
    expect(expand({ objects: [config({})], parameters }).mistakes).toEqual([start + sentence]);
  });

  test('a required one can’t be given as nothing', () => {
    const parameters = [{ name: 'A', required: true, value: 'x' }];
    expect(expand({ objects: [config({})], parameters }, { A: '' }).mistakes).toEqual([
      `${start}parameter A: needs a value: give it with --param A=VALUE`,
    ]);
  });

  test('without objects', () => {
    expect(expand({}).mistakes).toEqual([`${start}objects: must be a list of objects`]);
  });

  test('an object that is none is found by its place', () => {
    expect(
      expand({ objects: [config({}), { apiVersion: 'v1', kind: 'Secret' }] }).mistakes,
    ).toEqual([`${start}objects[1]: Secret: metadata.name: is required`]);
  });

  test('values that nobody asked for', () => {
    const parameters = [{ name: 'DB_USER' }];
    const objects = [config({})];
    expect(expand({ objects, parameters }, { DB_USR: 'x', OTHER: 'y' }).mistakes).toEqual([
      '--param DB_USR: no Template has a parameter of that name; did you mean DB_USER?',
      '--param OTHER: no Template has a parameter of that name',
    ]);
    expect(expand({ objects }, { A: 'x' }).mistakes).toEqual([
      '--param A: there is no Template with parameters in the files',
    ]);
  });
});
