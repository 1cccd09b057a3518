import { access, constants, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { loopback, pickFreePort } from '../../src/dev/stack/ports.js';
import { startHttpServer } from './http-server.js';
import { startServerProcess } from './server-process.js';

export interface PrometheusServer {
  readonly url: string;
  /** What the gauge `canary_errors` has from the next scrape on. */
  setErrors(value: number): void;
  stop(): Promise<void>;
}

const scrapeInterval = '200ms';

/** A real Prometheus, which scrapes a small server whose numbers the test chooses. */
export async function startPrometheus(): Promise<PrometheusServer> {
  const program = await findPrometheus();
  let errors = 0;
  const target = await startHttpServer((_request, response) => {
    response.setHeader('content-type', 'text/plain; version=0.0.4');
    response.end(`# TYPE canary_errors gauge\ncanary_errors ${errors}\n`);
  });
  const folder = await mkdtemp(join(tmpdir(), 'slipway-prometheus-'));
  const config = join(folder, 'prometheus.yml');
  // JSON is YAML, which is what Prometheus reads.
  const settings = {
    global: { scrape_interval: scrapeInterval, scrape_timeout: scrapeInterval },
    scrape_configs: [{ job_name: 'web', static_configs: [{ targets: [target.host] }] }],
  };
  await writeFile(config, JSON.stringify(settings));
  const url = `http://${loopback}:${await pickFreePort()}`;
  const server = await startServerProcess({
    name: 'Prometheus',
    command: {
      program,
      arguments: [
        `--config.file=${config}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=${new URL(url).host}`,
      ],
      environment: {},
    },
    log: join(folder, 'prometheus.log'),
    isReady: () => hasScraped(url),
  });
  return {
    url,
    setErrors: (value) => {
      errors = value;
    },
    stop: async () => {
      await server.stop();
      await target.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function hasScraped(url: string): Promise<boolean> {
  const response = await fetch(`${url}/api/v1/query?query=canary_errors`);
  const { data } = (await response.json()) as { data?: { result?: unknown[] } };
  return data?.result?.length === 1;
}

/** Whether there is none and nobody insists on it: then what needs one is left out, in so many words. */
export async function isPrometheusMissing(): Promise<boolean> {
  if (process.env['SLIPWAY_REQUIRE_PROMETHEUS'] === '1') return false;
  try {
    await findPrometheus();
    return false;
  } catch (error) {
    process.stderr.write(`left out: ${error instanceof Error ? error.message : String(error)}\n`);
    return true;
  }
}

async function findPrometheus(): Promise<string> {
  const named = process.env['SLIPWAY_PROMETHEUS_BIN'];
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/usr/local/bin'];
  const places = named === undefined ? folders.map((each) => join(each, 'prometheus')) : [named];
  for (const place of places) {
    const isThere = await access(place, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return place;
  }
  throw new Error(
    'prometheus is not on the PATH: install it (Debian: apt-get install --no-install-recommends prometheus), or name it in SLIPWAY_PROMETHEUS_BIN',
  );
}
