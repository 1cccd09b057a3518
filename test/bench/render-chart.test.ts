import { describe, expect, it } from '@jest/globals';

import { escapeText, renderChart } from '../../bench/render-chart.js';
import { summarise } from '../../bench/summarise.js';
import type { Surroundings } from '../../bench/surroundings.js';
import type { Turn } from '../../bench/turn.js';
import { idleTurn, rolloutTurn } from './support/turns.js';

const surroundings: Surroundings = {
  measuredAt: '2026-11-16T12:00:00.000Z',
  cores: 2,
  processor: 'A <fast> one',
  memoryGigabytes: 25,
  versions: {
    slipway: '0.1.0',
    kubernetes: '1.36.3',
    argoRollouts: '1.10.1',
    temporal: '1.5.1',
    node: '20.20.2',
  },
};

const turns: readonly Turn[] = [
  rolloutTurn('slipway', 1, [2.5], { peakBytes: { engine: 231e6, temporal: 140e6 } }),
  rolloutTurn('built-in', 1, [2]),
  rolloutTurn('slipway', 1, [30], {
    case: '1x1000',
    peakBytes: { engine: 300e6, temporal: 150e6 },
  }),
  idleTurn('slipway', { cpuSeconds: { engine: 0.15, temporal: 0.6 }, openRuns: 0 }),
];

const draw = (some: readonly Turn[]): string => renderChart(summarise(some), surroundings);

/** The lengths of the bars of one colour, from top to bottom. */
const lengths = (picture: string, colour: string): number[] =>
  [...picture.matchAll(/width="([\d.]+)" height="18" rx="2" fill="(#\w+)"/g)]
    .filter(([, , fill]) => fill === colour)
    .map(([, length]) => Number(length));

describe('renderChart', () => {
  const picture = draw(turns);

  it('has a background of its own', () => {
    expect(picture).toMatch(/^<svg [^>]+>\n<rect [^>]*fill="#fbfcfe"/);
  });

  it('draws lengths that stand in the ratio of what was measured', () => {
    const [slipway = 0] = lengths(picture, '#0b7285');
    const [builtIn = 0] = lengths(picture, '#7b8794');
    expect(slipway / builtIn).toBeCloseTo(1.25, 2);
  });

  it('has a panel for each case, for the highest memory of all rollouts, and for idling', () => {
    const titles = [...picture.matchAll(/font-size="14"[^>]*>([^<]+)</g)].map(([, text]) => text);
    expect(titles).toEqual([
      '1 Deployment × 100 pods',
      '1 Deployment × 1,000 pods',
      'Peak memory in these rollouts',
      '300 idle Deployments',
    ]);
    expect(picture).toContain('>worker 300 MB, Temporal 150 MB<');
    expect(picture).toContain('>1.25× built-in<');
    expect(picture).toContain('CPU 1.0 % + Temporal 4.0 %, 0 open runs');
  });

  it('says on what it was measured, as text and not as markup', () => {
    expect(picture).toContain('2 cores (A &lt;fast&gt; one), 25 GB, 2026-11-16');
    expect(picture).toContain('Argo Rollouts 1.10.1');
  });

  it('keeps all bars inside of the picture', () => {
    const [, width] = /viewBox="0 0 (\d+) /.exec(picture) ?? [];
    for (const [, left, length] of picture.matchAll(/<rect x="([\d.]+)" [^>]*?width="([\d.]+)"/g)) {
      expect(Number(left) + Number(length)).toBeLessThanOrEqual(Number(width));
    }
  });

  it('draws a part of a bench, too', () => {
    expect(draw([rolloutTurn('argo', 1, [2], { peakBytes: null })])).toContain('Argo Rollouts');
  });
});

describe('escapeText', () => {
  it('leaves nothing that a reader of XML would stumble over', () => {
    expect(escapeText('a & b < c > d')).toBe('a &amp; b &lt; c &gt; d');
  });
});
