import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import {
  generateConfig,
  type GeneratorInput,
  type TemplateData,
} from '../../../src/domain/deployment-config/generate-config.js';
import {
  describeCauses,
  type ConfigTriggers,
  type ImageTrigger,
} from '../../../src/domain/deployment-config/triggers.js';

const source = { namespace: 'shop', repository: 'web', tag: 'latest' };
const key = 'shop/web:latest';
const [first, second] = ['registry.test/web@sha256:1', 'registry.test/web@sha256:2'];

const trigger = (over: Partial<ImageTrigger> = {}): ImageTrigger => ({
  source,
  automatic: true,
  containerNames: ['web'],
  ...over,
});
const both = (over: Partial<ImageTrigger> = {}): ConfigTriggers => ({
  onConfigChange: true,
  images: [trigger(over)],
});
const configOnly: ConfigTriggers = { onConfigChange: true, images: [] };
const manualOnly: ConfigTriggers = { onConfigChange: false, images: [] };

const template = (image = ' ', more: object = {}): TemplateData => ({
  spec: {
    containers: [
      { name: 'web', image, ...more },
      { name: 'side', image: 'side:1' },
    ],
  },
});

function generate(input: Partial<GeneratorInput<TemplateData>>) {
  return generateConfig({
    latestVersion: 1,
    template: template(first),
    triggers: both({ lastImage: first }),
    paused: false,
    suspended: false,
    deployed: { template: template(first), triggers: both({ lastImage: first }) },
    images: new Map([[key, first]]),
    ...input,
  });
}

const imageOf = (data: TemplateData): string | undefined => data.spec?.containers?.[0]?.image;

describe('a first version', () => {
  const fresh = { latestVersion: 0, template: template(), deployed: undefined } as const;
  const without = (input: Partial<GeneratorInput<TemplateData>>) => {
    const { deployed: _none, ...rest } = { ...fresh, ...input };
    const defaults = { paused: false, suspended: false, images: new Map<string, string>() };
    return generateConfig({ ...defaults, triggers: both(), ...rest });
  };

  test('waits for the images that it follows', () => {
    const generated = without({});
    expect(generated).toMatchObject({ latestVersion: 0, causes: [], waitsFor: [key] });
  });

  test('is made when they are known', () => {
    const generated = without({ images: new Map([[key, first]]) });
    expect(generated).toMatchObject({
      latestVersion: 1,
      causes: [{ type: 'ConfigChange' }],
      waitsFor: [],
      isFilled: true,
    });
    expect(imageOf(generated.template)).toBe(first);
    expect(generated.triggers.images[0]?.lastImage).toBe(first);
  });

  test('waits for an image even if the template has one', () => {
    expect(without({ template: template('web:old') }).waitsFor).toEqual([key]);
  });

  test('is made by its image where the config is no trigger', () => {
    const triggers = { onConfigChange: false, images: [trigger()] };
    const generated = without({ triggers, images: new Map([[key, first]]) });
    expect(generated.causes).toEqual([
      { type: 'ImageChange', source, containerNames: ['web'], image: first },
    ]);
  });

  test('needs nobody but the config where that is the only trigger', () => {
    const generated = without({ triggers: configOnly, template: template('web:1') });
    expect(generated).toMatchObject({ latestVersion: 1, isFilled: false });
  });

  test('is not made by itself without triggers, but when asked for', () => {
    const config = { triggers: manualOnly, template: template('web:1') };
    expect(without(config)).toMatchObject({ latestVersion: 0, causes: [] });
    expect(without({ ...config, request: { by: 'ann' } })).toMatchObject({
      latestVersion: 1,
      causes: [{ type: 'Manual', by: 'ann' }],
    });
  });

  test('is not made with a container that has no image, whoever asks', () => {
    const triggers = both({ automatic: false });
    expect(without({ triggers, request: {} })).toMatchObject({ causes: [], waitsFor: [key] });
  });

  test('fills in a blank image though its trigger is not automatic', () => {
    const generated = without({
      triggers: both({ automatic: false }),
      images: new Map([[key, first]]),
    });
    expect(imageOf(generated.template)).toBe(first);
    expect(generated.latestVersion).toBe(1);
  });

  test('leaves an image alone that its trigger is not to change', () => {
    const generated = without({
      template: template('web:mine'),
      triggers: both({ automatic: false }),
      images: new Map([[key, first]]),
    });
    expect(imageOf(generated.template)).toBe('web:mine');
  });
});

