import { expect, test } from '@jest/globals';

import { findRisks } from '../../../src/domain/rollback/find-risks.js';
import { goBack, standBeside } from './support/configs.js';

test('each kind of risk, with all that go back judged as they will be', () => {
  const labels = { 'app.kubernetes.io/part-of': 'shop' };
  const ports = [{ name: 'http', containerPort: 8080 }];
  const web = goBack(
    { labels, env: { A: '2', B: '2' }, podLabels: { app: 'web' }, container: { ports } },
    {
      labels,
      env: { A: '1', B: '1' },
      podLabels: { app: 'web' },
      pod: { serviceAccountName: 'robot' },
    },
    {
      versions: [
        {
          name: 'web-2',
          version: 2,
          hooks: [{ moment: 'pre', command: ['migrate'], phase: 'Succeeded', ended: 1 }],
        },
      ],
    },
  );
  const db = goBack(
    { name: 'db', labels, env: { A: '2' } },
    { name: 'db', labels, env: { A: '1' } },
  );
  const surroundings = {
    neighbours: [standBeside({ name: 'cache', labels, env: { B: '2' } })],
    services: [
      {
        name: 'web',
        selector: { app: 'web' },
        ports: [{ port: 80, protocol: 'TCP', targetPort: 'http' }],
      },
    ],
    existing: [],
  };
  const risks = findRisks(web, [web, db], surroundings);
  expect(risks.map(({ kind, object }) => [kind, object])).toEqual([
    ['Environment', 'DeploymentConfig/cache'],
    ['ServicePort', 'Service/web'],
    ['MissingReference', 'ServiceAccount/robot'],
    ['HookSince', 'ReplicationController/web-2'],
  ]);
  expect(findRisks(db, [web, db], surroundings)).toEqual([]);
});
