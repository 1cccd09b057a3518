import {
  explainTag,
  isTag,
  parseRepository,
  type Parsed,
  type RepositoryName,
} from './parse-image.js';

/** The part of an ImageRepository's spec that says what is to be looked up. */
export interface ImageRepositorySpec {
  readonly repository: string;
  readonly tags?: readonly string[];
  readonly intervalSeconds?: number;
}

/** What is to be looked up, and how often. */
export interface ImageRepositoryWish {
  readonly name: RepositoryName;
  readonly tags: readonly string[];
  readonly intervalMs: number;
}

const defaultIntervalSeconds = 60;
/** More often than this, a registry would rather lock us out than answer. */
const shortestIntervalSeconds = 5;

/**
 * The tags to follow are those of the spec and those that others, such as DeploymentConfigs, ask for.
 * A tag of theirs that can't be one is their mistake, not this object's, and is left out.
 */
export function judgeImageRepository(
  spec: ImageRepositorySpec,
  askedFor: readonly string[],
): Parsed<ImageRepositoryWish> {
  const name = parseRepository(spec.repository);
  if (name.kind === 'invalid') return invalid(`spec.repository: ${name.problem}`);
  const own = spec.tags ?? [];
  const wrong = own.findIndex((tag) => !isTag(tag));
  if (wrong !== -1) return invalid(`spec.tags[${wrong}]: ${explainTag(own[wrong] ?? '')}`);
  const { intervalSeconds = defaultIntervalSeconds } = spec;
  if (!Number.isFinite(intervalSeconds) || intervalSeconds < shortestIntervalSeconds) {
    return invalid(`spec.intervalSeconds: must be ${shortestIntervalSeconds} or more`);
  }
  const others = [...askedFor].filter(isTag).sort();
  const tags = [...new Set([...own, ...others])];
  return {
    kind: 'valid',
    value: { name: name.value, tags, intervalMs: intervalSeconds * 1_000 },
  };
}

const invalid = (problem: string): Parsed<never> => ({ kind: 'invalid', problem });
