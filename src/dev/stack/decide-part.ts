/** What one run of `up` does about a part. */
export type PartDecision =
  | { readonly kind: 'keep' }
  | { readonly kind: 'start' }
  /** It runs, but not as it should now. */
  | { readonly kind: 'replace' };

export function decidePart(
  running: { readonly fingerprint: string } | undefined,
  wantedFingerprint: string,
): PartDecision {
  if (running === undefined) return { kind: 'start' };
  return running.fingerprint === wantedFingerprint ? { kind: 'keep' } : { kind: 'replace' };
}
