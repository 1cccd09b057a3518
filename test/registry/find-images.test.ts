import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

import { expect, test } from '@jest/globals';

import { parseImage } from '../../src/domain/images/parse-image.js';
import type { RegistryAnswer } from '../../src/domain/images/registry-answer.js';
import { findImages, hastyLimits, patientLimits } from '../../src/registry/find-images.js';
import { createRegistryClient, type RegistryAccess } from '../../src/registry/registry-client.js';

const digest = `sha256:${'a'.repeat(64)}`;
const found: RegistryAnswer = { kind: 'found', digest };

async function find(images: readonly string[], answer: RegistryAnswer = found) {
  const asked: string[] = [];
  const accesses: unknown[] = [];
  const client = {
    resolveTag: (name: { repository: string }, tag: string, access?: RegistryAccess) => {
      asked.push(`tag ${name.repository}:${tag}`);
      accesses.push(access);
      return Promise.resolve(answer);
    },
    findDigest: (name: { repository: string }, wanted: string, access?: RegistryAccess) => {
      asked.push(`digest ${name.repository}@${wanted}`);
      accesses.push(access);
      return Promise.resolve(answer);
    },
  };
  const findings = await findImages(client, images, () => Promise.resolve({ insecure: true }));
  return { asked, accesses, findings };
}

test('by digest where there is one, else by tag, else by the usual one', async () => {
  const { asked, findings } = await find([`quay.io/a:1@${digest}`, 'quay.io/b:2', 'nginx']);
  expect(asked).toEqual([`digest a@${digest}`, 'tag b:2', 'tag library/nginx:latest']);
  expect([...findings.values()]).toEqual([{ kind: 'there' }, { kind: 'there' }, { kind: 'there' }]);
});

test('each once', async () => {
  const { asked, findings } = await find(['quay.io/a:1', 'quay.io/a:1']);
  expect(asked).toHaveLength(1);
  expect(findings.size).toBe(1);
});

test('what is missing is gone from its registry, which has to be proven', async () => {
  const { findings, accesses } = await find(['quay.io/a:1', `quay.io/b@${digest}`], {
    kind: 'missing',
  });
  expect(findings.get('quay.io/a:1')).toEqual({ kind: 'gone', registry: 'quay.io' });
  expect(accesses).toEqual([
    { insecure: true, provesMissing: true },
    { insecure: true, provesMissing: true },
  ]);
});

test.each(['refused', 'unreachable', 'nonsense'] as const)(
  'where the answer is %s nothing is known',
  async (kind) => {
    const { findings } = await find(['quay.io/a:1'], { kind, problem: 'why' });
    expect(findings.get('quay.io/a:1')).toEqual({ kind: 'unknown', why: 'why' });
  },
);

test('what is no image is not asked for', async () => {
  const { asked, findings } = await find(['https://quay.io/a']);
  expect(asked).toEqual([]);
  const parsed = parseImage('https://quay.io/a');
  const why = parsed.kind === 'invalid' ? parsed.problem : '';
  expect(findings.get('https://quay.io/a')).toEqual({ kind: 'unknown', why });
});

test('a registry that takes a call and says nothing is given up in time, however many are asked for', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = createRegistryClient({ limits: hastyLimits });
  const startedMs = Date.now();
  try {
    const images = [1, 2, 3, 4, 5, 6].map((number) => `127.0.0.1:${port}/app:${number}`);
    const findings = await findImages(client, images, () => Promise.resolve({ insecure: true }));
    expect(Date.now() - startedMs).toBeLessThan(7_000);
    expect(findings.size).toBe(6);
    for (const finding of findings.values()) {
      expect(finding).toMatchObject({
        kind: 'unknown',
        why: expect.stringContaining(`127.0.0.1:${port} can't be asked about app`),
      });
    }
  } finally {
    await client.close();
    server.close();
  }
}, 15_000);

test('who waits for an answer waits 5 s at most, and who acts upon it has the time to hear it', () => {
  expect([hastyLimits.wholeMs, hastyLimits.silentMs]).toEqual([5_000, 5_000]);
  expect([patientLimits.wholeMs, patientLimits.silentMs]).toEqual([15_000, 15_000]);
});
