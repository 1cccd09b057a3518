import { expect, test } from '@jest/globals';

import { judgeResults } from '../../conformance/judge-results.js';
import { readResults, type TestResult } from '../../conformance/results.js';

const spec = (over: object): object => ({
  ContainerHierarchyTexts: ['[sig-apps] Deployment'],
  LeafNodeType: 'It',
  LeafNodeText: 'should work',
  State: 'passed',
  RunTime: 1_234_567_890,
  ...over,
});

const report = (specs: readonly object[], over: object = {}): string =>
  JSON.stringify([{ SpecReports: specs, SpecialSuiteFailureReasons: null, ...over }]);

test('tests that were not to be run do not count', () => {
  const text = report([
    spec({}),
    spec({ State: 'skipped' }),
    spec({ State: 'pending' }),
    spec({ LeafNodeType: 'SynchronizedBeforeSuite', ContainerHierarchyTexts: null }),
  ]);
  expect(readResults(text)).toEqual({
    tests: [{ name: '[sig-apps] Deployment should work', passed: true, seconds: 1.235 }],
    otherFailures: [],
  });
});

test('a failure has its reason; so has one before the tests and one of the whole run', () => {
  const text = report(
    [
      spec({ State: 'failed', Failure: { Message: 'it did not' } }),
      spec({ State: 'interrupted' }),
      spec({
        LeafNodeType: 'SynchronizedBeforeSuite',
        State: 'failed',
        Failure: { Message: 'no cluster' },
      }),
    ],
    { SpecialSuiteFailureReasons: ['Suite Timeout Elapsed'] },
  );
  const { tests, otherFailures } = readResults(text);
  expect(tests).toMatchObject([
    { passed: false, failure: 'it did not' },
    { passed: false, failure: 'interrupted' },
  ]);
  expect(otherFailures).toEqual(['Suite Timeout Elapsed', 'SynchronizedBeforeSuite: no cluster']);
});

const ran = (passed: number, failed = 0): readonly TestResult[] => [
  ...Array.from({ length: passed }, () => ({ name: 'a', passed: true, seconds: 1 })),
  ...Array.from({ length: failed }, () => ({ name: 'b', passed: false, seconds: 1 })),
];

const all = { count: 11 };
const some = { count: 1, atLeast: true };

test.each([
  ['all of them', ran(11), all, 0, true, []],
  ['one too few', ran(10), all, 0, false, ['11 tests were expected, and 10 ran']],
  ['one too many', ran(12), all, 0, false, ['11 tests were expected, and 12 ran']],
  ['none', ran(0), all, 0, false, ['11 tests were expected, and 0 ran']],
  ['one failed', ran(10, 1), all, 1, false, []],
  ['a bad exit code', ran(11), all, 1, false, ['the tests ended with exit code 1']],
  ['some that were asked for', ran(2), some, 0, true, []],
  ['a name that none has', ran(0), some, 0, false, ['no test has that name']],
] as const)('%s', (_title, tests, expected, exitCode, passed, reasons) => {
  const verdict = judgeResults({ tests, otherFailures: [] }, expected, exitCode);
  expect(verdict).toMatchObject({ passed, reasons });
});

test('what failed beside the tests is a failure, and the summary counts', () => {
  const results = { tests: ran(11), otherFailures: ['Suite Timeout Elapsed'] };
  expect(judgeResults(results, all, 0)).toEqual({
    passed: false,
    summary: '11 passed, 0 failed',
    reasons: ['Suite Timeout Elapsed'],
  });
});
