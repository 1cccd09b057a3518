import { expect, test } from '@jest/globals';

import type { RegistryAnswer } from '../../src/domain/images/registry-answer.js';
import { askTags } from '../../src/registry/ask-tags.js';

const name = { registry: 'quay.io', repository: 'app' };
const found: RegistryAnswer = { kind: 'found', digest: `sha256:${'a'.repeat(64)}` };
const away: RegistryAnswer = { kind: 'unreachable', problem: 'away' };
const tags = Array.from({ length: 20 }, (_, index) => `v${index}`);

async function ask(answerOf: (tag: string) => RegistryAnswer, now?: () => number) {
  const asked: string[] = [];
  let [running, most] = [0, 0];
  const resolveTag = async (_name: unknown, tag: string): Promise<RegistryAnswer> => {
    asked.push(tag);
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    return answerOf(tag);
  };
  const answers = await askTags({ resolveTag }, { name, tags, access: {} }, now);
  return { asked, most, kinds: new Map(answers.map(({ tag, answer }) => [tag, answer.kind])) };
}

test('every tag gets its own answer, a few at a time', async () => {
  const { asked, most, kinds } = await ask((tag) => (tag === 'v3' ? { kind: 'missing' } : found));
  expect(asked).toEqual(tags);
  expect(most).toBe(4);
  expect([...kinds.keys()].sort()).toEqual([...tags].sort());
  expect([...kinds].filter(([, kind]) => kind !== 'found')).toEqual([['v3', 'missing']]);
});

test.each<RegistryAnswer>([away, { kind: 'refused', problem: 'no' }])(
  'who does not answer one does not answer the others: %j',
  async (answer) => {
    const { asked, kinds } = await ask(() => answer);
    expect(asked).toHaveLength(4);
    expect([...kinds.values()]).toEqual(tags.map(() => answer.kind));
  },
);

test('nonsense about one tag says nothing about the others', async () => {
  const { asked } = await ask(() => ({ kind: 'nonsense', problem: 'what?' }));
  expect(asked).toEqual(tags);
});

test('together they have a minute', async () => {
  let nowMs = 0;
  const { asked, kinds } = await ask(
    () => found,
    () => (nowMs += 7_000),
  );
  expect(asked).toHaveLength(8);
  expect(kinds.get('v19')).toBe('unreachable');
});
