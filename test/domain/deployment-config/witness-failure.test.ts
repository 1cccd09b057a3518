import { describe, expect, test } from '@jest/globals';

import type { VersionAction, VersionRunPhase } from '../../../src/domain/deployment-config/plan.js';
import {
  witnessFailure,
  type Witness,
} from '../../../src/domain/deployment-config/witness-failure.js';

const none: Witness = { wasOpen: false, hasFailed: false };
const fails: VersionAction = {
  kind: 'setPhase',
  name: 'web-2',
  uid: 'uid-2',
  from: 'Running',
  to: 'Failed',
};

const see = (...seen: readonly (readonly [VersionRunPhase, ...VersionAction[]])[]): boolean =>
  seen.reduce((known, [phase, ...actions]) => witnessFailure(known, { phase, actions }), none)
    .hasFailed;

describe('a run has seen its version fail', () => {
  test('when it is to write that down', () => {
    expect(see(['Failed', fails])).toBe(true);
    expect(see(['Failed', fails], ['Failed'])).toBe(true);
  });

  test.each(['New', 'Pending', 'Running', 'Paused'] as const)(
    'when it was %s before, though the moment itself was lost',
    (phase) => {
      expect(see([phase], ['Failed'])).toBe(true);
      expect(see([phase], ['Cancelled'])).toBe(true);
    },
  );

  test('but not when it found it like that, or when it went well', () => {
    expect(see(['Failed'], ['Failed'])).toBe(false);
    expect(see(['Cancelled'])).toBe(false);
    expect(see(['New'], ['Running'], ['Complete'])).toBe(false);
    expect(see(['Running'], ['Deleted'])).toBe(false);
  });
});
