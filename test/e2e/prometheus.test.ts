import type { ServerResponse } from 'node:http';

import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';

import { pickFreePort } from '../../src/dev/stack/ports.js';
import { queryPrometheus } from '../../src/metrics/query-prometheus.js';
import { startHttpServer, type HttpServer } from '../support/http-server.js';
import {
  isPrometheusMissing,
  startPrometheus,
  type PrometheusServer,
} from '../support/prometheus.js';
import { waitFor } from '../support/wait-for.js';

const withPrometheus = (await isPrometheusMissing()) ? describe.skip : describe;

withPrometheus('a real Prometheus', () => {
  let prometheus: PrometheusServer;
  beforeAll(async () => {
    prometheus = await startPrometheus();
  });
  afterAll(() => prometheus.stop());

  const ask = (query: string) => queryPrometheus({ url: prometheus.url, query });

  test('tells what it has scraped', async () => {
    prometheus.setErrors(0.125);
    await waitFor('the new number is scraped', async () => {
      const answer = await ask('canary_errors');
      return 'value' in answer && answer.value === 0.125 ? true : undefined;
    });
    expect(await ask('scalar(canary_errors) * 2')).toEqual({ value: 0.25 });
    const long = `canary_errors${' + 0 * canary_errors'.repeat(400)}`;
    expect(await ask(long)).toEqual({ value: 0.125 });
  });

  test.each([
    ['nothing_of_the_kind', 'the query gives no value'],
    ['label_replace(canary_errors, "a", "b", "", "") or up', 'the query gives 2 values, not one'],
    ['canary_errors / 0 * 0', 'the query gives NaN, which is no finite number'],
    ['canary_errors[1m]', 'the query gives a matrix, not one number'],
  ])('has no number for %s', async (query, problem) => {
    expect(await ask(query)).toEqual({ problem });
  });

  test('refuses what is no query, and says why', async () => {
    const host = new URL(prometheus.url).host;
    const answer = await ask('canary_errors +');
    expect(answer).toEqual({
      problem: expect.stringContaining(`${host} refuses the query: invalid parameter`),
    });
  });

  test('is found below a path, with or without a slash at the end', async () => {
    const problem = `${new URL(prometheus.url).host} answers with status 404`;
    for (const url of [`${prometheus.url}/below`, `${prometheus.url}/below/`]) {
      expect(await queryPrometheus({ url, query: 'up' })).toEqual({ problem });
    }
    expect(await queryPrometheus({ url: `${prometheus.url}/`, query: '1' })).toEqual({ value: 1 });
  });
});

describe('a server that is none', () => {
  const servers: HttpServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop();
  });

  async function ask(answer: (response: ServerResponse) => void) {
    const server = await startHttpServer((_request, response) => {
      answer(response);
    });
    servers.push(server);
    const { problem } = (await queryPrometheus(
      { url: server.url, query: 'up' },
      { wholeMs: 300, bytes: 1_000 },
    )) as { problem: string };
    return problem.replace(server.host, 'it');
  }

  test('and answers with something else', async () => {
    expect(await ask((response) => response.end('hello'))).toBe('what it answers is not JSON');
  });

  test('and answers for ever', async () => {
    const problem = await ask((response) => response.end('x'.repeat(100_000)));
    expect(problem).toBe('the answer of it is longer than 1000 bytes');
  });

  test('and never answers, or not to the end', async () => {
    const late = 'it did not answer within 0.3 s';
    expect(await ask(() => undefined)).toBe(late);
    expect(await ask((response) => response.write('{'))).toBe(late);
  });

  test('and hangs up', async () => {
    expect(await ask((response) => response.destroy())).toMatch(/^it can't be reached/);
  });

  test('and is not there', async () => {
    const host = `127.0.0.1:${await pickFreePort()}`;
    const url = `http://someone:secret@${host}`;
    const answer = await queryPrometheus({ url, query: 'up' });
    expect(answer).toEqual({ problem: `${host} refuses the connection` });
  });

  test('and has no address', async () => {
    const answer = await queryPrometheus({ url: 'http://', query: 'up' });
    expect(answer).toEqual({ problem: 'its url is not one' });
  });
});
