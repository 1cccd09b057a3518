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
  | { readonly type: 'Manual'; readonly by?: string; readonly reason?: string }
  | ({ readonly type: 'Rollback'; readonly by?: string } & RollbackNotes);

/** What is kept of a rollback with the version that it makes. */
export interface RollbackNotes {
  /** The version that it goes back from, and the one that it goes back to. */
  readonly from: number;
  readonly to: number;
  /** Which parts of that go back. */
  readonly config: boolean;
  readonly application: boolean;
  readonly keepsReplicas?: boolean;
  /** Why, in the words of whoever asked. */
  readonly notes?: string;
  /** The program that asked, where it did not say for whom. */
  readonly manager?: string;
  /** The run that wrote it, by which that knows it again. */
  readonly run?: string;
}

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
    case 'Rollback': {
      const { notes } = cause;
      return `${describeAsked(cause)}${notes === undefined ? '' : `: ${notes}`}`;
    }
  }
}

/** Example: rollback from version 2 to version 1 by ann */
export function describeAsked(rollback: RollbackNotes & { readonly by?: string }): string {
  const { manager, by = manager } = rollback;
  return `${describeRollback(rollback)}${by === undefined ? '' : ` by ${by}`}`;
}

/** Example: rollback from version 2 to the application of version 1 */
export function describeRollback({ from, to, config, application }: RollbackNotes): string {
  const part = config && application ? '' : `the ${config ? 'config' : 'application'} of `;
  return `rollback from version ${from} to ${part}version ${to}`;
}
