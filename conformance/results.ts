import { z } from 'zod';

export interface TestResult {
  readonly name: string;
  readonly passed: boolean;
  readonly seconds: number;
  /** Why it did not pass. */
  readonly failure?: string;
}

export interface Results {
  readonly tests: readonly TestResult[];
  /** What went wrong before or after the tests. */
  readonly otherFailures: readonly string[];
}

const specSchema = z.object({
  ContainerHierarchyTexts: z.array(z.string()).nullish(),
  LeafNodeType: z.string(),
  LeafNodeText: z.string().optional(),
  State: z.string(),
  /** In nanoseconds. */
  RunTime: z.number(),
  Failure: z.object({ Message: z.string() }).optional(),
});
type Spec = z.infer<typeof specSchema>;

const reportsSchema = z.array(
  z.object({
    SpecReports: z.array(specSchema).nullish(),
    SpecialSuiteFailureReasons: z.array(z.string()).nullish(),
  }),
);

/** Reads what Ginkgo has written about a run, in which most tests were not even to be run. */
export function readResults(text: string): Results {
  const reports = reportsSchema.parse(JSON.parse(text));
  const specs = reports
    .flatMap((report) => report.SpecReports ?? [])
    .filter(({ State: state }) => state !== 'skipped' && state !== 'pending');
  const others = specs.filter((spec) => !isTest(spec) && !hasPassed(spec));
  return {
    tests: specs.filter(isTest).map(readTest),
    otherFailures: [
      ...reports.flatMap((report) => report.SpecialSuiteFailureReasons ?? []),
      ...others.map((spec) => `${spec.LeafNodeType}: ${describeFailure(spec)}`),
    ],
  };
}

function readTest(spec: Spec): TestResult {
  const names = [...(spec.ContainerHierarchyTexts ?? []), spec.LeafNodeText ?? ''];
  const passed = hasPassed(spec);
  return {
    name: names.join(' '),
    passed,
    seconds: Math.round(spec.RunTime / 1e6) / 1e3,
    ...(passed ? {} : { failure: describeFailure(spec) }),
  };
}

const isTest = (spec: Spec): boolean => spec.LeafNodeType === 'It';
const hasPassed = (spec: Spec): boolean => spec.State === 'passed';
const describeFailure = (spec: Spec): string => spec.Failure?.Message ?? spec.State;
