import type { Logger } from 'pino';

import type { EventRecorder } from '../../../activities/events.js';
import { judgeImageRepository } from '../../../domain/images/judge-image-repository.js';
import {
  beginMemory,
  planCheck,
  rememberCheck,
  type CheckMemory,
  type CheckObservation,
} from '../../../domain/images/plan-check.js';
import type { KubernetesClient } from '../../../kubernetes/client.js';
import type { ConfigKey, ConfigView } from '../../../kubernetes/deployment-configs/config-view.js';
import { readTriggers } from '../../../kubernetes/deployment-configs/read-triggers.js';
import type { ImageRepository } from '../../../kubernetes/image-repositories/objects.js';
import { readPush } from '../../../kubernetes/image-repositories/read-push.js';
import {
  readRepositorySpec,
  readRepositoryStatus,
} from '../../../kubernetes/image-repositories/read-repository.js';
import { createRegistryClient, type RegistryClient } from '../../../registry/registry-client.js';
import { AskedTags } from './asked-tags.js';
import { CheckQueue } from './check-queue.js';
import { checkRepository } from './check-repository.js';

export interface ImageResolverOptions {
  readonly cluster: string;
  readonly client: KubernetesClient;
  readonly view: Pick<ConfigView, 'repositories' | 'keys' | 'get' | 'onChange'>;
  readonly events: EventRecorder;
  readonly logger: Pick<Logger, 'warn'>;
  readonly signal: AbortSignal;
  /** @default one of its own */
  readonly registry?: RegistryClient;
}

/** A repository that is kept up to date. */
interface Care {
  readonly uid: string;
  memory: CheckMemory;
  timer: NodeJS.Timeout | undefined;
  isBusy: boolean;
  /** What was written last: a copy from before says nothing. */
  writtenVersion: bigint;
  /** Nothing is asked before that: the last try did not come to its end. */
  restsUntilMs: number;
}

/** After a failure of the cluster, not of the registry, whose failures are written down and planned with. */
const restMs = 5_000;
/** The watch brings what somebody else wrote within moments. */
const shortRestMs = 250;
/** Timers can't be longer than some weeks, and intervals can. */
const longestTimerMs = 60 * 60_000;

/**
 * Keeps the tags of every ImageRepository resolved: when it appears or changes, when a config names a tag
 * of it, when somebody says that a tag was pushed, and every now and then.
 */
export class ImageResolver {
  private readonly cares = new Map<string, Care>();
  private readonly asked = new AskedTags();
  private readonly queue = new CheckQueue((id) => this.check(id));
  private readonly stopping = new AbortController();
  private readonly signal: AbortSignal;
  private registry: RegistryClient | undefined;
  private unsubscribe: (() => void)[] = [];

  constructor(private readonly options: ImageResolverOptions) {
    this.signal = AbortSignal.any([options.signal, this.stopping.signal]);
  }

  start(): void {
    const { view } = this.options;
    this.registry = this.options.registry ?? createRegistryClient();
    for (const key of view.keys()) this.noteConfig(key);
    this.unsubscribe = [
      view.repositories.subscribe(({ kind, object }) => {
        if (kind === 'deleted') this.forget(idOf(object));
        else this.consider(object);
      }),
      view.onChange((key) => {
        for (const id of this.noteConfig(key)) this.considerById(id);
      }),
    ];
    for (const repository of view.repositories.all()) this.consider(repository);
  }

  stop(): void {
    for (const end of this.unsubscribe) end();
    // First the questions, then their connections: a question that is cut off is no answer.
    this.stopping.abort();
    this.queue.clear();
    for (const { timer } of this.cares.values()) clearTimeout(timer);
    this.cares.clear();
    void this.registry?.close();
  }

  private noteConfig(key: ConfigKey): readonly string[] {
    const config = this.options.view.get(key);
    const images = config === undefined ? [] : readTriggers(config.spec, key.namespace).images;
    return this.asked.note(
      `${key.namespace}/${key.name}`,
      images.map(({ source }) => source),
    );
  }

  private find(id: string): ImageRepository | undefined {
    const [namespace = '', name = ''] = id.split('/');
    return this.options.view.repositories.get(namespace, name);
  }

