import { describe, expect, test } from '@jest/globals';

import { findDeletions, packetRules } from '../../../src/dev/node/packet-rules.js';

describe('the rules for packets of pods', () => {
  test('concern their bridge alone, and carry the mark of the stack', () => {
    for (const { words } of packetRules('88f0ff56', 22521)) {
      expect(words.slice(0, 2)).toEqual(['-i', 'slip-88f0ff56']);
      expect(words.join(' ')).toContain('--comment slipway-88f0ff56');
    }
  });

  test('lead what is for the service of the apiserver to its port, and nothing else to loopback', () => {
    const text = packetRules('88f0ff56', 22521).map(({ table, words }) => [table, words.join(' ')]);
    expect(text).toEqual([
      ['mangle', expect.stringMatching(/-d 127\.0\.0\.0\/8 .* -j DROP$/)],
      ['nat', expect.stringMatching(/-d 10\.96\.0\.1\/32 .*--dport 443 .*127\.0\.0\.1:22521$/)],
    ]);
  });

  test('are deleted as they are listed, and those of others are not', () => {
    const listing = [
      '-P PREROUTING ACCEPT',
      '-A PREROUTING -d 10.96.0.1/32 -i slip-88f0ff56 -p tcp -m comment --comment "slipway-88f0ff56" -j DNAT --to-destination 127.0.0.1:1',
      '-A PREROUTING -d 10.96.0.1/32 -i slip-88f0ff57 -p tcp -m comment --comment slipway-88f0ff57 -j DNAT --to-destination 127.0.0.1:2',
      '-A PREROUTING -m addrtype --dst-type LOCAL -j DOCKER',
    ].join('\n');
    expect(findDeletions(listing, '88f0ff56').map((words) => words.join(' '))).toEqual([
      '-D PREROUTING -d 10.96.0.1/32 -i slip-88f0ff56 -p tcp -m comment --comment slipway-88f0ff56 -j DNAT --to-destination 127.0.0.1:1',
    ]);
    expect(findDeletions(listing, '00000000')).toEqual([]);
  });
});
