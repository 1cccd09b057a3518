import { describe, expect, test } from '@jest/globals';

import { convertImageStream } from '../../../../src/client/manifests/openshift/convert-image-stream.js';
import { parseImageName } from '../../../../src/client/manifests/openshift/image-name.js';

const metadata = { name: 'web', labels: { app: 'web' } };
const nothing = { triggeringTags: [], builds: new Map<string, string>() };

const convert = (spec: object | undefined, context: object = {}) =>
  convertImageStream(
    { apiVersion: 'image.openshift.io/v1', kind: 'ImageStream', metadata, spec },
    { ...nothing, ...context },
  );

const becomes = (spec: object) => ({
  object: { apiVersion: 'slipway.dev/v1alpha1', kind: 'ImageRepository', metadata, spec },
  mistakes: [],
  notes: [],
});

const image = (name: string, from: string, more: object = {}) => ({
  name,
  from: { kind: 'DockerImage', name: from },
  ...more,
});

describe('an ImageStream becomes an ImageRepository', () => {
  const repository = 'registry.example.com:5000/shop/web';

  test('by its repository', () => {
    expect(convert({ dockerImageRepository: repository })).toEqual(becomes({ repository }));
    const tags = [{ name: 'latest' }, image('2', `${repository}:2`)];
    expect(convert({ dockerImageRepository: repository, tags })).toEqual(
      becomes({ repository, tags: ['latest', '2'] }),
    );
  });

  test('by its tags', () => {
    const tags = [image('1', `${repository}:1`), image('latest', repository)];
    expect(convert({ tags })).toEqual(becomes({ repository, tags: ['1', 'latest'] }));
  });

  test('with the shorthands of Docker spelt out', () => {
    expect(convert({ dockerImageRepository: 'centos/ruby' }).object).toHaveProperty(
      'spec.repository',
      'docker.io/centos/ruby',
    );
  });

  test('with the tags that a rollout depends on', () => {
    const triggeringTags = ['web:stable', 'other:latest', 'webby:x'];
    expect(convert({ dockerImageRepository: repository }, { triggeringTags })).toEqual(
      becomes({ repository, tags: ['stable'] }),
    );
  });

  test('insecure by a tag or by the old annotation', () => {
    const tags = [image('1', `${repository}:1`, { importPolicy: { insecure: true } })];
    expect(convert({ tags }).object).toHaveProperty('spec.insecure', true);
    const annotations = { 'openshift.io/image.insecureRepository': 'true' };
    const value = {
      metadata: { name: 'web', annotations },
      spec: { dockerImageRepository: repository },
    };
    expect(convertImageStream(value, nothing).object).toHaveProperty('spec.insecure', true);
  });

  test('by what the user says, whatever it says itself', () => {
    const context = { repository: 'ghcr.io/shop/web', triggeringTags: ['web:latest'] };
    const given = becomes({ repository: 'ghcr.io/shop/web', tags: ['latest'] });
    expect(convert(undefined, context)).toEqual(given);
    expect(convert({ tags: [image('latest', 'old.example.com/web:7')] }, context)).toEqual(given);
  });
});

describe('what an ImageRepository can’t say', () => {
  const tags = [
    image('1', 'example.com/web:1'),
    image('old', 'example.com/web:0'),
    image('elsewhere', 'example.com/other:elsewhere'),
    image('fixed', 'example.com/web@sha256:abc'),
    { name: 'latest', from: { kind: 'ImageStreamTag', name: '1' } },
  ];
  const clauses = [
    "spec.tags: old: stands for example.com/web:0, and an ImageRepository knows the registry's own tags only",
    'spec.tags: elsewhere: is in example.com/other, and an ImageRepository follows one repository, here example.com/web',
    'spec.tags: fixed: stands for sha256:abc, which never changes',
    "spec.tags: latest: stands for web:1, and an ImageRepository knows the registry's own tags only",
  ];

  test('is left out where nothing depends on it', () => {
    expect(convert({ tags })).toEqual({
      ...becomes({ repository: 'example.com/web', tags: ['1'] }),
      notes: clauses,
    });
  });

  test('is a mistake where a rollout does', () => {
    const { mistakes, notes } = convert({ tags }, { triggeringTags: ['web:latest', 'web:old'] });
    expect(mistakes).toEqual([clauses[0], clauses[3]]);
    expect(notes).toEqual([clauses[1], clauses[2]]);
  });

  test('the repository of the tag that is depended on is the one', () => {
    const two = [image('a', 'example.com/a:a'), image('b', 'example.com/b:b')];
    const { object } = convert({ tags: two }, { triggeringTags: ['web:b'] });
    expect(object).toHaveProperty('spec', { repository: 'example.com/b', tags: ['b'] });
  });

  test.each([
    ['spec.dockerImageRepository', { dockerImageRepository: 'example.com/web:1' }, {}],
    ['--image-repository', {}, { repository: 'example.com/web:1' }],
  ])('%s with a tag', (field, spec, context) => {
    expect(convert(spec, context).mistakes).toEqual([
      `${field}: "example.com/web:1" should be a repository, without a tag`,
    ]);
  });
});

describe('an ImageStream that names no image outside', () => {
  const ask = 'say where its images are with --image-repository web=REGISTRY/REPOSITORY';

  test.each([undefined, {}, { tags: [] }, { tags: [{ name: 'latest' }] }])('%j', (spec) => {
    expect(convert(spec)).toEqual({
      mistakes: [`spec: names no image outside the cluster: ${ask}`],
    });
  });

  test('the build that would have fed it is named', () => {
    expect(convert({}, { builds: new Map([['web:latest', 'web-build']]) }).mistakes).toEqual([
      `spec: names no image outside the cluster; BuildConfig web-build would have fed it: ${ask}`,
    ]);
  });

  test('one that only points to others is left out, unless a rollout depends on it', () => {
    const spec = {
      tags: [{ name: 'latest', from: { kind: 'ImageStreamTag', name: 'ruby:3' } }],
    };
    expect(convert(spec)).toEqual({
      mistakes: [],
      notes: ['it only stands for ruby:3, and nothing here depends on it'],
    });
    expect(convert(spec, { triggeringTags: ['web:latest'] }).mistakes).toHaveLength(1);
  });
});

describe('names of images', () => {
  test.each([
    ['nginx', { repository: 'docker.io/library/nginx' }],
    ['nginx:1.28', { repository: 'docker.io/library/nginx', tag: '1.28' }],
    ['shop/web', { repository: 'docker.io/shop/web' }],
    ['localhost/web:a', { repository: 'localhost/web', tag: 'a' }],
    ['registry:5000/shop/web:a', { repository: 'registry:5000/shop/web', tag: 'a' }],
    ['quay.io/a/b/c@sha256:0f', { repository: 'quay.io/a/b/c', digest: 'sha256:0f' }],
    ['', undefined],
    ['a b', undefined],
    ['https://example.com/web', undefined],
  ])('%s', (text, expected) => {
    expect(parseImageName(text)).toEqual(expected);
  });
});
