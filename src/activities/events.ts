import type { Cluster } from '../kubernetes/connect.js';
import type { KubernetesObject } from '../kubernetes/objects.js';
import { resources, type ResourceType } from '../kubernetes/resources.js';
import { defined } from '../domain/shared/optional.js';

/** What an event is about. */
export interface EventSubject {
  readonly cluster: string;
  readonly type: ResourceType;
  readonly object: KubernetesObject;
}

export interface EventNote {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly action: string;
  readonly note: string;
}

/** A change of size, which is told together with those that follow at once. */
export interface SizeNote {
  readonly set: string;
  readonly from: number;
  readonly to: number;
}

/** In bytes. */
const longestNote = 1_024;
const mostWaiting = 1_000;
/** How long a change of size waits for the next one of the same set. */
const mergeWithinMs = 3_000;

/**
 * Kubernetes events about what was done, sent behind the work's back: losing one must not hold up or
 * fail a rollout.
 */
export class EventRecorder {
  private readonly waiting: (() => Promise<void>)[] = [];
  private readonly sizes = new Map<string, { note: SizeNote; send: () => void }>();
  private sending: Promise<void> | undefined;

  constructor(
    private readonly clusterOf: (name: string) => Cluster | undefined,
    private readonly instance: string,
    private readonly onLoss: (error: unknown) => void,
  ) {}

  record(about: EventSubject, note: EventNote): void {
    const cluster = this.clusterOf(about.cluster);
    if (cluster === undefined) return;
    if (this.waiting.length >= mostWaiting) {
      this.onLoss(new Error(`${mostWaiting} events are waiting to be sent`));
      return;
    }
    const event = this.buildEvent(about, note);
    this.waiting.push(async () => {
      await cluster.client.create(resources.events, event, { brief: true });
    });
    this.sending ??= this.sendAll();
  }

  /** A rollout moves in many small steps; those of one set in one direction make one event. */
  recordSize(about: EventSubject, note: SizeNote): void {
    const key = `${about.object.metadata.uid ?? ''}/${note.set}`;
    const before = this.sizes.get(key);
    if (before !== undefined && continues(before.note, note)) {
      before.note = { ...note, from: before.note.from };
      return;
    }
    before?.send();
    const send = (): void => {
      clearTimeout(timer);
      const entry = this.sizes.get(key);
      if (entry?.send !== send) return;
      this.sizes.delete(key);
      this.record(about, describeSize(entry.note));
    };
    const timer = setTimeout(send, mergeWithinMs);
    this.sizes.set(key, { note, send });
  }

  /** Resolves when everything recorded so far was sent or given up. */
  async flush(): Promise<void> {
    for (const { send } of [...this.sizes.values()]) send();
    await this.sending;
  }

  private async sendAll(): Promise<void> {
    for (let send = this.waiting.shift(); send !== undefined; send = this.waiting.shift()) {
      await send().catch(this.onLoss);
    }
    this.sending = undefined;
  }

  private buildEvent(
    { type: kind, object: { metadata } }: EventSubject,
    { type, reason, action, note }: EventNote,
  ): KubernetesObject {
    const nowMs = Date.now();
    const event = {
      metadata: {
        name: `${metadata.name}.${nowMs.toString(16)}${Math.floor(Math.random() * 0xffff_ffff).toString(16)}`,
        ...defined({ namespace: metadata.namespace }),
      },
      // Events want microseconds.
      eventTime: new Date(nowMs).toISOString().replace(/Z$/, '000Z'),
      reportingController: `slipway.dev/${kind.kind.toLowerCase()}`,
      reportingInstance: this.instance,
      type,
      reason,
      action,
      note: cutText(note, longestNote),
      regarding: {
        apiVersion: kind.apiVersion,
        kind: kind.kind,
        namespace: metadata.namespace,
        name: metadata.name,
        uid: metadata.uid,
        resourceVersion: metadata.resourceVersion,
      },
    };
    return event;
  }
}

/** As much of a text as has so many bytes, in whole characters. */
function cutText(text: string, mostBytes: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= mostBytes) return text;
  return new TextDecoder().decode(bytes.subarray(0, mostBytes), { stream: true });
}

const continues = (before: SizeNote, next: SizeNote): boolean =>
  before.to === next.from && before.to >= before.from === next.to >= next.from;

function describeSize({ set, from, to }: SizeNote): EventNote {
  const isGrowth = to >= from;
  return {
    type: 'Normal',
    reason: 'ScalingReplicaSet',
    action: isGrowth ? 'ScaleUp' : 'ScaleDown',
    note: `Scaled ${isGrowth ? 'up' : 'down'} replica set ${set} from ${from} to ${to}`,
  };
}
