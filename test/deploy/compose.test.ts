import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';

import { isPinned, readText } from '../support/deploy-files.js';

interface Service {
  image: string;
  ports?: string[];
  environment?: Record<string, unknown>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: object;
}

const text = readText('docker-compose.yml');
const { services } = parse(text, { merge: true }) as { services: Record<string, Service> };
const entries = Object.entries(services);
const { version } = JSON.parse(readText('package.json')) as { version: string };

describe('docker-compose.yml', () => {
  test.each(entries)('%s has a pinned image', (_name, { image }) => {
    expect([image, isPinned(image)]).toEqual([image, true]);
  });

  test('builds the version of package.json', () => {
    expect(services['slipway-worker']?.image).toBe(`slipway:${version}`);
    expect(services['slipway-install']?.image).toBe(`slipway:${version}`);
  });

  test('the schema tool is of the same version as the server', () => {
    const server = services['temporal']?.image.split(':')[1] ?? '';
    for (const name of ['temporal-schema', 'temporal-namespace']) {
      expect(services[name]?.image.split(':')[1]?.split('-')[0]).toBe(server);
    }
  });

  test('no port is open to other machines', () => {
    const ports = entries.flatMap(([, { ports: published = [] }]) => published);
    expect(ports.length).toBeGreaterThan(0);
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  test('each password comes from the environment and has no default', () => {
    const passwords = entries.flatMap(([, { environment = {} }]) =>
      Object.entries(environment).filter(([name]) => /PASSWORD|PWD/.test(name)),
    );
    expect(passwords.length).toBeGreaterThan(0);
    for (const [, value] of passwords) expect(value).toMatch(/^\$\{POSTGRES_PASSWORD:\?.+\}$/);
  });

  test('what is waited for until it is healthy has a check of its health', () => {
    const awaited = entries.flatMap(([, { depends_on = {} }]) =>
      Object.entries(depends_on).filter(([, { condition }]) => condition === 'service_healthy'),
    );
    expect(awaited.length).toBeGreaterThan(0);
    for (const [name] of awaited)
      expect([name, services[name]?.healthcheck]).toEqual([name, expect.anything()]);
  });
});
