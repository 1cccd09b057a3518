import { describe, expect, test } from '@jest/globals';

import {
  buildRollback,
  makeManual,
  partsOf,
  type RollbackData,
} from '../../../src/domain/rollback/build-rollback.js';

interface Config extends RollbackData {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: RollbackData['metadata'] & {
    readonly name: string;
    readonly resourceVersion: string;
    readonly annotations: Readonly<Record<string, string>>;
  };
  readonly spec: RollbackData['spec'] & {
    readonly minReadySeconds?: number;
    readonly paused?: boolean;
    readonly rollbackOnFailure?: boolean;
  };
  readonly status: { readonly latestVersion: number; readonly details: object };
}

const follows = (name: string, image: string, automatic = true) => ({
  type: 'ImageChange',
  imageChangeParams: {
    automatic,
    containerNames: ['web'],
    from: { kind: 'ImageStreamTag', name },
    lastTriggeredImage: image,
  },
});
const onConfig = { type: 'ConfigChange' };

/** The release, version 1, which deployed a. */
const release: Config = {
  apiVersion: 'apps.openshift.io/v1beta0',
  kind: 'OldDeploymentConfig',
  metadata: {
    name: 'web',
    labels: { team: 'a' },
    resourceVersion: '10',
    annotations: { note: 'a' },
  },
  spec: {
    replicas: 1,
    selector: { app: 'a' },
    template: { spec: { containers: [{ name: 'web', image: 'a' }] } },
    strategy: { type: 'Recreate' },
    triggers: [onConfig, follows('web:latest', 'a')],
    minReadySeconds: 1,
  },
  status: { latestVersion: 1, details: { message: 'config change' } },
};

/** What stands now, version 2, which deployed b. */
const current: Config = {
  apiVersion: 'apps.openshift.io/v1',
  kind: 'DeploymentConfig',
  metadata: {
    name: 'web',
    labels: { team: 'b', tier: 'front' },
    resourceVersion: '20',
    annotations: { note: 'b' },
  },
  spec: {
    replicas: 2,
    selector: { app: 'b' },
    template: { spec: { containers: [{ name: 'web', image: 'b' }] } },
    strategy: { type: 'Rolling' },
    triggers: [follows('web:latest', 'b')],
    minReadySeconds: 2,
    paused: false,
    rollbackOnFailure: true,
  },
  status: { latestVersion: 2, details: { message: 'image change' } },
};

const kinds = {
  config: { config: true, application: false },
  application: { config: false, application: true },
  full: { config: true, application: true },
} as const;

type Kind = keyof typeof kinds;

const build = (kind: Kind, from = current, to = release): Config =>
  buildRollback(from, to, partsOf(kinds[kind]));

/** Each line of the field table: where the field is found, and when it comes from the release. */
const table: readonly [string, (config: Config) => unknown, readonly Kind[]][] = [
  ['TypeMeta', ({ apiVersion, kind }) => ({ apiVersion, kind }), []],
  ['Labels', ({ metadata }) => metadata.labels, ['config', 'full']],
  ['Template.Strategy', ({ spec }) => spec.strategy, ['config', 'full']],
  ['Template.ControllerTemplate.Replicas', ({ spec }) => spec.replicas, ['application', 'full']],
  [
    'Template.ControllerTemplate.ReplicaSelector',
    ({ spec }) => spec.selector,
    ['application', 'full'],
  ],
  ['Template.ControllerTemplate.PodTemplate', ({ spec }) => spec.template, ['application', 'full']],
  ['LatestVersion', ({ status }) => status.latestVersion, []],
  ['Details', ({ status }) => status.details, []],
];

const lines = table.flatMap(([field, find, goesBackWith]) =>
  (Object.keys(kinds) as Kind[]).map((kind) => {
    const isTaken = goesBackWith.includes(kind);
    return [field, isTaken ? 'goes back with' : 'stays with', kind, find, isTaken] as const;
  }),
);

