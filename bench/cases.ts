interface CaseSize {
  readonly deployments: number;
  readonly podsEach: number;
}

export type BenchCase = CaseSize & { readonly name: CaseName; readonly title: string } & (
    | {
        readonly kind: 'rollout';
        /** Short ones are repeated, because starting an engine takes longer than they do. */
        readonly rolloutsPerTurn: number;
      }
    | { readonly kind: 'idle'; readonly windowSeconds: number }
  );

export const caseNames = ['1x100', '50x10', '1x1000', '300-idle'] as const;

export type CaseName = (typeof caseNames)[number];

export const cases: readonly BenchCase[] = [
  {
    name: '1x100',
    title: '1 Deployment × 100 pods',
    kind: 'rollout',
    deployments: 1,
    podsEach: 100,
    rolloutsPerTurn: 3,
  },
  {
    name: '50x10',
    title: '50 Deployments × 10 pods at once',
    kind: 'rollout',
    deployments: 50,
    podsEach: 10,
    rolloutsPerTurn: 1,
  },
  {
    name: '1x1000',
    title: '1 Deployment × 1,000 pods',
    kind: 'rollout',
    deployments: 1,
    podsEach: 1_000,
    rolloutsPerTurn: 1,
  },
  {
    name: '300-idle',
    title: '300 idle Deployments',
    kind: 'idle',
    deployments: 300,
    podsEach: 1,
    windowSeconds: 15,
  },
];
