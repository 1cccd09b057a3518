import type {
  Cause,
  ConfigTriggers,
  ImageSource,
  ImageTrigger,
} from '../../domain/deployment-config/triggers.js';
import { defined } from '../../domain/shared/optional.js';
import type {
  DeploymentCause,
  DeploymentConfigSpec,
  DeploymentTrigger,
  ImageChangeParams,
} from './objects.js';

const usualTag = 'latest';

/** What makes new versions of a config: without a list it is a change of the config, with an empty one nobody. */
export function readTriggers(
  { triggers }: Pick<DeploymentConfigSpec, 'triggers'>,
  namespace: string,
): ConfigTriggers {
  const effective: readonly DeploymentTrigger[] = triggers ?? [{ type: 'ConfigChange' }];
  return {
    onConfigChange: effective.some(({ type }) => type === 'ConfigChange'),
    images: effective.flatMap(({ imageChangeParams: params }) =>
      params === undefined || params === null ? [] : readImageTrigger(params, namespace),
    ),
  };
}

function readImageTrigger(params: ImageChangeParams, namespace: string): ImageTrigger[] {
  const source = readSource(params, namespace);
  if (source === undefined) return [];
  const lastImage = params.lastTriggeredImage ?? '';
  return [
    {
      source,
      automatic: params.automatic === true,
      containerNames: params.containerNames,
      ...(lastImage === '' ? {} : { lastImage }),
    },
  ];
}

/** From `web:latest` of OpenShift's form, or from `repositoryName` and `tag` of the older one. */
function readSource(
  { from, repositoryName, tag }: ImageChangeParams,
  namespace: string,
): ImageSource | undefined {
  const name = from?.name ?? repositoryName ?? '';
  if (name === '') return undefined;
  const at = name.lastIndexOf(':');
  const isTagged = at > name.lastIndexOf('/');
  return {
    namespace: (from?.namespace ?? '') || namespace,
    repository: isTagged ? name.slice(0, at) : name,
    tag: isTagged ? name.slice(at + 1) : (tag ?? usualTag) || usualTag,
  };
}

/** The triggers of a spec with the images that were filled in. */
export function writeTriggers(
  spec: Pick<DeploymentConfigSpec, 'triggers'>,
  namespace: string,
  filled: ConfigTriggers,
): DeploymentTrigger[] | undefined {
  return spec.triggers?.map((trigger) => {
    const { imageChangeParams: params } = trigger;
    if (params === undefined || params === null) return trigger;
    const [own] = readImageTrigger(params, namespace);
    const image = filled.images.find(
      ({ source, containerNames }) =>
        JSON.stringify([source, containerNames]) ===
        JSON.stringify([own?.source, own?.containerNames]),
    )?.lastImage;
    if (image === undefined) return trigger;
    return { ...trigger, imageChangeParams: { ...params, lastTriggeredImage: image } };
  });
}

/** A cause as OpenShift's clients read it, with what we know beyond that. */
export function writeCause(cause: Cause): DeploymentCause {
  switch (cause.type) {
    case 'ConfigChange':
      return { type: cause.type };
    case 'Manual':
      return { type: cause.type, ...defined({ by: cause.by, reason: cause.reason }) };
    case 'Rollback': {
      const { type, by, ...rollback } = cause;
      return { type, rollback, ...defined({ by }) };
    }
    case 'ImageChange': {
      const { source, containerNames, previous, image } = cause;
      const { namespace, repository, tag } = source;
      return {
        type: cause.type,
        imageTrigger: {
          from: { kind: 'ImageStreamTag', namespace, name: `${repository}:${tag}` },
          containerNames: [...containerNames],
          image,
          ...defined({ previous }),
        },
      };
    }
  }
}
