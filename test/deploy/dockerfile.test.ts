import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from '@jest/globals';

import { isPinned, packageRoot, readText } from '../support/deploy-files.js';

/** Each instruction with its arguments, continued lines joined. */
const instructions = readText('Dockerfile')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => ({ name: line.split(' ')[0]!, args: line.split(' ').slice(1) }));

const argsOf = (name: string): string[][] =>
  instructions.filter((one) => one.name === name).map(({ args }) => args);

const copied = argsOf('COPY')
  .filter(([first]) => !first!.startsWith('--from'))
  .flatMap((args) => args.slice(0, -1));

describe('the Dockerfile', () => {
  test('starts from pinned images', () => {
    expect(argsOf('FROM').length).toBeGreaterThan(1);
    expect(argsOf('FROM').map(([image]) => [image, isPinned(image!)])).toEqual(
      argsOf('FROM').map(([image]) => [image, true]),
    );
  });

  test('ends as a user that is not root, by number', () => {
    const lastFrom = instructions.map(({ name }) => name).lastIndexOf('FROM');
    const users = instructions.slice(lastFrom).filter(({ name }) => name === 'USER');
    expect(users.map(({ args }) => args)).toEqual([[expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)]]);
  });

  test('runs no package scripts, which would build before the sources are there', () => {
    const installs = argsOf('RUN').filter((args) => args.includes('ci'));
    expect(installs).toHaveLength(2);
    for (const args of installs) expect(args).toContain('--ignore-scripts');
    expect(installs.filter((args) => args.includes('--omit=dev'))).toHaveLength(1);
  });

  test('starts node itself, so that signals reach it', () => {
    const [entrypoint] = argsOf('ENTRYPOINT').map((args) => JSON.parse(args.join(' ')) as string[]);
    expect(entrypoint?.[0]).toBe('node');
    expect(entrypoint?.at(-1)).toBe('/app/dist/client/main.js');
    expect(argsOf('CMD')).toEqual([['["worker"]']]);
  });

  test.each(copied)('copies %s, which exists and is let through by .dockerignore', (path) => {
    expect(existsSync(join(packageRoot, path))).toBe(true);
    expect(readText('.dockerignore').split('\n')).toContain(`!${path}`);
  });

  test('is given nothing else', () => {
    const allowed = readText('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'));
    expect(allowed.map((line) => line.slice(1)).sort()).toEqual([...new Set(copied)].sort());
  });
});
