import { isMap, isText, mapOf, type JsonMap } from '../json-value.js';
import type { Located } from '../parse-documents.js';
import { readable } from '../templates/generated-value.js';
import type { Conversion } from './conversion.js';
import { convertDeploymentConfig } from './convert-deployment-config.js';
import { convertImageStream, findBuilds } from './convert-image-stream.js';
import { convertRoleBinding } from './convert-role-binding.js';
import { triggeringTags } from './deployment-triggers.js';
import { isDeploymentConfig, isKind, modernApiVersion } from './kinds.js';

export interface ConvertedObjects {
  readonly objects: readonly Located[];
  readonly mistakes: readonly string[];
  /** What was left out, a sentence each. */
  readonly notes: readonly string[];
}

/** Objects of OpenShift in the form that they have here; all others stay as they are. */
export function convertObjects(
  values: readonly Located[],
  imageRepositories: ReadonlyMap<string, string>,
): ConvertedObjects {
  const configs = values.map(({ value }) =>
    isMap(value) && isDeploymentConfig(value) ? convertDeploymentConfig(value) : undefined,
  );
  const maps = values.map(({ value }) => value).filter(isMap);
  const context = {
    triggeringTags: configs.flatMap((config) => triggeringTags(config?.object ?? {})),
    builds: findBuilds(maps.filter((one) => isKind(one, 'build.openshift.io/v1', 'BuildConfig'))),
  };
  const mistakes = findUnknownStreams(maps, imageRepositories);
  const notes: string[] = [];
  const objects = values.flatMap((located, index): Located[] => {
    const { value } = located;
    if (!isMap(value)) return [located];
    const name = nameOf(value);
    const repository = imageRepositories.get(name);
    const converted =
      configs[index] ??
      (isImageStream(value) && name !== ''
        ? convertImageStream(value, { ...context, repository })
        : convertOther(value));
    const title = `${String(value['kind'])}${name === '' ? '' : ` ${name}`}`;
    const start = `${located.source}: ${located.where}${title}`;
    mistakes.push(...converted.mistakes.map((text) => readable(`${start}: ${text}`)));
    notes.push(...(converted.notes ?? []).map((text) => readable(`${start}: left out: ${text}`)));
    return converted.object === undefined ? [] : [{ ...located, value: converted.object }];
  });
  return { objects, mistakes, notes };
}

function nameOf(value: JsonMap): string {
  const name = mapOf(value['metadata'])['name'] ?? value['id'];
  return isText(name) ? name : '';
}

const isImageStream = (value: JsonMap): boolean =>
  isKind(value, 'image.openshift.io/v1', 'ImageStream');

function convertOther(value: JsonMap): Conversion {
  if (isKind(value, 'authorization.openshift.io/v1', 'RoleBinding')) {
    return convertRoleBinding(value);
  }
  const { apiVersion, kind } = value;
  if (!isText(apiVersion) || !isText(kind)) return { object: value, mistakes: [] };
  return { object: { ...value, apiVersion: modernApiVersion(apiVersion, kind) }, mistakes: [] };
}

function findUnknownStreams(
  maps: readonly JsonMap[],
  imageRepositories: ReadonlyMap<string, string>,
): string[] {
  const streams = maps.filter(isImageStream).map(nameOf);
  return [...imageRepositories.keys()]
    .filter((name) => !streams.includes(name))
    .map((name) => `--image-repository ${name}: there is no ImageStream of that name in the files`);
}
