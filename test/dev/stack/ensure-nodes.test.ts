import { describe, expect, test } from '@jest/globals';

import { isNodeReady, nodeNames } from '../../../src/dev/stack/ensure-nodes.js';

describe('nodes', () => {
  test('have names that stay the same', () => {
    expect(nodeNames(3)).toEqual(['node-1', 'node-2', 'node-3']);
  });

  test.each([
    ['True', [], true],
    ['True', [{ key: 'node.kubernetes.io/not-ready' }], false],
    ['Unknown', [], false],
  ])('Ready %s with taints %j takes pods: %p', (status, taints, isReady) => {
    expect(
      isNodeReady({
        metadata: { name: 'node-1' },
        spec: { taints },
        status: { conditions: [{ type: 'Ready', status }] },
      }),
    ).toBe(isReady);
  });
});
