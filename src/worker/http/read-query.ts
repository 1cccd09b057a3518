import { HttpProblem } from './problem.js';

/** The parameters of a URL, none of them unknown and none of them twice: a misspelt one is not passed over. */
export function readQuery(url: string, known: readonly string[]): Readonly<Record<string, string>> {
  const query: Record<string, string> = {};
  const at = url.indexOf('?');
  if (at === -1) return query;
  for (const [name, value] of new URLSearchParams(url.slice(at + 1))) {
    if (!known.includes(name)) {
      const all = known.length === 0 ? 'there are none' : `there is ${known.join(', ')}`;
      throw new HttpProblem(400, `the query has a parameter that is not known here: ${all}`);
    }
    if (name in query) throw new HttpProblem(400, `${name}: is there twice in the query`);
    query[name] = value;
  }
  return query;
}
