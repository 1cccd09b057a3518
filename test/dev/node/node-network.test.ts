import { describe, expect, test } from '@jest/globals';

import {
  bridgeHardwareAddress,
  bridgeName,
  chooseNetwork,
  networkOf,
  nodeAddress,
  nodeAddresses,
  nodeId,
} from '../../../src/dev/node/node-network.js';

describe('the traces of a stack on its machine', () => {
  test('are those of its folder, in names that the kernel takes', () => {
    const [one, other] = [nodeId('/work/a/.slipway'), nodeId('/work/b/.slipway')];
    expect(one).not.toBe(other);
    expect(nodeId('/work/a/.slipway')).toBe(one);
    expect(bridgeName(one).length).toBeLessThanOrEqual(15);
  });

  test('a hardware address is one of those that nobody has bought', () => {
    expect(bridgeHardwareAddress('88f0ff56')).toBe('02:53:88:f0:ff:56');
  });
});

describe('the network of the pods', () => {
  const first = chooseNetwork('00000003', undefined, []);

  test('starts somewhere else for each stack', () => {
    expect(first).toBe('10.97.3.0/24');
    expect(chooseNetwork('00000043', undefined, [])).toBe('10.97.3.0/24');
    expect(chooseNetwork('0000003f', undefined, [])).toBe('10.97.63.0/24');
  });

  test.each([
    ['another stack', ['10.97.3.0/24'], '10.97.4.0/24'],
    ['one address of it', ['10.97.3.17'], '10.97.4.0/24'],
    ['a larger one around it', ['10.97.0.0/21'], '10.97.8.0/24'],
    [
      'the whole rest',
      ['10.97.3.0/24', '10.97.4.0/22', '10.97.8.0/21', '10.97.16.0/20'],
      '10.97.32.0/24',
    ],
    ['nobody, for the way to everywhere', ['default', '0.0.0.0/0'], '10.97.3.0/24'],
    ['nobody near', ['10.96.0.0/16', '192.168.1.0/24'], '10.97.3.0/24'],
  ])('that has %s is passed over', (_whose, routes, expected) => {
    expect(chooseNetwork('00000003', undefined, routes)).toBe(expected);
  });

  test('is that of the last time where it is free', () => {
    expect(chooseNetwork('00000003', '10.97.9.0/24', [])).toBe('10.97.9.0/24');
    expect(chooseNetwork('00000003', '10.97.9.0/24', ['10.97.9.0/24'])).toBe('10.97.3.0/24');
    expect(chooseNetwork('00000003', '192.168.0.0/24', [])).toBe('10.97.3.0/24');
  });

  test('is none when all are taken', () => {
    expect(chooseNetwork('00000003', undefined, ['10.0.0.0/8'])).toBeUndefined();
  });

  test('has an address for the node, by which it is found again', () => {
    expect(nodeAddress('10.97.3.0/24')).toBe('10.97.3.1');
    expect(networkOf('10.97.3.1')).toBe('10.97.3.0/24');
    expect(networkOf('10.97.3.2')).toBeUndefined();
    expect(nodeAddresses).toHaveLength(64);
  });
});
