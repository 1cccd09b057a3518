import type { TagAnswer } from '../domain/images/plan-image-repository.js';
import type { RepositoryName } from '../domain/images/parse-image.js';
import type { RegistryAnswer, RegistryProblem } from '../domain/images/registry-answer.js';
import type { RegistryAccess, RegistryClient } from './registry-client.js';
import { toProblem, unreachable } from './registry-failure.js';

export interface TagQuestion {
  readonly name: RepositoryName;
  readonly tags: readonly string[];
  readonly access: RegistryAccess;
}

const atOnce = 4;
const wholeMs = 60_000;

/**
 * Asks for several tags, a few at a time. Once a registry can't be asked or refuses, it is not asked for
 * the others: their answer is the same. So none of them lasts forever, however many tags there are.
 */
export async function askTags(
  client: Pick<RegistryClient, 'resolveTag'>,
  { name, tags, access }: TagQuestion,
  now: () => number = Date.now,
): Promise<readonly TagAnswer[]> {
  const untilMs = now() + wholeMs;
  const answers: TagAnswer[] = [];
  const open = [...tags];
  let obstacle: RegistryProblem | undefined;
  const ask = async (): Promise<void> => {
    for (let tag = open.shift(); tag !== undefined; tag = open.shift()) {
      if (now() > untilMs) obstacle ??= takesTooLong(name);
      const answer: RegistryAnswer = obstacle ?? (await client.resolveTag(name, tag, access));
      answers.push({ tag, answer });
      if (answer.kind === 'unreachable' || answer.kind === 'refused') obstacle ??= answer;
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, tags.length) }, ask));
  return answers;
}

const takesTooLong = (name: RepositoryName): RegistryProblem =>
  toProblem(unreachable(`its tags took longer than ${wholeMs / 1_000} s together`), name);
