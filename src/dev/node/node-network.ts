import { createHash } from 'node:crypto';

/** As the cluster knows it. */
export const realNodeName = 'real-1';

/** One of these belongs to the pods of each stack's real node. */
const networkCount = 64;
const networkAt = (index: number): string => `10.97.${index}.0/24`;
const networks = Array.from({ length: networkCount }, (_, index) => networkAt(index));

/** The first address of a network is the node's own, on its bridge, and the pods' way out. */
export const nodeAddress = (network: string): string => network.replace(/\.0\/24$/, '.1');

/** Each that the node of a stack may have, and so all that its certificate must name. */
export const nodeAddresses: readonly string[] = networks.map(nodeAddress);

/** What tells a stack's traces on this machine from those of others: where its state is. */
export function nodeId(stateFolder: string): string {
  return createHash('sha256').update(stateFolder).digest('hex').slice(0, 8);
}

/** Names of interfaces have 15 characters at most. */
export const bridgeName = (id: string): string => `slip-${id}`;

/** By which the rules of a stack are found again. */
export const ruleComment = (id: string): string => `slipway-${id}`;

/** Unchanging, so that the pods' notes of who has which address stay true when others come and go. */
export const bridgeHardwareAddress = (id: string): string =>
  ['02', '53', ...(id.match(/../g) ?? [])].join(':');

/** A network that nobody on this machine has a route to; undefined when all are taken. */
export function chooseNetwork(
  id: string,
  earlier: string | undefined,
  routes: readonly string[],
): string | undefined {
  const first = Number.parseInt(id, 16) % networkCount;
  const inTurn = [...networks.slice(first), ...networks.slice(0, first)];
  const isKnown = earlier !== undefined && networks.includes(earlier);
  return [...(isKnown ? [earlier] : []), ...inTurn].find(
    (network) => !routes.some((route) => overlap(network, route)),
  );
}

/** The network of ours that an address such as 10.97.3.1 is the node's of. */
export const networkOf = (address: string): string | undefined =>
  networks.find((network) => nodeAddress(network) === address);

function overlap(one: string, other: string): boolean {
  const first = parseNetwork(one);
  const second = parseNetwork(other);
  if (first === undefined || second === undefined) return false;
  const size = Math.max(first.size, second.size);
  return Math.floor(first.start / size) === Math.floor(second.start / size);
}

/** Undefined for the default route, which overlaps with everything and keeps nobody from anything. */
function parseNetwork(text: string): { start: number; size: number } | undefined {
  const [, address = '', bits = '32'] = /^(\d+\.\d+\.\d+\.\d+)(?:\/(\d+))?$/.exec(text) ?? [];
  if (address === '' || bits === '0') return undefined;
  const start = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  return { start, size: 2 ** (32 - Number(bits)) };
}
