import { HttpProblem } from '../problem.js';
import type { Answer, Route } from '../route.js';

export interface ProbeSources {
  readonly isReady: () => boolean;
  /** Prometheus' text format. */
  readonly metrics: () => Promise<string>;
}

const text = (code: number, body: string): Answer => ({ code, body: { text: body } });

/** What probes and Prometheus ask the worker. */
export function probeRoutes({ isReady, metrics }: ProbeSources): readonly Route[] {
  const shared = { method: 'GET', access: 'anyone', isQuiet: true } as const;
  return [
    {
      ...shared,
      path: '/healthz',
      operationId: 'health',
      summary: 'Whether the worker is alive',
      answers: { 200: { description: 'It is.' } },
      handle: () => text(200, 'ok\n'),
    },
    {
      ...shared,
      path: '/readyz',
      operationId: 'readiness',
      summary: 'Whether the worker takes work',
      answers: { 200: { description: 'It does.' } },
      problems: { 503: 'It does not take work yet, or no more.' },
      handle: () => {
        if (isReady()) return text(200, 'ok\n');
        throw new HttpProblem(503, 'not polling yet');
      },
    },
    {
      ...shared,
      path: '/metrics',
      operationId: 'metrics',
      summary: "The worker's metrics, as Prometheus reads them",
      answers: { 200: { description: 'The metrics.' } },
      handle: async () => text(200, await metrics()),
    },
  ];
}
