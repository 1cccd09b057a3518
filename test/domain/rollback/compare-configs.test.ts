import { describe, expect, test } from '@jest/globals';

import {
  compareConfigs,
  type ComparedConfig,
} from '../../../src/domain/rollback/compare-configs.js';
import type { FieldChange } from '../../../src/domain/rollback/report.js';

const config = (spec: object = {}, labels?: object): ComparedConfig => ({
  metadata: labels === undefined ? {} : { labels },
  spec,
});

const pod = (spec: object, metadata: object = {}): ComparedConfig =>
  config({ template: { metadata, spec } });

const container = (fields: object): ComparedConfig =>
  pod({ containers: [{ name: 'web', ...fields }] });

/** Each change as a line. Example: env spec.….env[A] 1 -> 2 */
const linesOf = (changes: readonly FieldChange[]): string[] =>
  changes.map(
    ({ area, field, from, to }) => `${area} ${field}: ${from ?? '(none)'} -> ${to ?? '(none)'}`,
  );

const compare = (current: ComparedConfig, proposed: ComparedConfig): string[] =>
  linesOf(compareConfigs(current, proposed));

const inWeb = 'spec.template.spec.containers[web]';

describe('what is the same', () => {
  test.each([
    ['two equal configs', config({ replicas: 2 }, { a: '1' }), config({ replicas: 2 }, { a: '1' })],
    ['absent and null', config({ selector: null, paused: null }), config({})],
    ['absent and empty lists', container({ env: [], ports: null }), container({})],
    ['another order of keys', config({ a: 1, b: 2 }), config({ b: 2, a: 1 })],
    ['no labels and none', config({}, {}), config({})],
    [
      'triggers that are left out, and what that means',
      config({}),
      config({ triggers: [{ type: 'ConfigChange' }] }),
    ],
    [
      'another order of containers, volumes and ports',
      pod({
        containers: [
          { name: 'a', ports: [{ containerPort: 1 }, { containerPort: 2 }] },
          { name: 'b' },
        ],
        volumes: [{ name: 'x' }, { name: 'y' }],
      }),
      pod({
        containers: [
          { name: 'b' },
          { name: 'a', ports: [{ containerPort: 2 }, { containerPort: 1 }] },
        ],
        volumes: [{ name: 'y' }, { name: 'x' }],
      }),
    ],
  ])('%s', (_title, current, proposed) => {
    expect(compare(current, proposed)).toEqual([]);
  });
});

