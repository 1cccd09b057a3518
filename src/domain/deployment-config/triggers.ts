/** A tag of an ImageRepository of the config's namespace, or of another one. */
export interface ImageSource {
  readonly namespace: string;
  readonly repository: string;
  readonly tag: string;
}

export interface ImageTrigger {
  readonly source: ImageSource;
  /** Whether a new image makes a new version by itself. */
  readonly automatic: boolean;
  /** Which containers run the image, init containers among them. */
  readonly containerNames: readonly string[];
  /** The image that was filled in last. */
  readonly lastImage?: string;
}

export interface ConfigTriggers {
  /** Whether a change of the template makes a new version by itself. */
  readonly onConfigChange: boolean;
  readonly images: readonly ImageTrigger[];
}

/** Why a version was made; there may be several reasons for one. */
export type Cause =
  | { readonly type: 'ConfigChange' }
  | {
      readonly type: 'ImageChange';
      readonly source: ImageSource;
      readonly containerNames: readonly string[];
      readonly previous?: string;
      readonly image: string;
    }
  | { readonly type: 'Manual'; readonly by?: string; readonly reason?: string };

/** Example: shop/web:latest */
export const formatSource = ({ namespace, repository, tag }: ImageSource): string =>
  `${namespace}/${repository}:${tag}`;

/** What a person reads of the causes. Example: image change of shop/web:latest, config change */
export function describeCauses(causes: readonly Cause[]): string {
  return causes.map(describeCause).join(', ');
}

function describeCause(cause: Cause): string {
  switch (cause.type) {
    case 'ConfigChange':
      return 'config change';
    case 'ImageChange':
      return `image change of ${formatSource(cause.source)}`;
    case 'Manual':
      return cause.by === undefined ? 'manual change' : `manual change by ${cause.by}`;
  }
}