describe('a next version', () => {
  test('is not made when nothing has changed', () => {
    expect(generate({})).toMatchObject({ latestVersion: 1, causes: [], isFilled: false });
  });

  test('is made by a new image, which is filled in', () => {
    const generated = generate({ images: new Map([[key, second]]) });
    expect(generated.latestVersion).toBe(2);
    expect(generated.causes).toEqual([
      { type: 'ImageChange', source, containerNames: ['web'], previous: first, image: second },
    ]);
    expect(imageOf(generated.template)).toBe(second);
  });

  test('is made by a new template', () => {
    const generated = generate({ template: template(first, { args: ['-v'] }) });
    expect(generated).toMatchObject({ latestVersion: 2, causes: [{ type: 'ConfigChange' }] });
  });

  test('has two causes when both have changed', () => {
    const generated = generate({
      template: template(first, { args: ['-v'] }),
      images: new Map([[key, second]]),
    });
    expect(generated.latestVersion).toBe(2);
    expect(describeCauses(generated.causes)).toBe(`image change of ${key}, config change`);
  });

  test('is made when somebody asks, with the newest images even of triggers that are not automatic', () => {
    const triggers = both({ automatic: false, lastImage: first });
    const input = { triggers, images: new Map([[key, second]]) };
    expect(generate(input)).toMatchObject({ causes: [], latestVersion: 1 });
    const asked = generate({ ...input, request: { by: 'ann', reason: 'try it' } });
    expect(asked.causes.map(({ type }) => type)).toEqual(['Manual', 'ImageChange']);
    expect(imageOf(asked.template)).toBe(second);
  });

  test('is made when somebody asks with the images that stand there, where those are wanted', () => {
    const triggers = both({ automatic: false, lastImage: first });
    const images = new Map([[key, second]]);
    const asked = generate({ triggers, images, request: { by: 'ann', keepsImages: true } });
    expect(asked.causes).toEqual([{ type: 'Manual', by: 'ann' }]);
    expect(imageOf(asked.template)).toBe(first);
  });

  test('is not made by a template that somebody applied again with its blank image', () => {
    const generated = generate({ template: template(' ') });
    expect(generated).toMatchObject({ causes: [], isFilled: true });
    expect(imageOf(generated.template)).toBe(first);
  });

  test('is made by an image that nobody follows', () => {
    const changed: TemplateData = {
      spec: {
        containers: [
          { name: 'web', image: first },
          { name: 'side', image: 'side:2' },
        ],
      },
    };
    expect(generate({ template: changed }).causes).toEqual([{ type: 'ConfigChange' }]);
  });

  test('is not made by a template where the config is no trigger', () => {
    const triggers = { onConfigChange: false, images: [trigger({ lastImage: first })] };
    expect(generate({ triggers, template: template(first, { args: ['-v'] }) }).causes).toEqual([]);
  });

  test('is not made while paused, and then for all that has changed since', () => {
    const input = {
      template: template(first, { args: ['-v'] }),
      images: new Map([[key, second]]),
    };
    const paused = generate({ ...input, paused: true });
    expect(paused).toMatchObject({ causes: [], latestVersion: 1 });
    const { template: filled, triggers } = paused;
    expect(generate({ ...input, template: filled, triggers }).causes).toHaveLength(2);
  });

  test('keeps the image that it has when the registry does not know it any more', () => {
    const generated = generate({ images: new Map() });
    expect(generated).toMatchObject({ causes: [], waitsFor: [], isFilled: false });
  });

  test('fills in init containers, too', () => {
    const withInit: TemplateData = {
      spec: { initContainers: [{ name: 'web' }], containers: [{ name: 'main', image: 'main:1' }] },
    };
    const generated = generate({ template: withInit });
    expect(generated.template.spec?.initContainers?.[0]?.image).toBe(first);
  });
});

describe('somebody who wants a version only if it would differ', () => {
  const request = { by: 'ann', onlyIfChanged: true };
  const manual = { type: 'Manual', by: 'ann' };

  test('gets none where nothing has changed', () => {
    expect(generate({ request })).toMatchObject({ latestVersion: 1, causes: [] });
  });

  test('gets the newest image of a trigger that is not automatic, and is named beside it', () => {
    const triggers = both({ automatic: false, lastImage: first });
    const generated = generate({ request, triggers, images: new Map([[key, second]]) });
    expect(generated.latestVersion).toBe(2);
    expect(generated.causes).toMatchObject([manual, { type: 'ImageChange', image: second }]);
    expect(imageOf(generated.template)).toBe(second);
  });

  test('gets a new template, also where the config is no trigger', () => {
    const changed = { request, template: template(first, { args: ['-v'] }) };
    expect(generate(changed).causes).toEqual([manual, { type: 'ConfigChange' }]);
    const triggers = { onConfigChange: false, images: [trigger({ lastImage: first })] };
    expect(generate({ ...changed, triggers }).causes).toEqual([manual]);
  });

  test('gets it also while the config is paused', () => {
    const images = new Map([[key, second]]);
    expect(generate({ request, images, paused: true }).latestVersion).toBe(2);
    expect(generate({ request, paused: true }).latestVersion).toBe(1);
  });

  test('gets a first version where there is none, and none while that of the latest is gone', () => {
    const { deployed: _gone, ...input } = {
      paused: false,
      suspended: false,
      template: template('web:1'),
      triggers: manualOnly,
      images: new Map<string, string>(),
      deployed: undefined,
    };
    expect(generateConfig({ ...input, request, latestVersion: 0 }).causes).toEqual([manual]);
    expect(generateConfig({ ...input, request, latestVersion: 1 }).causes).toEqual([]);
  });
});

