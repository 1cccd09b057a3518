export const imageRepositoryAnnotations = {
  /** Somebody pushed a tag; JSON with tag, digest and at. */
  pushed: 'slipway.dev/pushed',
} as const;
