import type { RollbackProblem } from './report.js';
import type { RollbackWish } from './wish.js';

/** A version that a config could go back to. */
export interface Release {
  readonly version: number;
  /** Whether it once had all its pods. */
  readonly wasComplete: boolean;
  /** Whether the config as it was can be read from it. */
  readonly isReadable: boolean;
}

export interface ReleaseScene {
  /** Of the config. */
  readonly name: string;
  /** 0 while there is none. */
  readonly latestVersion: number;
  readonly releases: readonly Release[];
}

export type PickedRelease =
  | { readonly kind: 'picked'; readonly version: number }
  | { readonly kind: 'problem'; readonly problem: RollbackProblem };

/**
 * The version to go back to: the one that was asked for, or else the last complete one before the current.
 * What was never complete is nothing to go back to.
 * Example: 1 Complete, 2 Complete, 3 Failed, 4 Running -> 2
 */
export function pickRelease(
  scene: ReleaseScene,
  { release }: Pick<RollbackWish, 'release'>,
): PickedRelease {
  const { name, latestVersion } = scene;
  if (latestVersion === 0) {
    return refuse(`${name} has no version yet, so there is nothing to go back to`);
  }
  return release === undefined ? pickUsual(scene) : pickNamed(scene, release);
}

function pickUsual({ name, latestVersion, releases }: ReleaseScene): PickedRelease {
  const version = Math.max(
    0,
    ...releases
      .filter((release) => release.version < latestVersion && release.wasComplete)
      .map((release) => release.version),
  );
  if (version === 0) {
    return refuse(`no version of ${name} before ${latestVersion}, its current one, was complete`);
  }
  return checkSnapshot({ name, latestVersion, releases }, version);
}

function pickNamed(scene: ReleaseScene, version: number): PickedRelease {
  const { name, latestVersion, releases } = scene;
  if (version === latestVersion) {
    return refuse(`version ${version} is the one that ${name} has now`);
  }
  const found = releases.find((release) => release.version === version);
  if (found === undefined) {
    const known = releases.map((release) => release.version).sort((a, b) => a - b);
    const rest = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`;
    return refuse(`there is no version ${version} of ${name}; ${rest}`);
  }
  if (!found.wasComplete) return refuse(`version ${version} of ${name} was never complete`);
  return checkSnapshot(scene, version);
}

function checkSnapshot({ name, releases }: ReleaseScene, version: number): PickedRelease {
  const found = releases.find((release) => release.version === version);
  if (found?.isReadable === true) return { kind: 'picked', version };
  return refuse(`somebody has spoilt the snapshot of version ${version} of ${name}`);
}

const refuse = (message: string): PickedRelease => ({
  kind: 'problem',
  problem: { field: 'release', message },
});
