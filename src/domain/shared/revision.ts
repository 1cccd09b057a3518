/**
 * A revision is a 64-bit integer, and a number is exact up to 53 bits. A larger one is kept as its
 * digits, so that plans stay plain data.
 */
export type Revision = number | string;

/** Example: "7" -> 7, "3546343826724305832" -> "3546343826724305832" */
export function readRevision(digits: string): Revision {
  return toRevision(BigInt(digits));
}

export function nextRevision(revision: Revision): Revision {
  return toRevision(BigInt(revision) + 1n);
}

/** Negative when the first is the older one. */
export function compareRevisions(a: Revision, b: Revision): number {
  const difference = BigInt(a) - BigInt(b);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

export function highestRevision(revisions: readonly Revision[]): Revision {
  return revisions.reduce(
    (highest, revision) => (compareRevisions(revision, highest) > 0 ? revision : highest),
    0,
  );
}

function toRevision(value: bigint): Revision {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : String(value);
}
