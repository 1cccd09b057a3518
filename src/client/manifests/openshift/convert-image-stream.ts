import { isText, listOf, mapOf, type JsonMap } from '../json-value.js';
import type { Conversion } from './conversion.js';
import { parseImageName, type ImageName } from './image-name.js';

export interface ImageStreamContext {
  /** The repository that the user gave for it. */
  readonly repository?: string | undefined;
  /** The tags that start a rollout, by DeploymentConfigs of the same files. Example: web:latest */
  readonly triggeringTags: readonly string[];
  /** The BuildConfigs of the same files, by the tags that they feed. */
  readonly builds: ReadonlyMap<string, string>;
}

/**
 * An ImageStream as an ImageRepository of ours. That one follows tags of a single repository by the
 * names that they have there, so tags that stand for something else are left out, or are a mistake
 * where a rollout depends on them.
 */
export function convertImageStream(value: JsonMap, context: ImageStreamContext): Conversion {
  const metadata = mapOf(value['metadata']);
  const name = isText(metadata['name']) ? metadata['name'] : '';
  const spec = mapOf(value['spec']);
  const wanted = context.triggeringTags
    .filter((tag) => tag.startsWith(`${name}:`))
    .map((tag) => tag.slice(name.length + 1));
  const tags = listOf(spec['tags']).map((tag) => readTag(mapOf(tag), name));
  const repository = chooseRepository(spec, tags, wanted, context.repository);
  if (repository === undefined) return explainNothing(name, tags, wanted, context);
  if ('mistake' in repository) return { mistakes: [repository.mistake] };

  const isGiven = context.repository !== undefined;
  const problems = tags.flatMap(({ tag, ...rest }) => {
    const problem = isGiven ? undefined : findProblem({ tag, ...rest }, repository.name);
    return problem === undefined ? [] : [{ tag, text: `spec.tags: ${tag}: ${problem}` }];
  });
  const isLeftOut = (tag: string): boolean => problems.some((problem) => problem.tag === tag);
  const followed = [...new Set([...tags.map(({ tag }) => tag), ...wanted])].filter(
    (tag) => tag !== '' && !isLeftOut(tag),
  );
  const isInsecure = tags.some((tag) => tag.isInsecure) || isMarkedInsecure(metadata);
  const object = {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'ImageRepository',
    metadata,
    spec: {
      repository: repository.name,
      ...(followed.length === 0 ? {} : { tags: followed }),
      ...(isInsecure ? { insecure: true } : {}),
    },
  };
  return {
    object,
    mistakes: problems.filter(({ tag }) => wanted.includes(tag)).map(({ text }) => text),
    notes: problems.filter(({ tag }) => !wanted.includes(tag)).map(({ text }) => text),
  };
}

interface StreamTag {
  readonly tag: string;
  /** The image outside that it stands for. */
  readonly image?: ImageName;
  /** Another tag of an ImageStream that it stands for. */
  readonly alias?: string;
  readonly isInsecure: boolean;
}

function readTag(tag: JsonMap, stream: string): StreamTag {
  const { kind, name } = mapOf(tag['from']);
  const basic = {
    tag: isText(tag['name']) ? tag['name'] : '',
    isInsecure: mapOf(tag['importPolicy'])['insecure'] === true,
  };
  if (!isText(name)) return basic;
  const image = kind === 'DockerImage' ? parseImageName(name) : undefined;
  if (image !== undefined) return { ...basic, image };
  return { ...basic, alias: name.includes(':') ? name : `${stream}:${name}` };
}

/** An old way to say that a registry is to be called without TLS. */
const isMarkedInsecure = (metadata: JsonMap): boolean =>
  mapOf(metadata['annotations'])['openshift.io/image.insecureRepository'] === 'true';

/** What the user says, else the stream's own repository, else that of the tags a rollout depends on. */
function chooseRepository(
  spec: JsonMap,
  tags: readonly StreamTag[],
  wanted: readonly string[],
  given: string | undefined,
): { readonly name: string } | { readonly mistake: string } | undefined {
  const whole = given ?? spec['dockerImageRepository'];
  if (isText(whole)) {
    const image = parseImageName(whole);
    if (image?.tag !== undefined || image?.digest !== undefined || image === undefined) {
      const field = given === undefined ? 'spec.dockerImageRepository' : '--image-repository';
      return { mistake: `${field}: "${whole}" should be a repository, without a tag` };
    }
    return { name: image.repository };
  }
  const first =
    tags.find(({ tag, image }) => image !== undefined && wanted.includes(tag)) ??
    tags.find(({ image }) => image !== undefined);
  return first?.image === undefined ? undefined : { name: first.image.repository };
}

/** Why a tag can't be followed in the repository. */
function findProblem({ tag, image, alias }: StreamTag, repository: string): string | undefined {
  if (alias !== undefined) {
    return `stands for ${alias}, and an ImageRepository knows the registry's own tags only`;
  }
  if (image === undefined) return undefined;
  if (image.repository !== repository) {
    return `is in ${image.repository}, and an ImageRepository follows one repository, here ${repository}`;
  }
  if (image.digest !== undefined) return `stands for ${image.digest}, which never changes`;
  const real = image.tag ?? 'latest';
  return real === tag
    ? undefined
    : `stands for ${repository}:${real}, and an ImageRepository knows the registry's own tags only`;
}

function explainNothing(
  name: string,
  tags: readonly StreamTag[],
  wanted: readonly string[],
  { builds }: ImageStreamContext,
): Conversion {
  const aliases = tags.flatMap(({ alias }) => alias ?? []);
  if (aliases.length > 0 && wanted.length === 0) {
    return {
      mistakes: [],
      notes: [`it only stands for ${aliases.join(', ')}, and nothing here depends on it`],
    };
  }
  const build = [...builds].find(([tag]) => tag.split(':')[0] === name)?.[1];
  const fed = build === undefined ? '' : `; BuildConfig ${build} would have fed it`;
  return {
    mistakes: [
      `spec: names no image outside the cluster${fed}: say where its images are with --image-repository ${name}=REGISTRY/REPOSITORY`,
    ],
  };
}

/** Which BuildConfig feeds which tag. Example: web:latest -> web-build */
export function findBuilds(configs: readonly JsonMap[]): ReadonlyMap<string, string> {
  return new Map(
    configs.flatMap((config): readonly (readonly [string, string])[] => {
      const to = mapOf(mapOf(mapOf(config['spec'])['output'])['to']);
      const builder = mapOf(config['metadata'])['name'];
      if (!isText(to['name']) || !isText(builder)) return [];
      return [[to['name'], builder]];
    }),
  );
}
