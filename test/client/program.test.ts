import { describe, expect, test } from '@jest/globals';
import type { Command } from 'commander';

import { createProgram } from '../../src/client/program.js';

interface Said {
  readonly out: string;
  readonly errors: string;
  readonly exitCode: number | undefined;
}

async function run(words: readonly string[], name?: string): Promise<Said> {
  const program = createProgram(name);
  const said = { out: '', errors: '' };
  const listen = (command: Command): void => {
    command.configureOutput({
      writeOut: (text) => (said.out += text),
      writeErr: (text) => (said.errors += text),
    });
    command.commands.forEach(listen);
  };
  listen(program);
  try {
    await program.parseAsync([...words], { from: 'user' });
    return { ...said, exitCode: 0 };
  } catch (error) {
    return { ...said, exitCode: (error as { exitCode?: number }).exitCode };
  }
}

describe('mistakes on the command line are one line', () => {
  test.each([
    [['gett'], "slipway: unknown command 'gett' (Did you mean get?)\n"],
    [['get', '--wath'], "slipway: unknown option '--wath' (Did you mean --watch?)\n"],
    [
      ['get', '-o', 'xml'],
      "slipway: option '-o, --output <format>' argument 'xml' is invalid. Allowed choices are json, yaml.\n",
    ],
    [['pause'], "slipway: missing required argument 'kind/name'\n"],
    [['deploy'], "slipway: required option '-f, --filename <file...>' not specified\n"],
    [
      ['deploy', '-f', 'x', '--timeout', '5'],
      "slipway: option '--timeout <duration>' argument '5' is invalid. A duration looks like 90s, 10m or 1h30m.\n",
    ],
    [
      ['deploy', '-f', 'x', '-p', 'A'],
      "slipway: option '-p, --param <NAME=VALUE>' argument 'A' is invalid. It should be a name, = and a value.\n",
    ],
    [
      ['deploy', '-f', 'x', '--image-repository', '=x'],
      expect.stringContaining('It should be a name, = and a value.'),
    ],
    [
      ['diff', 'deployment/web', '--revision', 'two'],
      expect.stringContaining('A revision is a whole number'),
    ],
    [['diff', 'deployment/web', '--revision', '0'], expect.stringContaining('whole number')],
    [['undo', 'deployment/web', '--to-revision', '-1'], expect.stringMatching(/^slipway: .+\n$/)],
    [['approve', 'dc/web', '--step', '0'], expect.stringContaining('counted from 1')],
    [['approve', 'dc/web', '--winner', 'both'], expect.stringContaining('choices are new, old')],
    [['logs'], "slipway: missing required argument 'kind/name'\n"],
    [['logs', 'dc/web', '--hook', 'late'], expect.stringContaining('pre, mid, post, abort')],
    [['logs', 'dc/web', '--hook', 'pre', '--deployer'], expect.stringContaining('cannot be used')],
    [['logs', 'dc/web', '--try', '1', '--deployer'], expect.stringContaining('cannot be used')],
    [['logs', 'dc/web', '--try', '0'], expect.stringContaining('counted from 1')],
    [['logs', 'dc/web', '--tail', '-1'], expect.stringMatching(/^slipway: .+\n$/)],
    [['logs', 'dc/web', '--tail', 'all'], expect.stringContaining('number of lines')],
    [['logs', 'dc/web', '--revision', '0'], expect.stringContaining('whole number')],
    [['trigger', 'dc/web', '--timeout', '5'], expect.stringContaining('A duration looks like')],
    [['completion', 'fish'], expect.stringContaining('Allowed choices are bash, zsh')],
  ])('%j', async (words, errors) => {
    expect(await run(words)).toMatchObject({ out: '', errors, exitCode: 1 });
  });
});

describe('help', () => {
  const ours = [
    'deploy',
    'get',
    'logs',
    'history',
    'diff',
    'pause',
    'resume',
    'cancel',
    'undo',
    'trigger',
    'resume-triggers',
    'retry',
    'approve',
    'completion',
  ];

  test.each(ours)('of %s has examples', async (command) => {
    const { out, exitCode } = await run(['help', command]);
    expect(exitCode).toBe(0);
    expect(out).toContain(`Usage: slipway ${command}`);
    expect(out).toMatch(new RegExp(`Examples:\\n  # .+\\n  slipway ${command}\\b`));
  });

  test('of deploy tells what happens to generated values', async () => {
    const { out } = await run(['help', 'deploy']);
    expect(out).toContain('What was generated for a parameter stays');
    expect(out).not.toContain('default: []');
  });

  test('lists every command of the design', async () => {
    const { out } = await run(['--help']);
    for (const command of [...ours, 'dev', 'install', 'worker']) {
      expect(out).toMatch(new RegExp(`^  ${command} `, 'm'));
    }
    expect(out).toContain('Exit codes: 0 complete, 1 failed, 2 bad input, 3 cancelled.');
  });

  test('is about "kubectl slipway" when that was called', async () => {
    expect((await run(['help', 'get'], 'kubectl slipway')).out).toContain(
      '  kubectl slipway get deployment/web -w',
    );
    expect((await run(['gett'], 'kubectl slipway')).errors).toMatch(/^kubectl slipway: /);
  });
});

test('the version is the package’s', async () => {
  expect((await run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
});
