/** A number, or why there is none, in a sentence. */
export type QueryAnswer = { readonly value: number } | { readonly problem: string };

const longestQuote = 200;

/** Reads what Prometheus' `/api/v1/query` has answered; it must be exactly one number. */
export function readPrometheusAnswer(host: string, status: number, body: string): QueryAnswer {
  const said = parse(body);
  if (said?.['status'] === 'error') {
    const error = typeof said['error'] === 'string' ? said['error'] : 'it does not say why';
    return { problem: `${host} refuses the query: ${shorten(error)}` };
  }
  if (status !== 200) return { problem: `${host} answers with status ${status}` };
  if (said === undefined) return { problem: `what ${host} answers is not JSON` };
  const { resultType, result } = toRecord(said['data']) ?? {};
  if (said['status'] !== 'success' || resultType === undefined) {
    return { problem: `what ${host} answers is not an answer of Prometheus` };
  }
  if (resultType === 'scalar') return readSample(result);
  if (resultType !== 'vector' || !Array.isArray(result)) {
    return { problem: `the query gives a ${describe(resultType)}, not one number` };
  }
  const samples: readonly unknown[] = result;
  if (samples.length === 0) return { problem: 'the query gives no value' };
  if (samples.length > 1) {
    return { problem: `the query gives ${samples.length} values, not one` };
  }
  return readSample(toRecord(samples[0])?.['value']);
}

/** A time and a number as text. */
function readSample(sample: unknown): QueryAnswer {
  const text: unknown = Array.isArray(sample) ? sample[1] : undefined;
  if (typeof text !== 'string' || text === '') {
    return { problem: 'the query gives something else than a number' };
  }
  const value = Number(text);
  if (Number.isFinite(value)) return { value };
  return { problem: `the query gives ${shorten(text)}, which is no finite number` };
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return toRecord(JSON.parse(text));
  } catch {
    return undefined;
  }
}

const toRecord = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;

const describe = (value: unknown): string =>
  typeof value === 'string' ? shorten(value) : 'thing of no type';

/** Others' words, of which a note has room for some. */
const shorten = (text: string): string =>
  text.length <= longestQuote ? text : `${text.slice(0, longestQuote)}…`;
