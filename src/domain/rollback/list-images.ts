import type { ConfigData } from './config-data.js';
import type { RollbackWish } from './wish.js';

/** An image that has to be there. */
export interface NeededImage {
  readonly image: string;
  /** Example: spec.template.spec.containers[web].image */
  readonly field: string;
}

/**
 * The images that come back: those of the pods with the application, that of a custom strategy with the
 * configuration. Of what stays as it is, only those that the latest version did not have: the others were judged
 * by whoever deployed them.
 */
export function listImages(
  proposed: ConfigData,
  { application, config }: Pick<RollbackWish, 'application' | 'config'>,
  deployed: ConfigData,
): readonly NeededImage[] {
  const known = [...ofPods(deployed), ...ofStrategy(deployed)].map(({ image }) => image);
  const isNew = ({ image }: NeededImage): boolean => !known.includes(image);
  return [
    ...ofPods(proposed).filter((needed) => application || isNew(needed)),
    ...ofStrategy(proposed).filter((needed) => config || isNew(needed)),
  ].filter(({ image }) => image.trim() !== ''); // A blank is for a trigger to fill in.
}

const ofPods = ({ spec: { template } }: ConfigData): readonly NeededImage[] =>
  (['initContainers', 'containers'] as const).flatMap((list) =>
    (template.spec?.[list] ?? []).map(({ name, image }) => ({
      image: image ?? '',
      field: `spec.template.spec.${list}[${name}].image`,
    })),
  );

const ofStrategy = ({ spec: { strategy } }: ConfigData): readonly NeededImage[] =>
  strategy?.type === 'Custom'
    ? [{ image: strategy.customParams?.image ?? '', field: 'spec.strategy.customParams.image' }]
    : [];
