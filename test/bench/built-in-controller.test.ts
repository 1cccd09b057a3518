import { describe, expect, it } from '@jest/globals';

import { saysWatching } from '../support/built-in-controller.js';

const begun = 'I1 shared_informer.go:402] "Waiting for caches to sync"';
const done = 'I1 shared_informer.go:409] "Caches are synced"';
const started = 'I1 deployment_controller.go:180] "Starting controller" controller="deployment"';

describe('saysWatching', () => {
  it('when all watches are up to date that were begun, the own ones among them', () => {
    expect(saysWatching([begun, started, begun, done, done, ''].join('\n'))).toBe(true);
  });

  it.each([
    ['nothing was said yet', []],
    ['the controller was not started', [begun, done]],
    ['the own watches were not begun', [begun, done, started]],
    ['one is not up to date', [begun, started, begun, done]],
  ])('not when %s', (_why, lines) => {
    expect(saysWatching(lines.join('\n'))).toBe(false);
  });
});