describe('each area', () => {
  test.each<[string, ComparedConfig, ComparedConfig, string[]]>([
    [
      'the image of a container',
      container({ image: 'shop/web:2' }),
      container({ image: 'shop/web:1' }),
      [`images ${inWeb}.image: shop/web:2 -> shop/web:1`],
    ],
    [
      'the image of an init container',
      pod({ initContainers: [{ name: 'setup', image: 'a' }] }),
      pod({ initContainers: [{ name: 'setup', image: 'b' }] }),
      ['images spec.template.spec.initContainers[setup].image: a -> b'],
    ],
    [
      'replicas',
      config({ replicas: 4 }),
      config({ replicas: 2 }),
      ['replicas spec.replicas: 4 -> 2'],
    ],
    [
      'the strategy',
      config({ strategy: { type: 'Rolling', rollingParams: { timeoutSeconds: 5 } } }),
      config({ strategy: { type: 'Recreate', rollingParams: { timeoutSeconds: 9 } } }),
      [
        'strategy spec.strategy.rollingParams.timeoutSeconds: 5 -> 9',
        'strategy spec.strategy.type: Rolling -> Recreate',
      ],
    ],
    [
      'a hook that comes as a whole',
      config({ strategy: { lifecycle: {} } }),
      config({ strategy: { lifecycle: { pre: { execNewPod: { command: ['rake', 'up'] } } } } }),
      ['strategy spec.strategy.lifecycle.pre: (none) -> {"execNewPod":{"command":["rake","up"]}}'],
    ],
    [
      "a hook's command",
      config({ strategy: { lifecycle: { pre: { execNewPod: { command: ['rake', 'up'] } } } } }),
      config({ strategy: { lifecycle: { pre: { execNewPod: { command: ['rake', 'down'] } } } } }),
      ['strategy spec.strategy.lifecycle.pre.execNewPod.command: ["rake","up"] -> ["rake","down"]'],
    ],
    [
      "a hook's variable belongs to the strategy",
      config({
        strategy: { lifecycle: { pre: { execNewPod: { env: [{ name: 'A', value: '1' }] } } } },
      }),
      config({
        strategy: { lifecycle: { pre: { execNewPod: { env: [{ name: 'A', value: '2' }] } } } },
      }),
      ['strategy spec.strategy.lifecycle.pre.execNewPod.env[A]: 1 -> 2'],
    ],
    [
      'the steps of a canary, by their place',
      config({ strategy: { canaryParams: { steps: [{ percent: 10 }, { percent: 50 }] } } }),
      config({ strategy: { canaryParams: { steps: [{ percent: 20 }] } } }),
      [
        'strategy spec.strategy.canaryParams.steps[0].percent: 10 -> 20',
        'strategy spec.strategy.canaryParams.steps[1]: {"percent":50} -> (none)',
      ],
    ],
    [
      'an image trigger that no longer acts by itself',
      config({ triggers: [imageTrigger(true)] }),
      config({ triggers: [imageTrigger(false)] }),
      ['triggers spec.triggers[ImageChange web:latest].imageChangeParams.automatic: true -> false'],
    ],
    [
      'no triggers at all, which is not the same as leaving them out',
      config({}),
      config({ triggers: [] }),
      ['triggers spec.triggers[ConfigChange]: {"type":"ConfigChange"} -> (none)'],
    ],
    [
      'the switch for all triggers',
      config({}),
      config({ triggersSuspended: true }),
      ['triggers spec.triggersSuspended: (none) -> true'],
    ],
    [
      'a volume and where it is mounted',
      pod({
        containers: [{ name: 'web', volumeMounts: [{ mountPath: '/etc/web', name: 'settings' }] }],
        volumes: [{ name: 'settings', configMap: { name: 'web-2' } }],
      }),
      pod({
        containers: [{ name: 'web', volumeMounts: [{ mountPath: '/etc/old', name: 'settings' }] }],
        volumes: [{ name: 'settings', configMap: { name: 'web-1' } }],
      }),
      [
        `volumes ${inWeb}.volumeMounts[/etc/web]: {"mountPath":"/etc/web","name":"settings"} -> (none)`,
        `volumes ${inWeb}.volumeMounts[/etc/old]: (none) -> {"mountPath":"/etc/old","name":"settings"}`,
        'volumes spec.template.spec.volumes[settings].configMap.name: web-2 -> web-1',
      ],
    ],
    [
      'an empty volume that becomes something else',
      pod({ volumes: [{ name: 'data', emptyDir: {} }] }),
      pod({ volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] }),
      [
        'volumes spec.template.spec.volumes[data].emptyDir: {} -> (none)',
        'volumes spec.template.spec.volumes[data].persistentVolumeClaim: (none) -> {"claimName":"data"}',
      ],
    ],
    [
      'ports, by their name or number',
      container({
        ports: [
          { name: 'http', containerPort: 8080 },
          { containerPort: 53, protocol: 'UDP' },
        ],
      }),
      container({ ports: [{ name: 'http', containerPort: 80 }] }),
      [
        `ports ${inWeb}.ports[http].containerPort: 8080 -> 80`,
        `ports ${inWeb}.ports[53/UDP]: {"containerPort":53,"protocol":"UDP"} -> (none)`,
      ],
    ],
    [
      'labels of the config and of its pods',
      {
        ...pod({}, { labels: { tier: 'a' } }),
        metadata: { labels: { 'app.kubernetes.io/part-of': 'shop' } },
      },
      { ...pod({}, { labels: { tier: 'b' } }), metadata: {} },
      [
        'labels metadata.labels[app.kubernetes.io/part-of]: shop -> (none)',
        'labels spec.template.metadata.labels.tier: a -> b',
      ],
    ],
    [
      'the selector',
      config({ selector: { app: 'web' } }),
      config({ selector: { app: 'web', tier: 'front' } }),
      ['selector spec.selector.tier: (none) -> front'],
    ],
    [
      'all else',
      pod(
        { containers: [{ name: 'web', command: ['a'] }], nodeSelector: { disk: 'ssd' } },
        { annotations: { a: '1' } },
      ),
      pod({ containers: [{ name: 'web', command: ['a', 'b'] }] }),
      [
        'other spec.template.metadata.annotations: {"a":"1"} -> (none)',
        `other ${inWeb}.command: ["a"] -> ["a","b"]`,
        'other spec.template.spec.nodeSelector: {"disk":"ssd"} -> (none)',
      ],
    ],
  ])('%s', (_title, current, proposed, expected) => {
    expect(compare(current, proposed)).toEqual(expected);
  });

  function imageTrigger(automatic: boolean): object {
    const from = { kind: 'ImageStreamTag', name: 'web:latest' };
    return { type: 'ImageChange', imageChangeParams: { automatic, containerNames: ['web'], from } };
  }
});

