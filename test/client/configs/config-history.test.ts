import { expect, test } from '@jest/globals';

import { renderVersions } from '../../../src/client/configs/config-history.js';
import { describeVersion } from '../../../src/client/tree/describe-version.js';
import { version } from '../support/configs.js';

const nowMs = Date.parse('2026-01-01T00:02:00Z');

test('versions with how long they took, why they were made, and why they failed', () => {
  const started = { 'slipway.dev/started-at': '2026-01-01T00:00:10Z' };
  const manual = { details: { causes: [{ type: 'Manual', by: 'ann', reason: 'new\nkeys' }] } };
  const from = { kind: 'ImageStreamTag', namespace: 'shop', name: 'web:latest' };
  const image = { details: { causes: [{ type: 'ImageChange', imageTrigger: { from } }] } };
  const entries = [
    version(3, { phase: 'Running', status: manual, marks: started, ready: 1 }),
    version(2, {
      phase: 'Failed',
      status: image,
      ready: 0,
      marks: {
        ...started,
        'slipway.dev/ended-at': '2026-01-01T00:00:40Z',
        'openshift.io/deployment.cancelled': 'true',
        'openshift.io/deployment.status-reason': 'cancelled by\nann',
      },
    }),
    version(1, { marks: { 'slipway.dev/causes': 'spoilt' } }),
  ].map((controller) => describeVersion(controller, 3));
  expect(renderVersions(entries, nowMs)).toEqual([
    'VERSION   PHASE       AGE   TOOK    READY   IMAGES   CAUSE                             BY    REASON',
    '3 *       Running     2m    1m50s   1/1     web:1    manual change (new keys)          ann   -',
    '2         Cancelled   2m    30s     0/0     web:1    image change of shop/web:latest   -     cancelled by ann',
    '1         Complete    2m    -       4/4     web:1    -                                 -     -',
  ]);
  expect(renderVersions([], nowMs)).toEqual(['There are no versions yet.']);
});
