import { describe, expect, test } from '@jest/globals';

import { configAnnotations } from '../../../src/kubernetes/deployment-configs/annotations.js';
import {
  findPendingRollback,
  readRequest,
} from '../../../src/kubernetes/deployment-configs/read-request.js';
import {
  areTriggersHeld,
  readSuspension,
} from '../../../src/kubernetes/deployment-configs/suspension.js';
import { config } from '../../client/support/configs.js';

const request = (written: unknown): Record<string, string> => ({
  [configAnnotations.request]: typeof written === 'string' ? written : JSON.stringify(written),
});
const read = (written: unknown) => readRequest(config({ annotations: request(written) }));
const rollback = { from: 2, to: 1, config: true, application: true, notes: 'oops', run: 'r' };

describe('a request', () => {
  test('is read with all that it says', () => {
    const written = {
      version: 3,
      by: 'ann',
      reason: 'x',
      keepsImages: true,
      resumesTriggers: true,
    };
    expect(read(written)).toEqual(written);
    expect(read({ version: 3, rollback })).toEqual({ version: 3, rollback });
    const keeping = { ...rollback, keepsReplicas: true, manager: 'kubectl-patch' };
    expect(read({ version: 3, rollback: keeping })).toEqual({ version: 3, rollback: keeping });
  });

  test('has nothing that is not understood', () => {
    expect(read({ version: 3, by: 1, keepsImages: 'yes', rollback: { to: 1 }, more: 1 })).toEqual({
      version: 3,
    });
  });

  test.each(['', '3', 'null', '[]', '{}', '{"version":0}', '{"version":1.5}'])(
    'is none when it is %p',
    (text) => {
      expect(read(text)).toBeUndefined();
    },
  );
});

describe('a suspension', () => {
  const spec = { triggersSuspended: true };

  test('is by the rollback that is asked for', () => {
    const annotations = request({ version: 3, by: 'ann', rollback });
    expect(readSuspension(config({ spec, annotations }))).toEqual({
      name: 'web',
      rollback: { ...rollback, by: 'ann' },
    });
  });

  test('is by the rollback that the latest version came of', () => {
    const details = { causes: [{ type: 'Rollback', by: 'bob', rollback }] };
    expect(readSuspension(config({ spec, status: { details } }))).toEqual({
      name: 'web',
      rollback: { ...rollback, by: 'bob' },
    });
  });

  test('is by hand, or there is none', () => {
    expect(readSuspension(config({ spec }))).toEqual({ name: 'web' });
    expect(readSuspension(config({ annotations: request({ version: 3, rollback }) }))).toBe(
      undefined,
    );
  });

  test('holds triggers as a wish to go back does, until that is met', () => {
    expect(areTriggersHeld(config({ spec }))).toBe(true);
    expect(areTriggersHeld({ ...config(), rollback: {} })).toBe(true);
    expect(areTriggersHeld({ ...config(), rollback: null })).toBe(false);
    expect(areTriggersHeld(config())).toBe(false);
  });
});

test('a rollback is pending until its version has come', () => {
  const annotations = request({ version: 3, rollback });
  const pending = (latestVersion: number, written = annotations) =>
    findPendingRollback({ ...config({ annotations: written }), status: { latestVersion } });
  expect(pending(2)).toEqual(rollback);
  expect(pending(3)).toBeUndefined();
  expect(pending(2, request({ version: 3 }))).toBeUndefined();
  expect(pending(2, {})).toBeUndefined();
});
