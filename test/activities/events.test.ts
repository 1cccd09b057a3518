import { expect, test } from '@jest/globals';

import { EventRecorder, type SizeNote } from '../../src/activities/events.js';
import type { Cluster } from '../../src/kubernetes/connect.js';
import { resources } from '../../src/kubernetes/resources.js';

const web = {
  cluster: 'local',
  type: resources.builtInDeployments,
  object: { metadata: { name: 'web', namespace: 'shop', uid: 'web-uid' } },
};

/** The notes of the events that are sent for these changes of size. */
async function told(changes: readonly SizeNote[]): Promise<string[]> {
  const notes: string[] = [];
  const client = {
    create: (_type: unknown, event: { note: string }) => {
      notes.push(event.note);
      return Promise.resolve(event);
    },
  };
  const recorder = new EventRecorder(
    () => ({ client }) as unknown as Cluster,
    'test',
    () => undefined,
  );
  for (const change of changes) recorder.recordSize(web, change);
  await recorder.flush();
  return notes;
}

const size = (set: string, from: number, to: number): SizeNote => ({ set, from, to });

test('steps of one set in one direction are told as one', async () => {
  expect(await told([size('web-new', 0, 3), size('web-new', 3, 5), size('web-new', 5, 9)])).toEqual(
    ['Scaled up replica set web-new from 0 to 9'],
  );
});

test('sets are told apart', async () => {
  expect(
    await told([
      size('web-new', 0, 3),
      size('web-old', 9, 7),
      size('web-new', 3, 5),
      size('web-old', 7, 0),
    ]),
  ).toEqual([
    'Scaled up replica set web-new from 0 to 5',
    'Scaled down replica set web-old from 9 to 0',
  ]);
});

test.each<[string, SizeNote[]]>([
  ['a turn', [size('web', 0, 3), size('web', 3, 1)]],
  ['a gap that somebody else has made', [size('web', 0, 3), size('web', 4, 5)]],
])('%s ends an event', async (_title, changes) => {
  expect(await told(changes)).toHaveLength(2);
});

test('a note is cut to the bytes that the apiserver takes, in whole characters', async () => {
  const notes: string[] = [];
  const client = {
    create: (_type: unknown, event: { note: string }) => {
      notes.push(event.note);
      return Promise.resolve(event);
    },
  };
  const recorder = new EventRecorder(
    () => ({ client }) as unknown as Cluster,
    'test',
    () => undefined,
  );
  const note = `x${'ä'.repeat(1_000)}`;
  recorder.record(web, { type: 'Warning', reason: 'RolloutFailed', action: 'Fail', note });
  await recorder.flush();
  expect(notes).toEqual([`x${'ä'.repeat(511)}`]);
});
