import { describe, expect, test } from '@jest/globals';

import { requireVersion } from '../../../src/client/install/check-version.js';
import { CommandFailure, exitCodes } from '../../../src/client/failure.js';

const version = (major: string, minor: string): Parameters<typeof requireVersion>[0] => ({
  major,
  minor,
  gitVersion: `v${major}.${minor}.0`,
});

describe('requireVersion', () => {
  test.each([
    ['1', '31'],
    ['1', '31+'],
    ['1', '36'],
    ['2', '0'],
  ])('takes Kubernetes %s.%s', (major, minor) => {
    expect(() => {
      requireVersion(version(major, minor));
    }).not.toThrow();
  });

  test.each([
    ['1', '30+'],
    ['1', '9'],
    ['', ''],
  ])('refuses Kubernetes %s.%s as bad input', (major, minor) => {
    let failure: unknown;
    try {
      requireVersion(version(major, minor));
    } catch (error) {
      failure = error;
    }
    expect(failure).toBeInstanceOf(CommandFailure);
    expect((failure as CommandFailure).exitCode).toBe(exitCodes.badInput);
    expect((failure as CommandFailure).message).toContain('needs 1.31 or later');
  });
});
