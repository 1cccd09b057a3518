/** Byte order, so that output doesn't change with the user's language. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
