/** What a line of the test binary's output says about the course of the run. */
export type TestEvent =
  | { readonly kind: 'planned'; readonly count: number }
  | { readonly kind: 'started'; readonly name: string }
  | { readonly kind: 'ended'; readonly passed: boolean };

const delimiter = /^-{10,}$/;
const plan = /^Will run (\d+) of \d+ specs/;
/** A name, with the labels that Ginkgo adds to it. */
const start = /^(\[sig-[\w-]+\] .*?)(?: \[sig-[^\]]*\])?$/;
/** Example: "• [12.345 seconds]" has passed, "• [FAILED] [12.345 seconds]" has not. */
const end = /^• (?:\[([A-Z]+!?)\] )?\[[\d.]+ seconds\]$/;

/**
 * Reads the output line by line. A test starts where its name follows a delimiter: in the account of a
 * failure the name comes again.
 */
export function createLineReader(): (line: string) => TestEvent | undefined {
  let isAfterDelimiter = false;
  return (line) => {
    const mayStart = isAfterDelimiter;
    isAfterDelimiter = delimiter.test(line);
    const started = mayStart ? start.exec(line) : null;
    if (started !== null) return { kind: 'started', name: started[1] ?? '' };
    const ended = end.exec(line);
    if (ended !== null) return { kind: 'ended', passed: ended[1] === undefined };
    const planned = plan.exec(line);
    return planned === null ? undefined : { kind: 'planned', count: Number(planned[1]) };
  };
}
