import type { Results } from './results.js';

export interface Verdict {
  readonly passed: boolean;
  /** Example: 11 passed, 0 failed */
  readonly summary: string;
  /** Why it is not a pass, beside the tests that failed. */
  readonly reasons: readonly string[];
}

/** A run is a pass only when every expected test has run: one that ran none has shown nothing. */
export function judgeResults(
  { tests, otherFailures }: Results,
  expected: { readonly count: number; readonly atLeast?: boolean },
  exitCode: number | null,
): Verdict {
  const passed = tests.filter((test) => test.passed).length;
  const failed = tests.length - passed;
  const isWhole =
    expected.atLeast === true ? tests.length >= expected.count : tests.length === expected.count;
  const reasons = [
    ...otherFailures,
    ...(isWhole ? [] : [describeCount(expected, tests.length)]),
    // Whatever the test binary holds against the run, even where every test has passed.
    ...(failed === 0 && exitCode !== 0 ? [`the tests ended with exit code ${exitCode}`] : []),
  ];
  return {
    passed: failed === 0 && reasons.length === 0,
    summary: `${passed} passed, ${failed} failed`,
    reasons,
  };
}

function describeCount(
  { count, atLeast }: { readonly count: number; readonly atLeast?: boolean },
  ran: number,
): string {
  if (atLeast === true && ran === 0) return 'no test has that name';
  return `${count} tests were expected, and ${ran} ran`;
}
