import { Command, InvalidArgumentError, Option } from 'commander';

import { cases, caseNames, type BenchCase, type CaseName } from './cases.js';
import { engineNames, type EngineName } from './engine-names.js';

export interface BenchOptions {
  readonly rounds: number;
  readonly cases: readonly BenchCase[];
  readonly engines: readonly EngineName[];
  readonly json?: string;
  readonly svg?: string;
  readonly profiles?: string;
  /** A missed goal is a failure. */
  readonly isStrict: boolean;
}

interface Flags {
  readonly rounds: number;
  readonly case?: readonly CaseName[];
  readonly engine?: readonly EngineName[];
  readonly json?: string;
  readonly svg?: string;
  readonly profile?: string;
  readonly strict?: true;
}

const usualRounds = 3;
/** What the documents show; written by the whole bench only, so that they never show half of it. */
const wholeBenchFiles = { json: 'docs/bench.json', svg: 'docs/bench.svg' };

export function createBenchCommand(run: (options: BenchOptions) => Promise<void>): Command {
  return new Command('bench')
    .usage('[options]')
    .description(
      'Rolls the same Deployments with Slipway, the built-in controller and Argo\n' +
        'one scratch cluster, and compares seconds, memory and history. The whole bench also writes\n' +
        `${wholeBenchFiles.svg} and ${wholeBenchFiles.json}.`,
    )
    .option('--rounds <count>', 'how often each engine has its turn', parseCount, usualRounds)
    .addOption(new Option('--case <name...>', 'only these cases').choices(caseNames))
    .addOption(new Option('--engine <name...>', 'only these engines').choices(engineNames))
    .option('--json <file>', 'write all figures there')
    .option('--svg <file>', 'draw the picture there')
    .option('--profile <folder>', "leave CPU profiles of Slipway's workers there")
    .option('--strict', 'exit with 1 when a goal is missed')
    .helpOption('-h, --help', 'explain this command')
    .allowExcessArguments(false)
    .exitOverride()
    .action((flags: Flags) => run(decideOptions(flags)));
}

export function decideOptions(flags: Flags): BenchOptions {
  const isWhole = flags.case === undefined && flags.engine === undefined;
  const { json, svg } = { ...(isWhole ? wholeBenchFiles : {}), ...flags };
  return {
    rounds: flags.rounds,
    cases: cases.filter(({ name }) => flags.case?.includes(name) ?? true),
    engines: engineNames.filter((name) => flags.engine?.includes(name) ?? true),
    ...(json === undefined ? {} : { json }),
    ...(svg === undefined ? {} : { svg }),
    ...(flags.profile === undefined ? {} : { profiles: flags.profile }),
    isStrict: flags.strict === true,
  };
}

function parseCount(text: string): number {
  if (!/^[1-9]\d*$/.test(text))
    throw new InvalidArgumentError('It must be a whole number above 0.');
  return Number(text);
}
