import { describe, expect, test } from '@jest/globals';

import type {
  DeploymentConfig,
  RollbackBlock,
} from '../../../src/kubernetes/deployment-configs/objects.js';
import {
  asksFor,
  findWriter,
  readBlock,
} from '../../../src/kubernetes/deployment-configs/read-block.js';
import { config } from '../../client/support/configs.js';

const written = (rollback: RollbackBlock | null, subresource?: string): DeploymentConfig => {
  const base = config({});
  const fields = { manager: 'kubectl-patch', fieldsV1: { 'f:rollback': {} } };
  const managedFields = [
    { manager: 'kubectl-create', fieldsV1: { 'f:spec': {} } },
    subresource === undefined ? fields : { ...fields, subresource },
  ];
  return { ...base, metadata: { ...base.metadata, managedFields }, rollback };
};

describe('a block', () => {
  const whole = { config: true, application: true };

  test('is none where nothing is written', () => {
    expect(readBlock(config({}))).toBeUndefined();
    expect(readBlock(written(null))).toBeUndefined();
  });

  test('tells who asks, where it says so', () => {
    const wish = { ...whole, release: 1, by: 'ann' };
    expect(readBlock(written({ release: 'web-1', by: 'ann' }))).toEqual({ kind: 'wish', wish });
  });

  test('tells nothing of who asks, where it does not say so: the program that wrote it is known', () => {
    expect(readBlock(written({}))).toEqual({ kind: 'wish', wish: whole });
    expect(readBlock(written({ by: '' }))).toEqual({ kind: 'wish', wish: whole });
    expect(findWriter(written({}))).toBe('kubectl-patch');
    expect(findWriter(written({}, 'status'))).toBeUndefined();
  });

  test('is the same wish, whoever asks and by whichever program', () => {
    expect(asksFor(written({ release: 'web-1' }), { ...whole, release: 1, by: 'ann' })).toBe(true);
    expect(asksFor(written({ release: 'web-2' }), { ...whole, release: 1 })).toBe(false);
  });

  test('that can not be understood is no wish', () => {
    expect(readBlock(written({ release: 'other-1' }))).toMatchObject({ kind: 'problems' });
    expect(asksFor(written({ release: 'other-1' }), whole)).toBe(false);
  });
});
