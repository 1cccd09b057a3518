import { isMap, isText, listOf, mapOf, without, type JsonMap } from '../json-value.js';

export interface ConvertedTriggers {
  readonly triggers: readonly JsonMap[];
  readonly mistakes: readonly string[];
}

const words: Readonly<Record<string, string>> = {
  imagechange: 'ImageChange',
  configchange: 'ConfigChange',
  manual: 'Manual',
};

/** A word of old manifests in the one way that it is written today. Example: image-change -> imagechange */
export const plainWord = (word: string): string => word.toLowerCase().replaceAll(/[-_]/g, '');

/** Triggers of any age in today's form, each with what it had. */
export function convertTriggers(value: unknown, path: string): ConvertedTriggers {
  if (!Array.isArray(value)) return { triggers: [], mistakes: [`${path}: must be a list`] };
  const triggers: JsonMap[] = [];
  const mistakes: string[] = [];
  value.forEach((item: unknown, index) => {
    const place = `${path}[${index}]`;
    const trigger = mapOf(item);
    const { type, imageChangeParams: params } = trigger;
    if (!isText(type)) {
      mistakes.push(`${place}.type: is required`);
      return;
    }
    const word = words[plainWord(type)];
    if (word === undefined) {
      mistakes.push(`${place}.type: "${type}" should be ImageChange or ConfigChange`);
      return;
    }
    // Every DeploymentConfig can be started by hand today, so there is no trigger for it any more.
    if (word === 'Manual') return;
    const converted = isMap(params) ? { imageChangeParams: convertParams(params) } : {};
    triggers.push({ ...trigger, type: word, ...converted });
  });
  return { triggers, mistakes };
}

/**
 * `from` with a tag beside it is one name today. A `repositoryName` of the first days names a repository
 * of a registry, which a trigger may still do.
 */
function convertParams(params: JsonMap): JsonMap {
  // Which image it was last is for the controller to say.
  const { from, tag, repositoryName, ...rest } = without(params, ['lastTriggeredImage']);
  const source = mapOf(from);
  if (!isText(source['name'])) {
    const repository = isText(repositoryName) ? { repositoryName } : {};
    return { ...rest, ...(from === undefined ? {} : { from }), ...repository, ...tagOf(tag) };
  }
  // A tag in the name says what it is where nothing else does.
  const usualKind = source['name'].includes(':') ? 'ImageStreamTag' : 'ImageStream';
  const kind = isText(source['kind']) ? source['kind'] : usualKind;
  if (!['ImageStream', 'ImageRepository'].includes(kind)) {
    return { ...rest, from, ...tagOf(tag) };
  }
  const name = `${source['name']}:${isText(tag) ? tag : 'latest'}`;
  return { ...rest, from: { ...source, kind: 'ImageStreamTag', name } };
}

const tagOf = (tag: unknown): JsonMap => (isText(tag) ? { tag } : {});

/** Which tags of ImageStreams start a rollout of a converted DeploymentConfig. Example: web:latest */
export function triggeringTags(config: JsonMap): readonly string[] {
  return listOf(mapOf(config['spec'])['triggers']).flatMap((trigger) => {
    const from = mapOf(mapOf(mapOf(trigger)['imageChangeParams'])['from']);
    const { kind, name } = from;
    return kind === 'ImageStreamTag' && isText(name) ? [name] : [];
  });
}