describe('the field table', () => {
  test.each(lines)('%s %s %s', (_field, _does, kind, find, isTaken) => {
    expect(find(build(kind))).toEqual(find(isTaken ? release : current));
  });

  test.each(['config', 'application', 'full'] as const)(
    'Replicas stay with %s where they are to be kept, and nothing else does',
    (kind) => {
      const built = buildRollback(
        current,
        release,
        partsOf({ ...kinds[kind], keepsReplicas: true }),
      );
      const { replicas } = current.spec;
      expect(built).toEqual({ ...build(kind), spec: { ...build(kind).spec, replicas } });
    },
  );

  test.each(['config', 'full'] as const)(
    'Triggers go back with %s: on the config as they were, on images not by themselves',
    (kind) => {
      const image = kind === 'full' ? 'a' : 'b';
      expect(build(kind).spec.triggers).toEqual([onConfig, follows('web:latest', image, false)]);
    },
  );

  test('Triggers stay as they are with application', () => {
    expect(build('application').spec.triggers).toEqual([follows('web:latest', 'a')]);
  });

  test.each(['config', 'application', 'full'] as const)(
    'all triggers are suspended with %s',
    (kind) => {
      expect(build(kind).spec.triggersSuspended).toBe(true);
    },
  );
});

test('what is in no line of it stays: the name, annotations, and the rest of the spec', () => {
  const built = build('full');
  expect(built.metadata).toEqual({ ...current.metadata, labels: { team: 'a' } });
  expect(built.spec).toMatchObject({ minReadySeconds: 2, paused: false, rollbackOnFailure: true });
  expect(Object.keys(built).sort()).toEqual(Object.keys(current).sort());
});

describe('what the release does not have', () => {
  const { selector: _selector, strategy: _strategy, triggers: _triggers, ...spec } = release.spec;
  const { labels: _labels, ...metadata } = release.metadata;
  const bare: Config = { ...release, metadata, spec };

  test('is taken away with the part that it belongs to', () => {
    const built = build('full', current, bare);
    expect(built.metadata).not.toHaveProperty('labels');
    for (const field of ['selector', 'strategy', 'triggers']) {
      expect(built.spec).not.toHaveProperty(field);
    }
  });

  test('stays where that part stays', () => {
    expect(build('config', current, bare).spec.selector).toEqual({ app: 'b' });
    expect(build('application', current, bare).spec.strategy).toEqual({ type: 'Rolling' });
    expect(build('application', current, bare).metadata.labels).toEqual(current.metadata.labels);
  });

  test('an empty list of triggers comes back as one: it means something else than none', () => {
    const none: Config = { ...release, spec: { ...release.spec, triggers: [] } };
    expect(build('full', current, none).spec.triggers).toEqual([]);
  });
});

describe('the image that a trigger has filled in', () => {
  const imagesOf = ({ spec }: Config) =>
    spec.triggers?.map(({ imageChangeParams }) => imageChangeParams?.lastTriggeredImage);

  test('goes with the template, which has it', () => {
    expect(imagesOf(build('full'))).toEqual([undefined, 'a']);
    expect(imagesOf(build('application'))).toEqual(['a']);
    expect(imagesOf(build('config'))).toEqual([undefined, 'b']);
  });

  test('is forgotten where the other side has no such trigger', () => {
    const other: Config = {
      ...release,
      spec: { ...release.spec, triggers: [follows('web:stable', 'c')] },
    };
    expect(imagesOf(build('application', current, other))).toEqual([undefined]);
    expect(imagesOf(build('config', current, other))).toEqual([undefined]);
    expect(imagesOf(build('full', current, other))).toEqual(['c']);
  });

  test('is told apart by the containers that it was filled into', () => {
    const trigger = follows('web:latest', 'c');
    const sidecar = {
      ...trigger,
      imageChangeParams: { ...trigger.imageChangeParams, containerNames: ['side'] },
    };
    const other: Config = { ...release, spec: { ...release.spec, triggers: [sidecar] } };
    expect(imagesOf(build('application', current, other))).toEqual([undefined]);
  });
});

test('going back and again gives the same: whoever asks twice gets no other config', () => {
  for (const kind of Object.keys(kinds) as Kind[]) {
    expect(build(kind, build(kind))).toEqual(build(kind));
  }
});

test('neither part goes back where neither is asked for', () => {
  const built = buildRollback(current, release, partsOf({ config: false, application: false }));
  expect(built).toEqual({ ...current, spec: { ...current.spec, triggersSuspended: true } });
});

test('triggers can be made manual and are left alone otherwise', () => {
  expect(makeManual([onConfig, follows('web:latest', 'a')])).toEqual([
    onConfig,
    follows('web:latest', 'a', false),
  ]);
  expect(makeManual(undefined)).toBeUndefined();
});
