import type { EventNote, EventRecorder } from '../../../activities/events.js';
import { describeMoves } from '../../../domain/images/describe-moves.js';
import {
  judgeImageRepository,
  type ImageRepositoryWish,
} from '../../../domain/images/judge-image-repository.js';
import { isWorthWriting } from '../../../domain/images/plan-check.js';
import {
  planImageRepository,
  type ImageRepositoryStatus,
  type TagAnswer,
} from '../../../domain/images/plan-image-repository.js';
import { isConflict, isNotFound } from '../../../kubernetes/api-error.js';
import type { KubernetesClient } from '../../../kubernetes/client.js';
import { findPullSecrets } from '../../../kubernetes/image-repositories/find-pull-secrets.js';
import type { ImageRepository } from '../../../kubernetes/image-repositories/objects.js';
import {
  readRepositorySpec,
  readRepositoryStatus,
} from '../../../kubernetes/image-repositories/read-repository.js';
import { resources } from '../../../kubernetes/resources.js';
import { askTags } from '../../../registry/ask-tags.js';
import {
  pickCredentials,
  readPullSecrets,
  type KeyringEntry,
} from '../../../registry/credentials.js';
import type { RegistryClient } from '../../../registry/registry-client.js';

export interface CheckScene {
  readonly cluster: string;
  readonly client: KubernetesClient;
  readonly registry: RegistryClient;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly signal: AbortSignal;
}

export interface CheckRequest {
  readonly repository: ImageRepository;
  /** Tags that others name. */
  readonly askedFor: readonly string[];
  /** The only tag to ask for; all of them without it. */
  readonly tag?: string | undefined;
}

export interface CheckResult {
  readonly answers: readonly TagAnswer[];
  /** False when somebody changed the spec meanwhile, so that the answers are of no use. */
  readonly isDone: boolean;
  /** When all tags were asked for, if they were. */
  readonly checkedAllMs: number | undefined;
  /** The object's version after that, if it was written. */
  readonly resourceVersion: string | undefined;
}

const mostTries = 5;

/** Asks a registry what the tags of a repository stand for, and writes that down. */
export async function checkRepository(
  scene: CheckScene,
  { repository, askedFor, tag }: CheckRequest,
): Promise<CheckResult> {
  const wish = judgeImageRepository(readRepositorySpec(repository), askedFor);
  const found =
    wish.kind === 'valid' && wish.value.tags.length > 0
      ? await ask(scene, repository, wish.value, tag)
      : { answers: [], credentialProblems: [] };
  // What was asked while everything ends says nothing about the registry.
  scene.signal.throwIfAborted();
  const nowMs = Date.now();
  const written = await write(scene, repository, (before) =>
    planImageRepository({ wish, status: before, ...found, nowMs }),
  );
  const tags = wish.kind === 'valid' ? wish.value.tags : [];
  const isWhole = found.answers.length === tags.length;
  return {
    answers: found.answers,
    isDone: written.isDone,
    checkedAllMs: isWhole ? nowMs : undefined,
    resourceVersion: written.resourceVersion,
  };
}

interface Answers {
  readonly answers: readonly TagAnswer[];
  readonly credentialProblems: readonly string[];
}

async function ask(
  { client, registry, signal }: CheckScene,
  repository: ImageRepository,
  { name, tags }: ImageRepositoryWish,
  tag: string | undefined,
): Promise<Answers> {
  const { namespace = '' } = repository.metadata;
  const { secrets, problems } = await findPullSecrets(client, namespace, repository.spec);
  const keyring: KeyringEntry[] = [];
  const unusable: string[] = [];
  for (const secret of secrets) {
    // One at a time, so that a bad one doesn't spoil the others.
    const reading = readPullSecrets([secret]);
    if (reading.kind === 'invalid') unusable.push(reading.problem);
    else keyring.push(...reading.keyring);
  }
  const credentials = pickCredentials(keyring, name);
  const answers = await askTags(registry, {
    name,
    tags: tag === undefined ? tags : [tag],
    access: { insecure: repository.spec.insecure === true, credentials, signal },
  });
  return { answers, credentialProblems: [...problems, ...unusable] };
}

type Written = Pick<CheckResult, 'isDone' | 'resourceVersion'>;

/** Plans anew from what stands there when somebody else was faster. */
async function write(
  scene: CheckScene,
  repository: ImageRepository,
  plan: (before: ImageRepositoryStatus) => { readonly status: ImageRepositoryStatus },
): Promise<Written> {
  const { uid, generation, namespace, name } = repository.metadata;
  const type = resources.imageRepositories;
  const givenUp: Written = { isDone: false, resourceVersion: undefined };
  let current = repository;
  for (let count = 0; count < mostTries; count += 1) {
    const before = readRepositoryStatus(current);
    const { status } = plan(before);
    const isSeen = current.status?.observedGeneration === generation;
    if (isSeen && !isWorthWriting(before, status)) {
      return { isDone: true, resourceVersion: undefined };
    }
    try {
      const body = {
        metadata: { resourceVersion: current.metadata.resourceVersion },
        status: { ...status, observedGeneration: generation },
      };
      const options = { brief: true, subresource: 'status' };
      const after = await scene.client.patch(type, namespace, name, 'merge', body, options);
      tell(scene, current, describeMoves(before, status));
      return { isDone: true, resourceVersion: after.metadata.resourceVersion };
    } catch (error) {
      if (isNotFound(error)) return givenUp;
      if (!isConflict(error)) throw error;
    }
    current = await scene.client.get<ImageRepository>(type, namespace, name);
    const { metadata } = current;
    if (metadata.uid !== uid || metadata.generation !== generation) return givenUp;
  }
  return givenUp;
}

function tell(
  { cluster, events }: CheckScene,
  object: ImageRepository,
  notes: readonly Omit<EventNote, 'action'>[],
): void {
  const about = { cluster, type: resources.imageRepositories, object };
  for (const note of notes) events.record(about, { ...note, action: 'Resolve' });
}
