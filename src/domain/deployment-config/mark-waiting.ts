import {
  findCondition,
  removeCondition,
  setCondition,
  type Condition,
} from '../shared/conditions.js';

/** An image without which no version can be made. */
export interface AwaitedImage {
  /** Example: shop/web:latest */
  readonly source: string;
  /** Why it is not known, where that is known. */
  readonly problem?: string;
}

export const waitingReason = 'WaitingForImages';

/** Stands only while a later version waits: `Progressing` is about the one that there is. */
const laterType = 'ImagesKnown';

/**
 * The conditions of a config that waits for images, or does so no more. A first version that waits is
 * neither on its way nor failed.
 */
export function markWaiting(
  { latestVersion, conditions }: ConditionsOfConfig,
  awaited: readonly AwaitedImage[],
  nowMs: number,
): readonly Condition[] {
  if (awaited.length === 0) return removeCondition(conditions, laterType);
  const isFirst = latestVersion === 0;
  const type = isFirst ? 'Progressing' : laterType;
  const message = describeAwaited(awaited);
  const isNews = findCondition(conditions, type)?.message !== message;
  return setCondition(
    conditions,
    { type, status: isFirst ? 'Unknown' : 'False', reason: waitingReason, message },
    nowMs,
    isNews,
  );
}

interface ConditionsOfConfig {
  readonly latestVersion: number;
  readonly conditions: readonly Condition[];
}

export const isWaiting = (conditions: readonly Condition[]): boolean =>
  conditions.some(({ reason }) => reason === waitingReason);

/** Example: no image is known yet for shop/web:latest (there is no ImageRepository shop/web) */
function describeAwaited(awaited: readonly AwaitedImage[]): string {
  const images = awaited.map(({ source, problem }) =>
    problem === undefined ? source : `${source} (${problem})`,
  );
  return `no image is known yet for ${images.join(', ')}`;
}
