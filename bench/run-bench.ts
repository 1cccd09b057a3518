import type { Progress } from '../src/client/terminal/progress.js';
import type { BenchStack } from './bench-stack.js';
import type { BenchCase } from './cases.js';
import { describeTurn } from './describe-turn.js';
import { engineTitles } from './engine-names.js';
import type { Engine } from './engines/engine.js';
import { planTurns } from './plan-turns.js';
import { groupOf, prepareCase, runTurn, type TurnContext } from './run-turn.js';
import type { Turn } from './turn.js';
import { Workbench } from './workbench.js';

export interface BenchPlan {
  readonly cases: readonly BenchCase[];
  readonly rounds: number;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Case after case, turn after turn; one engine at a time. */
export async function runBench(stack: BenchStack, plan: BenchPlan): Promise<readonly Turn[]> {
  const { progress, signal } = plan;
  const { clusterPids, engines, cluster } = stack;
  const bench = new Workbench(cluster.client, signal);
  const context = { bench, signal, clusterPids };
  const turns: Turn[] = [];
  try {
    for (const benchCase of plan.cases) {
      turns.push(...(await runCase(context, engines, benchCase, plan)));
    }
  } finally {
    await bench.close();
  }
  progress.note('');
  return turns;
}

async function runCase(
  context: TurnContext,
  engines: readonly Engine[],
  benchCase: BenchCase,
  { rounds, progress }: BenchPlan,
): Promise<readonly Turn[]> {
  const turns: Turn[] = [];
  const makers = chooseMakers(engines);
  await progress.step(`${benchCase.title}: set up`, async () => {
    for (const maker of makers) await prepareCase(context, benchCase, maker);
  });
  const names = engines.map(({ name }) => name);
  for (const { round, engine: name } of planTurns(benchCase, names, rounds)) {
    const engine = engines.find((one) => one.name === name);
    if (engine === undefined) continue;
    const title = `${benchCase.title}, round ${round}, ${engineTitles[name]}`;
    const turn = await progress.step(title, () => runTurn(context, benchCase, engine, round));
    progress.note(`    ${describeTurn(turn)}`);
    turns.push(turn);
  }
  await progress.step(`${benchCase.title}: clear away`, async () => {
    for (const { workload } of makers) await context.bench.clear(groupOf(benchCase, workload));
  });
  return turns;
}

/** One engine for each kind of workload that is rolled; the built-in one, where it takes part. */
export function chooseMakers(engines: readonly Engine[]): readonly Engine[] {
  const kinds = [...new Set(engines.map(({ workload }) => workload))];
  return kinds.flatMap((kind) => {
    const able = engines.filter(({ workload }) => workload === kind);
    return able.find(({ name }) => name === 'built-in') ?? able.slice(0, 1);
  });
}
