const space = /[ \t\n\r]*/y;
/** From the quote to the quote, without signs that have to be escaped. */
const quoted = '"[ !#-[\\]-\\uffff]*(?:\\\\(?:["\\\\/bfnrt]|u[0-9a-fA-F]{4})[ !#-[\\]-\\uffff]*)*"';
const text = new RegExp(quoted, 'y');
const scalar = new RegExp(
  `true|false|null|-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?|${quoted}`,
  'y',
);

/** What may come next. */
type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'comma-or-end' | 'nothing';

/**
 * Where a text stops being JSON, which the engine's own messages do not always tell; undefined where it
 * is JSON throughout. Example: line 3, column 7
 */
export function findJsonFault(json: string): string | undefined {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let at = skip(space, json, 0);
  const afterValue = (): Expected => (open.length === 0 ? 'nothing' : 'comma-or-end');
  while (at < json.length) {
    const sign = json.charAt(at);
    const inside = open.at(-1);
    const isEnd = sign === (inside === '{' ? '}' : ']') && inside !== undefined;
    if (isEnd && ['value-or-end', 'key-or-end', 'comma-or-end'].includes(expected)) {
      open.pop();
      expected = afterValue();
      at += 1;
    } else if (expected === 'comma-or-end' && sign === ',') {
      expected = inside === '{' ? 'key' : 'value';
      at += 1;
    } else if (expected === 'key' || expected === 'key-or-end') {
      const behindKey = skip(space, json, skip(text, json, at));
      if (behindKey === at || json.charAt(behindKey) !== ':') return place(json, behindKey);
      expected = 'value';
      at = behindKey + 1;
    } else if ((sign === '{' || sign === '[') && expected.startsWith('value')) {
      open.push(sign);
      expected = sign === '{' ? 'key-or-end' : 'value-or-end';
      at += 1;
    } else {
      const behind = expected.startsWith('value') ? skip(scalar, json, at) : at;
      if (behind === at) return place(json, at);
      expected = afterValue();
      at = behind;
    }
    at = skip(space, json, at);
  }
  return expected === 'nothing' ? undefined : place(json, at);
}

/** Behind what the pattern matches at that place; the same place where it matches nothing. */
function skip(pattern: RegExp, json: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(json) ? pattern.lastIndex : at;
}

function place(json: string, at: number): string {
  if (at >= json.length) return 'its end, where more is expected';
  const before = json.slice(0, at).split('\n');
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}
