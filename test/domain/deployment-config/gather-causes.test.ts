import { expect, test } from '@jest/globals';

import { gatherMs } from '../../../src/domain/deployment-config/gather-causes.js';
import type { Cause } from '../../../src/domain/deployment-config/triggers.js';

const source = { namespace: 'shop', repository: 'web', tag: 'latest' };
const follows = (automatic: boolean, onConfigChange = true) => ({
  onConfigChange,
  images: [{ source, automatic, containerNames: ['web'] }],
});
const edit: Cause = { type: 'ConfigChange' };
const push: Cause = { type: 'ImageChange', source, containerNames: ['web'], image: 'x@sha256:1' };
const both = { latestVersion: 1, triggers: follows(true) };

test('an edit waits for its image, and longer than an image for its edit', () => {
  expect(gatherMs([push], both)).toBe(400);
  expect(gatherMs([edit], both)).toBe(1_500);
});

test.each<[string, readonly Cause[], Parameters<typeof gatherMs>[1]]>([
  ['what is there already', [edit, push], both],
  ['what somebody asks for', [{ type: 'Manual' }, edit], both],
  ['a first version', [edit], { ...both, latestVersion: 0 }],
  ['an edit of what follows no image', [edit], { ...both, triggers: follows(false) }],
  ['an image of what nobody edits', [push], { ...both, triggers: follows(true, false) }],
  ['nothing', [], both],
])('%s need not wait', (_what, causes, config) => {
  expect(gatherMs(causes, config)).toBe(0);
});
