import { describe, expect, test } from '@jest/globals';

import { readPrometheusAnswer } from '../../src/metrics/read-prometheus-answer.js';

const read = (body: unknown, status = 200) =>
  readPrometheusAnswer('prom:9090', status, typeof body === 'string' ? body : JSON.stringify(body));
const success = (resultType: string, result: unknown) => ({
  status: 'success',
  data: { resultType, result },
});
const vector = (...values: string[]) =>
  success(
    'vector',
    values.map((value) => ({ metric: {}, value: [1.5, value] })),
  );

describe('one number', () => {
  test.each([
    ['0.25', 0.25],
    ['-3', -3],
    ['1e-05', 0.00001],
    ['0', 0],
  ])('%s in a vector or as a scalar', (text, value) => {
    expect(read(vector(text))).toEqual({ value });
    expect(read(success('scalar', [1.5, text]))).toEqual({ value });
  });
});

describe('anything else is a problem', () => {
  test.each<[string, unknown, number, string]>([
    ['no value', vector(), 200, 'the query gives no value'],
    ['several values', vector('1', '2'), 200, 'the query gives 2 values, not one'],
    ['NaN', vector('NaN'), 200, 'the query gives NaN, which is no finite number'],
    ['infinity', vector('+Inf'), 200, 'the query gives +Inf, which is no finite number'],
    ['a matrix', success('matrix', []), 200, 'the query gives a matrix, not one number'],
    ['a text', success('string', [1, 'a']), 200, 'the query gives a string, not one number'],
    [
      'a histogram',
      success('vector', [{ metric: {}, histogram: [] }]),
      200,
      'the query gives something else than a number',
    ],
    [
      'a refusal',
      { status: 'error', errorType: 'bad_data', error: 'parse error' },
      400,
      'prom:9090 refuses the query: parse error',
    ],
    ['another status', 'Service Unavailable', 503, 'prom:9090 answers with status 503'],
    ['a redirect', '', 302, 'prom:9090 answers with status 302'],
    ['a page', '<html>', 200, 'what prom:9090 answers is not JSON'],
    ['other JSON', '{"a":1}', 200, 'what prom:9090 answers is not an answer of Prometheus'],
    ['null', 'null', 200, 'what prom:9090 answers is not JSON'],
  ])('%s', (_what, body, status, problem) => {
    expect(read(body, status)).toEqual({ problem });
  });

  test('and what it quotes is short', () => {
    const answer = read({ status: 'error', error: 'x'.repeat(10_000) }, 400);
    expect(JSON.stringify(answer).length).toBeLessThan(300);
  });
});
