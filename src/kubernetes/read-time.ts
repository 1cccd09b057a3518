/** A time as the API writes it, in milliseconds; undefined for one that is missing or can't be read. */
export function readTime(text: string | null | undefined): number | undefined {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}
