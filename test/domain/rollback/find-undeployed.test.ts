import { describe, expect, test } from '@jest/globals';

import { findUndeployed } from '../../../src/domain/rollback/find-undeployed.js';
import { draftConfig, type ConfigDraft } from './support/configs.js';

const configAlone = { application: false, config: true };
const applicationAlone = { application: true, config: false };

const find = (deployed: ConfigDraft, proposed: ConfigDraft, wish = configAlone) =>
  findUndeployed({ version: 3, config: draftConfig(deployed) }, draftConfig(proposed), wish);

const image = (name: string): ConfigDraft => ({ container: { image: name } });
const strategy = (type: string): ConfigDraft => ({ strategy: { type } });

test('a template that was edited and never deployed, and stays', () => {
  const edited = { ...image('web:2'), podLabels: { name: 'web', tier: 'front' } };
  expect(find(image('web:1'), edited)).toEqual([
    {
      kind: 'Undeployed',
      object: 'DeploymentConfig/web',
      message:
        'what was edited since version 3 stays, and is deployed with it: ' +
        'spec.template.spec.containers[main].image (web:1 → web:2), ' +
        'spec.template.metadata.labels.tier (none → front)',
    },
  ]);
});

test('a selector, and a strategy where the configuration stays', () => {
  expect(find({ selector: { a: '1' } }, { selector: { a: '2' } })).toHaveLength(1);
  const [risk] = find(strategy('Rolling'), strategy('Recreate'), applicationAlone);
  expect(risk?.message).toMatch(/: spec\.strategy\.type \(Rolling → Recreate\)$/);
});

describe('nothing to tell', () => {
  test('of what is as it was deployed', () => {
    expect(find(image('web:1'), image('web:1'))).toEqual([]);
  });

  test('of what goes back', () => {
    expect(find(image('web:1'), image('web:2'), applicationAlone)).toEqual([]);
    expect(find(strategy('Rolling'), strategy('Recreate'))).toEqual([]);
    const all = { application: true, config: true };
    const before = { ...image('web:1'), ...strategy('Rolling') };
    expect(find(before, { ...image('web:2'), ...strategy('Recreate') }, all)).toEqual([]);
  });

  test('of labels, which no pod has', () => {
    expect(find({ labels: { a: '1' } }, { labels: { a: '2' } }, applicationAlone)).toEqual([]);
  });
});

test('many changes are counted, long values cut, and secrets hidden', () => {
  const names = Array.from({ length: 12 }, (_, index) => `V${index}`);
  const env = Object.fromEntries(names.map((name) => [name, name.repeat(100)]));
  const [risk] = find({}, { env: { API_KEY: 'hunter', ...env } });
  expect(risk?.message).toContain('env[API_KEY] (none → (hidden)), ');
  expect(risk?.message).toMatch(/, 5 more$/);
  expect(risk?.message).not.toContain('hunter');
  expect(risk!.message.length).toBeLessThan(1_600);
});