  private forget(id: string): void {
    clearTimeout(this.cares.get(id)?.timer);
    this.cares.delete(id);
    this.queue.remove(id);
  }

  private considerById(id: string): void {
    const repository = this.find(id);
    if (repository !== undefined) this.consider(repository);
  }

  /** Queues its next check when that is due, else waits for it. */
  private consider(repository: ImageRepository): void {
    if (this.signal.aborted) return;
    const id = idOf(repository);
    const seen = this.observe(repository);
    const care = this.careFor(id, repository, seen);
    clearTimeout(care.timer);
    // It is considered again when the check that runs has ended, and when the watch has caught up.
    if (care.isBusy || BigInt(repository.metadata.resourceVersion ?? 0) < care.writtenVersion)
      return;
    const nowMs = Date.now();
    const check = planCheck(seen, care.memory, nowMs);
    if (check.kind === 'none') return;
    const isUrgent = check.kind === 'tag';
    const dueMs = Math.max(isUrgent ? nowMs : check.atMs, care.restsUntilMs);
    if (dueMs <= nowMs) {
      const host = seen.wish.kind === 'valid' ? seen.wish.value.name.registry : '';
      this.queue.add({ id, host, isUrgent });
      return;
    }
    care.timer = setTimeout(
      () => {
        this.considerById(id);
      },
      Math.min(dueMs - nowMs, longestTimerMs),
    );
    care.timer.unref();
  }

  private careFor(id: string, repository: ImageRepository, seen: CheckObservation): Care {
    const { metadata, status } = repository;
    const uid = metadata.uid ?? '';
    const known = this.cares.get(id);
    if (known?.uid === uid) return known;
    if (known !== undefined) this.forget(id);
    const memory = beginMemory(
      { ...seen, observedGeneration: status?.observedGeneration },
      Date.now(),
      Math.random(),
    );
    const care: Care = {
      uid,
      memory,
      timer: undefined,
      isBusy: false,
      writtenVersion: 0n,
      restsUntilMs: 0,
    };
    this.cares.set(id, care);
    return care;
  }

  private observe(repository: ImageRepository): CheckObservation {
    return {
      wish: judgeImageRepository(readRepositorySpec(repository), this.asked.of(idOf(repository))),
      generation: repository.metadata.generation ?? 0,
      status: readRepositoryStatus(repository),
      push: readPush(repository),
    };
  }

  /** Resolves to whether the registry has answered; whatever else happens is written down or logged. */
  private async check(id: string): Promise<boolean | undefined> {
    const repository = this.find(id);
    const care = this.cares.get(id);
    const { registry, signal } = this;
    if (repository === undefined || care === undefined || registry === undefined) return undefined;
    const seen = this.observe(repository);
    const next = planCheck(seen, care.memory, Date.now());
    if (next.kind === 'none') return undefined;
    const tag = next.kind === 'tag' ? next.tag : undefined;
    const askedFor = this.asked.of(id);
    care.isBusy = true;
    let hasAnswered: boolean | undefined;
    try {
      const scene = { ...this.options, registry, signal };
      const result = await checkRepository(scene, { repository, askedFor, tag });
      const { answers, checkedAllMs } = result;
      hasAnswered = !answers.some(({ answer }) => answer.kind === 'unreachable');
      if (result.resourceVersion !== undefined) {
        care.writtenVersion = BigInt(result.resourceVersion);
      }
      const nowMs = Date.now();
      if (result.isDone) {
        const made = { seen, answers, checkedAllMs, nowMs, spread: Math.random() };
        care.memory = rememberCheck(care.memory, made);
      } else care.restsUntilMs = nowMs + shortRestMs;
    } catch (error) {
      if (!signal.aborted) {
        care.restsUntilMs = Date.now() + restMs;
        this.options.logger.warn({ err: error, repository: id }, 'could not check a repository');
      }
    }
    care.isBusy = false;
    this.considerById(id);
    return hasAnswered;
  }
}

const idOf = ({ metadata }: ImageRepository): string =>
  `${metadata.namespace ?? ''}/${metadata.name}`;
