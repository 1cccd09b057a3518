import { describe, expect, it } from '@jest/globals';

import { createBenchCommand, type BenchOptions } from '../../bench/options.js';

async function parse(...words: readonly string[]): Promise<BenchOptions> {
  let found: BenchOptions | undefined;
  const command = createBenchCommand((options) => {
    found = options;
    return Promise.resolve();
  }).configureOutput({ writeErr: () => undefined });
  await command.parseAsync(words, { from: 'user' });
  return found!;
}

describe('the options of the bench', () => {
  it('runs all of it and writes what the documents show', async () => {
    const options = await parse();
    expect(options.cases.map(({ name }) => name)).toEqual(['1x100', '50x10', '1x1000', '300-idle']);
    expect(options).toMatchObject({
      rounds: 3,
      engines: ['slipway', 'built-in', 'argo'],
      json: 'docs/bench.json',
      svg: 'docs/bench.svg',
      isStrict: false,
    });
  });

  it('writes nothing by itself when only a part is run', async () => {
    for (const part of [
      ['--case', '50x10'],
      ['--engine', 'slipway', 'argo'],
    ]) {
      const options = await parse(...part);
      expect([options.json, options.svg]).toEqual([undefined, undefined]);
    }
  });

  it('takes parts in the usual order, however they are named', async () => {
    const options = await parse('--engine', 'argo', 'slipway', '--case', '1x1000', '1x100');
    expect(options.engines).toEqual(['slipway', 'argo']);
    expect(options.cases.map(({ name }) => name)).toEqual(['1x100', '1x1000']);
  });

  it('writes where it is told', async () => {
    expect(await parse('--case', '50x10', '--svg', 'a.svg')).toMatchObject({ svg: 'a.svg' });
    expect(await parse('--json', 'b.json', '--strict')).toMatchObject({
      json: 'b.json',
      isStrict: true,
    });
  });

  it.each([
    ['--rounds', '0'],
    ['--rounds', 'many'],
    ['--case', '2x2'],
    ['--engine', 'flux'],
    ['--quick'],
    ['50x10'],
  ])('refuses %s %s', async (...words) => {
    await expect(parse(...words)).rejects.toThrow();
  });
});