describe('variables', () => {
  const env = (...variables: object[]): ComparedConfig => container({ env: variables });

  test('one more at the top is one change', () => {
    const changes = compare(
      env({ name: 'B', value: '2' }, { name: 'C', value: '3' }),
      env({ name: 'A', value: '1' }, { name: 'B', value: '2' }, { name: 'C', value: '3' }),
    );
    expect(changes).toEqual([`env ${inWeb}.env[A]: (none) -> 1`]);
  });

  test('removed and changed ones, an empty value among them', () => {
    const changes = compareConfigs(
      env({ name: 'A', value: '1' }, { name: 'B', value: '2' }),
      env({ name: 'B', value: '' }),
    );
    expect(changes).toEqual([
      { field: `${inWeb}.env[A]`, area: 'env', from: '1' },
      { field: `${inWeb}.env[B]`, area: 'env', from: '2', to: '' },
    ]);
  });

  test('values from elsewhere are told by where they come from', () => {
    const [a, b, c, d, e] = ['A', 'B', 'C', 'D', 'E'].map((name) => ({ name }));
    const changes = compare(
      env(
        { ...a, value: 'plain' },
        { ...b, valueFrom: { configMapKeyRef: { name: 'shop', key: 'b', optional: true } } },
        { ...c, valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
        { ...d, valueFrom: { resourceFieldRef: { resource: 'limits.cpu', containerName: 'web' } } },
        { ...e, valueFrom: { fileKeyRef: { key: 'e' } } },
      ),
      env({ ...a, valueFrom: { secretKeyRef: { name: 'db', key: 'password' } } }),
    );
    expect(changes).toEqual([
      `env ${inWeb}.env[A]: plain -> key "password" of Secret "db"`,
      `env ${inWeb}.env[B]: key "b" of ConfigMap "shop", if there is one -> (none)`,
      `env ${inWeb}.env[C]: the pod's metadata.name -> (none)`,
      `env ${inWeb}.env[D]: limits.cpu of container "web" -> (none)`,
      `env ${inWeb}.env[E]: {"fileKeyRef":{"key":"e"}} -> (none)`,
    ]);
  });

  test('all variables of an object', () => {
    const changes = compare(
      container({ envFrom: [{ configMapRef: { name: 'shop' } }] }),
      container({ envFrom: [{ prefix: 'DB_', secretRef: { name: 'db' } }] }),
    );
    expect(changes).toEqual([
      `env ${inWeb}.envFrom[ConfigMap/shop]: all of ConfigMap "shop" -> (none)`,
      `env ${inWeb}.envFrom[DB_ Secret/db]: (none) -> all of Secret "db", with prefix "DB_"`,
    ]);
  });

  test('another order, since one may be made of those before it', () => {
    const [a, b, c] = [
      { name: 'A', value: '1' },
      { name: 'B', value: '2' },
      { name: 'C', value: '3' },
    ];
    expect(compare(env(a, b), env(b, a, c))).toEqual([
      `env ${inWeb}.env[C]: (none) -> 3`,
      `env ${inWeb}.env (order): A, B -> B, A`,
    ]);
  });

  test('two of one name are two', () => {
    const changes = compare(
      env({ name: 'A', value: '1' }, { name: 'A', value: '2' }),
      env({ name: 'A', value: '1' }, { name: 'A', value: '3' }),
    );
    expect(changes).toEqual([`env ${inWeb}.env[A #2]: 2 -> 3`]);
  });

  test('a long value is cut, and its length told', () => {
    const [change] = compareConfigs(env({ name: 'A', value: 'x'.repeat(2_000) }), env());
    expect(change?.from).toHaveLength('… (2000 characters)'.length + 500);
    expect(change?.from).toMatch(/x… \(2000 characters\)$/);
  });

  test('of two long values that begin alike the change is not lost', () => {
    const long = 'x'.repeat(2_000);
    expect(
      compareConfigs(env({ name: 'A', value: `${long}1` }), env({ name: 'A', value: `${long}2` })),
    ).toHaveLength(1);
  });
});

describe('secrets', () => {
  const secret = (value: string) => ({ name: 'DB_PASSWORD', value });

  test('a plain value: that it changes is told, and not what it is', () => {
    const field = `env ${inWeb}.env[DB_PASSWORD]`;
    const env = (...variables: object[]) => container({ env: variables });
    expect(compare(env(secret('two')), env(secret('one')))).toEqual([
      `${field}: (hidden) -> (hidden), another one`,
    ]);
    expect(compare(env(secret('two')), env())).toEqual([`${field}: (hidden) -> (none)`]);
    expect(compare(env(secret('two')), env(secret('')))).toEqual([`${field}: (hidden) -> `]);
    const key = { secretKeyRef: { name: 'db', key: 'password' } };
    expect(compare(env(secret('two')), env({ name: 'DB_PASSWORD', valueFrom: key }))).toEqual([
      `${field}: (hidden) -> key "password" of Secret "db"`,
    ]);
  });

  test('in a URL', () => {
    const env = (value: string) => container({ env: [{ name: 'DB', value }] });
    expect(compare(env('pg://u:two@db'), env('pg://u:one@db'))).toEqual([
      `env ${inWeb}.env[DB]: pg://u:(hidden)@db -> pg://u:(hidden)@db, another one`,
    ]);
  });

  test('in a header of a probe', () => {
    const probe = (value: string) =>
      container({
        livenessProbe: { httpGet: { httpHeaders: [{ name: 'Authorization', value }] } },
      });
    expect(compare(probe('Bearer two'), probe('Bearer one'))).toEqual([
      `other ${inWeb}.livenessProbe.httpGet.httpHeaders[Authorization]: (hidden) -> (hidden), another one`,
    ]);
  });

  test('in what comes or goes as a whole', () => {
    const execNewPod = { command: ['x'], env: [secret('two'), { name: 'MODE', value: 'fast' }] };
    const before = config({ strategy: { type: 'Rolling', lifecycle: { pre: { execNewPod } } } });
    const [change, ...others] = compare(before, config({ strategy: { type: 'Rolling' } }));
    expect(others).toEqual([]);
    expect(change).toContain('{"name":"DB_PASSWORD","value":"(hidden)"}');
    expect(change).toContain('{"name":"MODE","value":"fast"}');
    expect(change).not.toContain('two');
    const custom = { type: 'Custom', customParams: { image: 'a', environment: [secret('two')] } };
    const text = compare(config({ strategy: custom }), config({})).join();
    expect(text).toContain('(hidden)');
    expect(text).not.toContain('two');
  });

  describe('among entries that have a name of their own', () => {
    const annotations = (entries?: object) =>
      pod({}, entries === undefined ? {} : { annotations: entries });
    const driver = (volumeAttributes?: object) =>
      pod({
        volumes: [
          { name: 's', csi: { driver: 'd', ...(volumeAttributes && { volumeAttributes }) } },
        ],
      });

    test('one that changes, comes or goes', () => {
      const field = 'other spec.template.metadata.annotations';
      expect(
        compare(
          annotations({ 'api-token': 'two', 'example.com/key': 'k', tier: 'a' }),
          annotations({ 'api-token': 'one', tier: 'b' }),
        ),
      ).toEqual([
        `${field}.api-token: (hidden) -> (hidden), another one`,
        `${field}[example.com/key]: (hidden) -> (none)`,
        `${field}.tier: a -> b`,
      ]);
      const attributes = 'volumes spec.template.spec.volumes[s].csi.volumeAttributes';
      expect(
        compare(driver({ password: 'two', key: 'k', share: 'a' }), driver({ share: 'b' })),
      ).toEqual([
        `${attributes}.key: (hidden) -> (none)`,
        `${attributes}.password: (hidden) -> (none)`,
        `${attributes}.share: a -> b`,
      ]);
    });

    test('all of them at once', () => {
      expect(compare(annotations({ 'api-token': 'two', tier: 'a' }), annotations())).toEqual([
        'other spec.template.metadata.annotations: {"api-token":"(hidden)","tier":"a"} -> (none)',
      ]);
      expect(compare(driver({ password: 'two', share: 'pg://u:two@db' }), pod({}))).toEqual([
        'volumes spec.template.spec.volumes[s]: {"name":"s","csi":{"driver":"d",' +
          '"volumeAttributes":{"password":"(hidden)","share":"pg://u:(hidden)@db"}}} -> (none)',
      ]);
    });
  });

  test.each<[string, object, string]>([
    [
      'a Secret as a volume',
      { volumes: [{ name: 's', secret: { secretName: 'db', items: [{ key: 'password' }] } }] },
      '{"name":"s","secret":{"secretName":"db","items":[{"key":"password"}]}}',
    ],
    [
      'attributes of a driver',
      { volumes: [{ name: 's', csi: { volumeAttributes: { secretProviderClass: 'db' } } }] },
      '{"name":"s","csi":{"volumeAttributes":{"secretProviderClass":"db"}}}',
    ],
    ['pull secrets', { imagePullSecrets: [{ name: 'registry' }] }, '{"name":"registry"}'],
    [
      'tolerations',
      { tolerations: [{ key: 'gpu', operator: 'Exists' }] },
      '{"key":"gpu","operator":"Exists"}',
    ],
    [
      'keys of a spread',
      { topologySpreadConstraints: [{ topologyKey: 'zone', matchLabelKeys: ['hash'] }] },
      '{"topologyKey":"zone","matchLabelKeys":["hash"]}',
    ],
  ])('what only says where one is, is told: %s', (_title, spec, told) => {
    expect(compare(pod(spec), pod({})).join()).toContain(`: ${told} -> (none)`);
  });
});

test('a container that goes is told by its parts', () => {
  const web = { name: 'web', image: 'web:1' };
  const side = {
    name: 'side',
    image: 'side:1',
    env: [{ name: 'A', value: '1' }],
    ports: [{ containerPort: 9090 }],
    volumeMounts: [{ mountPath: '/tmp', name: 'tmp' }],
    resources: { limits: { cpu: '1' } },
  };
  const at = 'spec.template.spec.containers[side]';
  expect(compare(pod({ containers: [web, side] }), pod({ containers: [web] }))).toEqual([
    `images ${at}.image: side:1 -> (none)`,
    `env ${at}.env[A]: 1 -> (none)`,
    `volumes ${at}.volumeMounts[/tmp]: {"mountPath":"/tmp","name":"tmp"} -> (none)`,
    `ports ${at}.ports[9090/TCP]: {"containerPort":9090} -> (none)`,
    `other ${at}.resources: {"limits":{"cpu":"1"}} -> (none)`,
  ]);
});

test('areas come in the order in which people ask about them', () => {
  const changes = compareConfigs(
    {
      metadata: { labels: { a: '1' } },
      spec: {
        replicas: 1,
        minReadySeconds: 1,
        template: { spec: { containers: [{ name: 'web', image: 'a' }] } },
      },
    },
    {
      metadata: {},
      spec: { replicas: 2, template: { spec: { containers: [{ name: 'web', image: 'b' }] } } },
    },
  );
  expect(changes.map(({ area }) => area)).toEqual(['images', 'replicas', 'labels', 'other']);
});
