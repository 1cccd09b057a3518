import { describe, expect, test } from '@jest/globals';

import { paintLine } from '../../../src/client/output/line.js';
import { renderReport } from '../../../src/client/rollback/render-report.js';
import type { ConfigReport } from '../../../src/domain/rollback/report.js';

const report = (rest: Partial<ConfigReport>): ConfigReport => ({
  name: 'web',
  from: 5,
  to: 3,
  changes: [],
  problems: [],
  warnings: [],
  ...rest,
});

const render = (...configs: ConfigReport[]): string =>
  renderReport({ configs })
    .map((line) => paintLine(line, { colour: false }))
    .join('\n');

describe('renderReport', () => {
  test('changes by area, then what may break, then what keeps it from being done', () => {
    const field = 'spec.template.spec.containers[web]';
    const text = render(
      report({
        changes: [
          { area: 'images', field: `${field}.image`, from: 'web:2', to: 'web:1' },
          { area: 'env', field: `${field}.env[A]`, to: '1' },
          { area: 'env', field: `${field}.env[B]`, from: '2' },
          { area: 'labels', field: 'metadata.labels.tier', from: 'a', to: 'b' },
          { area: 'labels', field: 'spec.template.metadata.labels.tier', from: 'a', to: 'b' },
          { area: 'replicas', field: 'spec.replicas', from: '4', to: '2' },
        ],
        warnings: [
          { kind: 'ServicePort', object: 'Service/web', message: 'its port 80 sends nowhere' },
        ],
        problems: [{ field: `${field}.image`, message: 'the image is gone' }],
      }),
    );
    expect(text).toBe(`dc/web: version 5 would go back to version 3
  images
  - containers[web].image: web:2
  + containers[web].image: web:1
  env
  + containers[web].env[A]: 1
  - containers[web].env[B]: 2
  replicas
  - replicas: 4
  + replicas: 2
  labels
  - metadata.labels.tier: a
  + metadata.labels.tier: b
  - template.metadata.labels.tier: a
  + template.metadata.labels.tier: b
  ! Service/web: its port 80 sends nowhere
  ✗ spec.template.spec.containers[web].image: the image is gone

It can't be done: 1 problem, with 1 warning.`);
  });

  test('a config that has nothing to go back to', () => {
    const problems = [{ field: 'release', message: 'there is none' }];
    expect(render(report({ from: 1, to: 0, problems }))).toBe(
      "dc/web\n  ✗ release: there is none\n\nIt can't be done: 1 problem.",
    );
  });

  test('several, of which one would stay what it is', () => {
    const warnings = [1, 2].map((number) => ({
      kind: 'HookSince' as const,
      object: `ReplicationController/db-${number}`,
      message: 'it has run',
    }));
    expect(render(report({}), report({ name: 'db', warnings })))
      .toBe(`dc/web: version 5 would go back to version 3
  nothing would change but the number of its version

dc/db: version 5 would go back to version 3
  nothing would change but the number of its version
  ! ReplicationController/db-1: it has run
  ! ReplicationController/db-2: it has run

It can be done, with 2 warnings.`);
  });

  test('in colour, what goes is red and what comes is green', () => {
    const changes = [{ area: 'replicas' as const, field: 'spec.replicas', from: '4', to: '2' }];
    const painted = renderReport({ configs: [report({ changes })] }).map((line) =>
      paintLine(line, { colour: true }),
    );
    expect(painted).toContain('\u001b[31m  - replicas: 4\u001b[0m');
    expect(painted).toContain('\u001b[32m  + replicas: 2\u001b[0m');
  });

  test('what a manifest says can not move the cursor', () => {
    const changes = [{ area: 'env' as const, field: 'spec.x', to: 'a\u001b[2Jb\nc' }];
    expect(render(report({ changes }))).toContain('  + x: a [2Jb c');
  });
});
