import { expect, test } from '@jest/globals';

import { buildTestArguments } from '../../conformance/test-command.js';

const build = (focus?: string): readonly string[] =>
  buildTestArguments({ kubeconfig: '/kubeconfig', results: '/results.json', focus });

/** As the test binary would choose them by their names. */
function chooses(args: readonly string[], name: string): boolean {
  const pattern = (flag: string): RegExp =>
    new RegExp(args.find((arg) => arg.startsWith(flag))?.slice(flag.length) ?? '(?!)');
  return pattern('--ginkgo.focus=').test(name) && !pattern('--ginkgo.skip=').test(name);
}

test.each([
  ['[sig-apps] Deployment should run the lifecycle of a Deployment [Conformance]', true],
  ["[sig-apps] Deployment should not disrupt a cloud load-balancer's connectivity", false],
  ['[sig-apps] ReplicaSet should adopt matching pods on creation', false],
  ['[sig-cli] Kubectl logs should work on a Deployment', false],
])('%s: %p', (name, isChosen) => {
  expect(chooses(build(), name)).toBe(isChosen);
});

test('a focus narrows the choice, and never widens it', () => {
  const args = build('rollover|ReplicaSet');
  expect(chooses(args, '[sig-apps] Deployment deployment should support rollover')).toBe(true);
  expect(chooses(args, '[sig-apps] Deployment iterative rollouts should progress')).toBe(false);
  expect(chooses(args, '[sig-apps] ReplicaSet should adopt matching pods')).toBe(false);
});

test('the cluster and the place for the results are named', () => {
  expect(build()).toEqual(
    expect.arrayContaining(['--kubeconfig=/kubeconfig', '--ginkgo.json-report=/results.json']),
  );
});
