import { apiserverServiceAddress } from '../stack/commands.js';
import { loopback } from '../stack/ports.js';
import { bridgeName, ruleComment } from './node-network.js';
import { runTool, toolSucceeds } from './run-tool.js';

export interface PacketRule {
  readonly table: 'mangle' | 'nat';
  readonly words: readonly string[];
}

const chain = 'PREROUTING';

/**
 * What pods send to the service "kubernetes" goes to the apiserver, which listens on loopback alone;
 * nothing else on loopback is for them.
 */
export function packetRules(id: string, apiserverPort: number): readonly PacketRule[] {
  const fromPods = ['-i', bridgeName(id)];
  const marked = ['-m', 'comment', '--comment', ruleComment(id)];
  return [
    {
      table: 'mangle',
      words: [...fromPods, '-d', '127.0.0.0/8', ...marked, '-j', 'DROP'],
    },
    {
      table: 'nat',
      words: [
        ...[...fromPods, '-d', `${apiserverServiceAddress}/32`, '-p', 'tcp', '--dport', '443'],
        ...[...marked, '-j', 'DNAT', '--to-destination', `${loopback}:${apiserverPort}`],
      ],
    },
  ];
}

/** Of what `iptables -S` lists, the rules of one stack, as words that delete them. */
export function findDeletions(listing: string, id: string): readonly (readonly string[])[] {
  return listing
    .split('\n')
    .map((line) => line.replaceAll('"', '').trim().split(' '))
    .filter(([verb, of]) => verb === '-A' && of === chain)
    .filter((words) => words[words.indexOf('--comment') + 1] === ruleComment(id))
    .map(([, ...rest]) => ['-D', ...rest]);
}

export async function ensurePacketRules(id: string, apiserverPort: number): Promise<void> {
  const rules = packetRules(id, apiserverPort);
  const there = await Promise.all(
    rules.map(({ table, words }) =>
      toolSucceeds('iptables', inTable(table, ['-C', chain, ...words])),
    ),
  );
  if (there.every(Boolean)) return;
  await removePacketRules(id);
  for (const { table, words } of rules)
    await runTool('iptables', inTable(table, ['-A', chain, ...words]));
}

export async function removePacketRules(id: string): Promise<void> {
  for (const table of ['mangle', 'nat'] as const) {
    const listing = await runTool('iptables', inTable(table, ['-S', chain]));
    for (const words of findDeletions(listing, id))
      await runTool('iptables', inTable(table, words));
  }
}

/** Waits for others that change rules at the same time. */
const inTable = (table: PacketRule['table'], words: readonly string[]): readonly string[] => [
  ...['-w', '10', '-t', table],
  ...words,
];