describe('while triggers are suspended', () => {
  const newer = new Map([[key, second]]);

  test.each<[string, Partial<GeneratorInput<TemplateData>>]>([
    ['a new image', { images: newer }],
    ['an edit', { template: template(first, { args: ['-v'] }) }],
    [
      'an image that somebody puts in place of the one of a trigger',
      { template: template('web:9') },
    ],
    ['both', { template: template(first, { args: ['-v'] }), images: newer }],
  ])('%s makes no version, and no image is filled in', (_title, input) => {
    const generated = generate({ ...input, suspended: true });
    expect(generated).toMatchObject({ latestVersion: 1, causes: [], isFilled: false });
    expect(generate({ ...input, suspended: false }).isFilled || input.images === undefined).toBe(
      true,
    );
  });

  test('a config has no first version by itself', () => {
    const { deployed: _none, ...input } = {
      latestVersion: 0,
      template: template('web:1'),
      triggers: configOnly,
      paused: false,
      images: new Map<string, string>(),
      deployed: undefined,
    };
    expect(generateConfig({ ...input, suspended: true }).latestVersion).toBe(0);
    expect(generateConfig({ ...input, suspended: false }).latestVersion).toBe(1);
  });

  test('somebody who asks gets a version, with the newest images', () => {
    const asked = generate({ suspended: true, images: newer, request: { by: 'ann' } });
    expect(asked.latestVersion).toBe(2);
    expect(imageOf(asked.template)).toBe(second);
  });

  test('somebody who asks for what stands there gets that, whatever a trigger has filled in', () => {
    const request = { by: 'ann', keepsImages: true };
    const asked = generate({
      suspended: true,
      template: template('web:9'),
      images: newer,
      request,
    });
    expect(asked).toMatchObject({ latestVersion: 2, isFilled: false });
    expect(imageOf(asked.template)).toBe('web:9');
  });

  test('a blank is filled in, or nothing could be made of it', () => {
    const asked = generate({
      suspended: true,
      template: template(' '),
      request: { keepsImages: true },
    });
    expect(imageOf(asked.template)).toBe(first);
  });

  test('what has changed since makes a version when they act again', () => {
    const changed = { template: template(first, { args: ['-v'] }), images: newer };
    const held = generate({ ...changed, suspended: true });
    const resumed = generate({ ...changed, template: held.template, triggers: held.triggers });
    expect(resumed.causes.map(({ type }) => type)).toEqual(['ImageChange', 'ConfigChange']);
  });
});

describe('a rollback', () => {
  const rollback = { from: 1, to: 3, config: true, application: false, notes: 'too slow' };
  const request = { by: 'ann', keepsImages: true, rollback };

  test('is the one cause of its version, whatever it changes', () => {
    const generated = generate({
      suspended: true,
      template: template(first, { args: ['-v'] }),
      triggers: both({ lastImage: second }),
      request,
    });
    expect(generated.causes).toEqual([{ type: 'Rollback', ...rollback, by: 'ann' }]);
    expect(generated.latestVersion).toBe(2);
  });

  test('is told in words', () => {
    const words = (over: object): string =>
      describeCauses([{ type: 'Rollback', ...rollback, by: 'ann', ...over }]);
    expect(words({})).toBe('rollback from version 1 to the config of version 3 by ann: too slow');
    expect(words({ config: false, application: true })).toContain(
      'to the application of version 3',
    );
    expect(words({ application: true })).toContain('to version 3');
    expect(
      describeCauses([{ type: 'Rollback', from: 2, to: 1, config: true, application: true }]),
    ).toBe('rollback from version 2 to version 1');
  });
});

test('what was generated and deployed generates nothing new', () => {
  const image = fc.constantFrom(first, second, undefined);
  fc.assert(
    fc.property(
      fc.record({
        latestVersion: fc.nat(3),
        onConfigChange: fc.boolean(),
        automatic: fc.boolean(),
        lastImage: image,
        newest: image,
        own: fc.constantFrom(' ', first, 'web:mine'),
        isAsked: fc.boolean(),
        suspended: fc.boolean(),
      }),
      ({
        latestVersion,
        onConfigChange,
        automatic,
        lastImage,
        newest,
        own,
        isAsked,
        suspended,
      }) => {
        const known = lastImage === undefined ? {} : { lastImage };
        const input: GeneratorInput<TemplateData> = {
          latestVersion,
          template: template(own),
          triggers: { onConfigChange, images: [trigger({ automatic, ...known })] },
          paused: false,
          suspended,
          images: new Map(newest === undefined ? [] : [[key, newest]]),
          ...(isAsked ? { request: {} } : {}),
        };
        const made = generateConfig(input);
        const { request: _answered, ...later } = input;
        const again = generateConfig({
          ...later,
          latestVersion: made.latestVersion,
          template: made.template,
          triggers: made.triggers,
          ...(made.latestVersion > 0
            ? { deployed: { template: made.template, triggers: made.triggers } }
            : {}),
        });
        expect(again.causes).toEqual([]);
        expect(again.isFilled).toBe(false);
      },
    ),
  );
});
