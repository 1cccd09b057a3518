import { describe, expect, test } from '@jest/globals';

import { completeWords, files, type ChosenOptions } from '../../src/client/complete-words.js';
import { formatCompletions } from '../../src/client/completion.js';
import { nameRefs } from '../../src/client/completion-sources.js';
import { kindsForCommand } from '../../src/client/abilities.js';
import { kinds, nameKinds } from '../../src/client/kinds.js';
import { createProgram } from '../../src/client/program.js';

const program = createProgram();
const asked: ChosenOptions[] = [];
const commands: string[] = [];
const sources = {
  refs: (_word: string, options: ChosenOptions, command: string) => {
    asked.push(options);
    commands.push(command);
    return Promise.resolve(['deployment/api', 'deployment/web']);
  },
  namespaces: () => Promise.resolve(['default', 'shop']),
  contexts: () => Promise.resolve(['here', 'there']),
};

async function complete(...words: string[]): Promise<string[] | typeof files> {
  const found = await completeWords(program, words, sources);
  return found === files ? files : found.map(({ word }) => word);
}

describe('completeWords', () => {
  test('commands, all of them and by their beginning', async () => {
    expect(await complete('')).toEqual(expect.arrayContaining(['deploy', 'get', 'undo', 'help']));
    expect(await complete('pa')).toEqual(['pause']);
    expect(await complete('dev', '')).toEqual(expect.arrayContaining(['up', 'down', 'status']));
    expect(await complete('help', 'un')).toEqual(['undo']);
  });

  test('objects, where a command takes one', async () => {
    expect(await complete('pause', '')).toEqual(['deployment/api', 'deployment/web']);
    expect(await complete('get', 'deployment/w')).toEqual(['deployment/web']);
    expect(await complete('get', 'deployment/web', '')).toEqual([]);
    expect(await complete('undo', 'deployment/web', '')).toHaveLength(2);
  });

  test('only objects that the command takes are asked for', async () => {
    commands.length = 0;
    await complete('retry', '');
    await complete('trigger', 'dc/');
    expect(commands).toEqual(['retry', 'trigger']);
    const titles = (command: string): string => nameKinds(kindsForCommand(command));
    expect(titles('retry')).toBe('Deployments and DeploymentConfigs');
    expect(titles('trigger')).toBe('DeploymentConfigs');
    expect(titles('undo')).toBe('Deployments and DeploymentConfigs');
    expect(titles('resume-triggers')).toBe('DeploymentConfigs');
    expect(titles('logs')).toBe('Deployments and DeploymentConfigs');
    expect(kindsForCommand('logs').map(({ type }) => type.apiVersion)).not.toContain('apps/v1');
    expect(titles('diff')).toBe('Deployments and DeploymentConfigs');
    expect(titles('get')).toBe('Deployments, DeploymentConfigs and ImageRepositories');
  });

  test('the cluster that is asked is the one of the options', async () => {
    asked.length = 0;
    await complete('get', '-n', 'shop', '--context=there', '-w', 'dep');
    expect(asked).toEqual([{ namespace: 'shop', context: 'there' }]);
  });

  test('options', async () => {
    expect(await complete('get', '--o')).toEqual(['--output']);
    expect(await complete('get', '-')).toEqual(
      expect.arrayContaining(['--watch', '--namespace', '--help']),
    );
  });

  test.each([
    [
      ['get', '-o', ''],
      ['json', 'yaml'],
    ],
    [['get', '--output', 'y'], ['yaml']],
    [['get', '--output=j'], ['--output=json']],
    [['get', '--output', '=', 'j'], ['json']],
    [
      ['get', '--output', '='],
      ['json', 'yaml'],
    ],
    [['get', '-n', 's'], ['shop']],
    [
      ['get', '--context', ''],
      ['here', 'there'],
    ],
    [
      ['completion', ''],
      ['bash', 'zsh'],
    ],
    [['pause', '--reason', ''], []],
    [['deploy', '-f', ''], files],
    [['deploy', '-f', 'a.yaml', 'b'], files],
    [['deploy', '-f', 'a.yaml', '--time'], ['--timeout']],
    [['deploy', '--param-file', ''], files],
    [['deploy', '-p', ''], []],
    [['get', '--kubeconfig', ''], files],
    [['trigger', 'dc/web', '--no'], ['--no-follow']],
    [
      ['logs', 'dc/web', '--hook', 'p'],
      ['pre', 'post'],
    ],
    [
      ['logs', 'dc/web', '--t'],
      ['--try', '--tail', '--timestamps'],
    ],
    [
      ['approve', 'dc/web', '--winner', ''],
      ['new', 'old'],
    ],
    [['nonsense', ''], []],
  ])('%j', async (words, expected) => {
    expect(await complete(...words)).toEqual(expected);
  });
});

describe('nameRefs', () => {
  const [ours, builtIn, configs] = kinds;
  const found = [
    { kind: ours!, names: ['web', 'api'] },
    { kind: builtIn!, names: ['web', 'db'] },
  ];

  test('short where that is enough, with the group where two have the name', () => {
    expect(nameRefs('', found)).toEqual([
      'deployment.apps/web',
      'deployment.slipway.dev/web',
      'deployment/api',
      'deployment/db',
    ]);
  });

  test('with the kind as it was begun', () => {
    expect(nameRefs('deploy/w', found)).toEqual(['deploy/api', 'deploy/db', 'deploy/web']);
  });

  test('objects of different kinds may have one name', () => {
    const both = [ours!, configs!].map((kind) => ({ kind, names: ['web'] }));
    expect(nameRefs('', both)).toEqual(['deployment/web', 'deploymentconfig/web']);
  });

  test('another word for the kind can be finished first', () => {
    expect(nameRefs('sdep', found)).toContain('sdeploy/');
    expect(nameRefs('d', [], [configs!])).toEqual([
      'deploymentconfig/',
      'deploymentconfigs/',
      'dc/',
    ]);
  });
});

test('a shell gets a word and what it is on each line', () => {
  expect(formatCompletions([{ word: 'get', about: 'show\nmore' }])).toBe('get\tshow\n');
  expect(formatCompletions(files)).toBe(':files\n');
  expect(formatCompletions([])).toBe('');
});
