/** Whether to use colours, by the convention of no-color.org; FORCE_COLOR is for pipes that can. */
export function wantsColour(
  stream: { readonly isTTY?: boolean | undefined },
  environment: Readonly<Record<string, string | undefined>> = process.env,
): boolean {
  if ((environment['NO_COLOR'] ?? '') !== '') return false;
  const forced = environment['FORCE_COLOR'] ?? '';
  if (forced !== '') return forced !== '0';
  return stream.isTTY === true && environment['TERM'] !== 'dumb';
}

/** Whether lines can be drawn over: a terminal that knows how to move its cursor. */
export function canRedraw(
  stream: { readonly isTTY?: boolean | undefined },
  environment: Readonly<Record<string, string | undefined>> = process.env,
): boolean {
  return stream.isTTY === true && environment['TERM'] !== 'dumb';
}
