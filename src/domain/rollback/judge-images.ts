import type { NeededImage } from './list-images.js';
import type { RollbackProblem, RollbackWarning } from './report.js';

/** What its registry says of an image. */
export type ImageFinding =
  | { readonly kind: 'there' }
  | { readonly kind: 'gone'; readonly registry: string }
  /** It can't be told; `why` is a sentence without its end. */
  | { readonly kind: 'unknown'; readonly why: string };

export interface ImagesJudged {
  readonly problems: readonly RollbackProblem[];
  readonly warnings: readonly RollbackWarning[];
}

/**
 * An image that its registry no longer has makes going back impossible. One that can't be asked for does not:
 * nodes may still have it or know another way to it, and a registry that is away must not be what keeps
 * people from going back.
 */
export function judgeImages(
  images: readonly NeededImage[],
  findings: ReadonlyMap<string, ImageFinding>,
): ImagesJudged {
  const problems: RollbackProblem[] = [];
  const unknown = new Map<string, RollbackWarning>();
  for (const { image, field } of images) {
    const finding = findings.get(image);
    if (finding?.kind === 'gone') {
      const message = `the image ${image} is no longer in its registry, ${finding.registry}`;
      problems.push({ field, message });
    } else if (finding?.kind === 'unknown') {
      const message = `whether it is still there is not known: ${finding.why}`;
      unknown.set(image, { kind: 'NotChecked', object: `Image/${image}`, message });
    }
  }
  return { problems, warnings: [...unknown.values()] };
}
