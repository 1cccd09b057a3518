import { describe, expect, test } from '@jest/globals';

import type { PortData } from '../../../src/domain/rollback/config-data.js';
import { findServiceRisks } from '../../../src/domain/rollback/find-service-risks.js';
import type { ServiceData, ServicePortData } from '../../../src/domain/rollback/scene.js';
import { goBack, type ConfigDraft } from './support/configs.js';

const app = { app: 'web' };
const listing = (...ports: PortData[]): ConfigDraft => ({ podLabels: app, container: { ports } });

function service(
  port: Partial<ServicePortData> = {},
  rest: Partial<ServiceData> = {},
): ServiceData {
  const ports = [{ port: 80, protocol: 'TCP', targetPort: 'http', ...port }];
  return { name: 'web', selector: app, ports, ...rest };
}

const risksOf = (before: ConfigDraft, after: ConfigDraft, ...services: ServiceData[]) =>
  findServiceRisks(goBack(before, after), services);

const http = { name: 'http', containerPort: 8080 };

describe('the target port', () => {
  test('a name that goes', () => {
    expect(
      risksOf(listing(http), listing({ name: 'web', containerPort: 8080 }), service()),
    ).toEqual([
      {
        kind: 'ServicePort',
        object: 'Service/web',
        message: 'its port 80 sends to port "http" of the pods, which they will no longer have',
      },
    ]);
  });

  test('a number that goes', () => {
    const [risk] = risksOf(
      listing({ containerPort: 8080 }),
      listing({ containerPort: 9090 }),
      service({ targetPort: 8080 }),
    );
    expect(risk?.message).toContain('port 8080 of the pods');
  });

  test.each<[string, ConfigDraft, ConfigDraft, ServiceData]>([
    [
      'a name that stays, with another number',
      listing(http),
      listing({ ...http, containerPort: 1 }),
      service(),
    ],
    [
      'a number that stays, with another name',
      listing(http),
      listing({ ...http, name: 'x' }),
      service({ targetPort: 8080 }),
    ],
    ['a number that was never listed', listing(), listing(), service({ targetPort: 8080 })],
    ['a name that was missing already', listing(), listing(), service()],
    [
      'a port that another container takes over',
      listing(http),
      { podLabels: app, pod: { containers: [{ name: 'other', ports: [http] }] } },
      service(),
    ],
    [
      'a port of a sidecar',
      listing(http),
      {
        podLabels: app,
        pod: { initContainers: [{ name: 's', restartPolicy: 'Always', ports: [http] }] },
      },
      service(),
    ],
    ['a Service of other pods', listing(http), listing(), service({}, { selector: { app: 'db' } })],
    ['a Service without a selector', listing(http), listing(), service({}, { selector: {} })],
  ])('no warning for %s', (_title, before, after, given) => {
    expect(risksOf(before, after, given)).toEqual([]);
  });

  test('an init container that ends has no port to send to', () => {
    const after = { podLabels: app, pod: { initContainers: [{ name: 's', ports: [http] }] } };
    expect(risksOf(listing(http), after, service())).toHaveLength(1);
  });

  test('the protocol belongs to it', () => {
    const udp = { ...http, protocol: 'UDP' };
    expect(risksOf(listing(http), listing(udp), service())).toHaveLength(1);
    expect(risksOf(listing(udp), listing(udp), service({ protocol: 'UDP' }))).toEqual([]);
  });

  test('of each of several ports', () => {
    const two = [
      { port: 80, protocol: 'TCP', targetPort: 'http' },
      { port: 81, protocol: 'TCP', targetPort: 'admin' },
    ];
    const admin = { name: 'admin', containerPort: 8081 };
    const risks = risksOf(listing(http, admin), listing(http), service({}, { ports: two }));
    expect(risks.map(({ message }) => message)).toEqual([expect.stringContaining('"admin"')]);
  });

  test("OpenShift's Services select by the name of the config, which all versions have", () => {
    const byName = service({}, { selector: { deploymentconfig: 'web' } });
    expect(risksOf(listing(http), listing(), byName)).toHaveLength(1);
  });
});

describe('the selector', () => {
  const labelled = (podLabels: Record<string, string>): ConfigDraft => ({
    podLabels,
    container: { ports: [http] },
  });

  test('a label that goes', () => {
    const before = labelled({ ...app, tier: 'front' });
    const given = service({}, { selector: { ...app, tier: 'front' } });
    expect(risksOf(before, labelled(app), given)).toEqual([
      {
        kind: 'ServiceSelector',
        object: 'Service/web',
        message: 'it selects pods with tier=front, which they will no longer have',
      },
    ]);
  });

  test('pods that it finds only then must have a port of that name', () => {
    const given = service({}, { selector: { ...app, tier: 'front' } });
    const after = { podLabels: { ...app, tier: 'front' } };
    expect(risksOf(labelled(app), after, given)).toHaveLength(1);
    expect(risksOf(labelled(app), labelled({ ...app, tier: 'front' }), given)).toEqual([]);
    const byNumber = service({ targetPort: 8080 }, { selector: { ...app, tier: 'front' } });
    expect(risksOf({ podLabels: app }, after, byNumber)).toEqual([]);
  });
});
