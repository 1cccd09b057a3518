import { expect, test } from '@jest/globals';

import { describeCause, readTarget } from '../../../src/client/tree/describe-cause.js';
import { readCauses } from '../../../src/kubernetes/deployment-configs/read-causes.js';
import type { DeploymentCause } from '../../../src/kubernetes/deployment-configs/objects.js';
import { version } from '../support/configs.js';

const from = { kind: 'ImageStreamTag', namespace: 'shop', name: 'web:latest' };

test.each<[object, string]>([
  [{ type: 'ConfigChange' }, 'config change'],
  [{ type: 'Manual' }, 'manual change'],
  [{ type: 'Manual', reason: 'new keys' }, 'manual change (new keys)'],
  [{ type: 'ImageChange', imageTrigger: { from } }, 'image change of shop/web:latest'],
  [{ type: 'Rollback' }, 'rollback'],
  [{ type: 'Rollback', to: 3 }, 'rollback to version 3'],
  [
    { type: 'Rollback', from: 4, to: 3, notes: 'too slow', by: 'ann', config: true },
    'rollback to version 3 (too slow)',
  ],
  [{ type: 'FullMoon' }, 'full moon'],
  [{ type: 'FullMoon', message: 'it shines', to: 'x' }, 'full moon (it shines)'],
  [{ type: 'FullMoon', reason: '', notes: 7 }, 'full moon'],
])('%j is "%s"', (cause, sentence) => {
  expect(describeCause(cause as DeploymentCause)).toBe(sentence);
});

test('the version that was gone back to is a number', () => {
  expect(readTarget({ type: 'Rollback', to: 3 } as DeploymentCause)).toBe(3);
  expect(readTarget({ type: 'Rollback', to: '3' } as DeploymentCause)).toBeUndefined();
  expect(readTarget({ type: 'Manual' })).toBeUndefined();
});

test.each(['spoilt', '{}', '7'])('of %s no causes are read', (text) => {
  expect(readCauses(version(1, { marks: { 'slipway.dev/causes': text } }))).toEqual([]);
});
