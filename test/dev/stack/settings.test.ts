import { describe, expect, test } from '@jest/globals';

import { expectedParts } from '../../../src/dev/stack/parts.js';
import { decideSettings } from '../../../src/dev/stack/settings.js';

const plain = { dropIn: false, nodes: 10, worker: true, unsafeNoFsync: false };

describe('the settings of a stack', () => {
  test('are the usual ones when nothing is said', () => {
    expect(decideSettings({ nodes: undefined }, undefined, {})).toEqual(plain);
  });

  test('are nothing else that a caller happens to pass along', () => {
    const options = { nodes: 3, progress: {}, signal: new AbortController().signal };
    expect(decideSettings(options, undefined, {})).toEqual({ ...plain, nodes: 3 });
  });

  test('stay those of the stack that is up where nothing is said', () => {
    const current = { ...plain, dropIn: true, nodes: 3, worker: false };
    expect(decideSettings({}, current, {})).toEqual(current);
    expect(decideSettings({ worker: true, dropIn: false }, current, {})).toEqual({
      ...current,
      worker: true,
      dropIn: false,
    });
  });

  test('a context alone is looked for where kubectl looks', () => {
    const settings = decideSettings({ context: 'prod' }, undefined, { HOME: '/home/u' });
    expect(settings).toEqual({ ...plain, kubeconfig: '/home/u/.kube/config', context: 'prod' });
    expect(
      decideSettings({ context: 'prod' }, undefined, { KUBECONFIG: '/a', HOME: '/home/u' }),
    ).toMatchObject({ kubeconfig: '/a' });
  });

  test('another kubeconfig does not keep the former context', () => {
    const current = { ...plain, kubeconfig: '/a', context: 'staging' };
    expect(decideSettings({ kubeconfig: '/b' }, current, {})).toEqual({
      ...plain,
      kubeconfig: '/b',
    });
  });

  test.each([
    [{ nodes: 0 }, 'nodes: 0 is not a whole number between 1 and 1000'],
    [{ nodes: 1.5 }, 'nodes: 1.5 is not a whole number between 1 and 1000'],
    [
      { temporalAddress: 'http://x' },
      'temporal: "http://x" is not an address such as 127.0.0.1:7233',
    ],
    [
      { realNode: true, kubeconfig: '/a' },
      'real-node: it joins the local cluster, and this stack uses one of yours',
    ],
    [{ context: 'x' }, 'kubeconfig: $KUBECONFIG names several files; choose one with --kubeconfig'],
  ])('%j is refused: %s', (requested, message) => {
    expect(() => decideSettings(requested, undefined, { KUBECONFIG: '/a:/b' })).toThrow(message);
  });
});

describe('the parts of a stack', () => {
  test.each([
    ['everything', {}, 7],
    ['without a worker', { worker: false }, 6],
    ['own Temporal', { temporalAddress: 'x:1' }, 6],
    ['with a real node', { realNode: true }, 8],
  ])('%s', (_title, over, count) => {
    expect(expectedParts({ ...plain, ...over })).toHaveLength(count);
  });

  test('with an own cluster no control plane is started', () => {
    expect(expectedParts({ ...plain, kubeconfig: '/a' })).toEqual(['temporal', 'worker']);
  });
});
