/** Who did something, and why. Example: cancelled by ann: wrong image */
export function describeWish(
  what: string,
  { by, reason }: { readonly by?: string | undefined; readonly reason?: string | undefined },
): string {
  const who = by === undefined ? '' : ` by ${by}`;
  return `${what}${who}${reason === undefined || reason === '' ? '' : `: ${reason}`}`;
}
