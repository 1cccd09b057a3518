import { expect, test } from '@jest/globals';

import { judgeImages, type ImageFinding } from '../../../src/domain/rollback/judge-images.js';
import { listImages } from '../../../src/domain/rollback/list-images.js';
import { draftConfig } from './support/configs.js';

const all = { application: true, config: true };

test('all containers, in the order in which they start, and a custom strategy', () => {
  const config = draftConfig({
    pod: {
      initContainers: [{ name: 'setup', image: 'setup:1' }],
      containers: [
        { name: 'web', image: 'web:1' },
        { name: 'blank', image: ' ' },
        { name: 'none' },
      ],
    },
    strategy: { type: 'Custom', customParams: { image: 'deployer:1' } },
  });
  expect(listImages(config, all, config)).toEqual([
    { image: 'setup:1', field: 'spec.template.spec.initContainers[setup].image' },
    { image: 'web:1', field: 'spec.template.spec.containers[web].image' },
    { image: 'deployer:1', field: 'spec.strategy.customParams.image' },
  ]);
});

test('with the application alone, a custom strategy stays what it is', () => {
  const config = draftConfig({
    container: { image: 'web:1' },
    strategy: { type: 'Custom', customParams: { image: 'deployer:1' } },
  });
  const images = listImages(config, { application: true, config: false }, config);
  expect(images.map(({ image }) => image)).toEqual(['web:1']);
});

test('of what stays, those that were never deployed', () => {
  const custom = (image: string) => ({ type: 'Custom', customParams: { image } });
  const deployed = draftConfig({
    pod: {
      containers: [
        { name: 'web', image: 'web:1' },
        { name: 'log', image: 'log:1' },
      ],
    },
    strategy: custom('deployer:1'),
  });
  const proposed = draftConfig({
    pod: {
      containers: [
        { name: 'web', image: 'web:2' },
        { name: 'log', image: 'log:1' },
      ],
    },
    strategy: custom('deployer:2'),
  });
  const imagesOf = (application: boolean, config: boolean): string[] =>
    listImages(proposed, { application, config }, deployed).map(({ image }) => image);
  expect(imagesOf(false, true)).toEqual(['web:2', 'deployer:2']);
  expect(imagesOf(true, false)).toEqual(['web:2', 'log:1', 'deployer:2']);
});

test('parameters of a custom strategy that is not used have no say', () => {
  const config = draftConfig({
    strategy: { type: 'Rolling', customParams: { image: 'deployer:1' } },
  });
  expect(listImages(config, { application: false, config: true }, config)).toEqual([]);
});

test('gone is a problem for each place that names it, unknown is one warning', () => {
  const images = [
    { image: 'a', field: 'one' },
    { image: 'a', field: 'two' },
    { image: 'b', field: 'three' },
    { image: 'b', field: 'four' },
    { image: 'c', field: 'five' },
  ];
  const findings = new Map<string, ImageFinding>([
    ['a', { kind: 'gone', registry: 'quay.io' }],
    ['b', { kind: 'unknown', why: 'it is away' }],
    ['c', { kind: 'there' }],
  ]);
  expect(judgeImages(images, findings)).toEqual({
    problems: [
      { field: 'one', message: 'the image a is no longer in its registry, quay.io' },
      { field: 'two', message: 'the image a is no longer in its registry, quay.io' },
    ],
    warnings: [
      {
        kind: 'NotChecked',
        object: 'Image/b',
        message: 'whether it is still there is not known: it is away',
      },
    ],
  });
});
