import { describe, expect, test } from '@jest/globals';

import { parseUndoTarget } from '../../src/client/parse-undo-target.js';

describe('parseUndoTarget', () => {
  test('an object alone, and with a revision', () => {
    expect(parseUndoTarget('dc/web')).toMatchObject({ ref: { text: 'dc/web', name: 'web' } });
    expect(parseUndoTarget('dc/web')).not.toHaveProperty('revision');
    expect(parseUndoTarget('dc/web@3')).toMatchObject({ ref: { text: 'dc/web' }, revision: 3 });
    expect(parseUndoTarget('deployment.apps/web@12').revision).toBe(12);
  });

  test('revisions beyond what a number holds stay digits', () => {
    expect(parseUndoTarget('deploy/web@3546343826724305832').revision).toBe('3546343826724305832');
  });

  test.each([
    ['dc/web@', 'KIND/NAME@REVISION: "" in "dc/web@" is no revision of "history"'],
    ['dc/web@0', '"0" in "dc/web@0"'],
    ['dc/web@two', '"two" in "dc/web@two"'],
    ['dc/web@1@2', `"web@1" can't be the name`],
    ['ir/web@1', 'ir/web: "undo" is for Deployments and DeploymentConfigs only'],
  ])('%s is refused', (text, sentence) => {
    expect(() => parseUndoTarget(text)).toThrow(
      expect.objectContaining({ exitCode: 2, message: expect.stringContaining(sentence) }),
    );
  });
});
