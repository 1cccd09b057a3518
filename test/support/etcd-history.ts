import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

import protobuf from 'protobufjs';

import { pkiFiles } from '../../src/dev/pki/pki-files.js';
import { layoutOf } from '../../src/dev/stack/layout.js';
import { loopback } from '../../src/dev/stack/ports.js';
import { readState } from '../../src/dev/stack/state.js';
import { defined } from '../../src/domain/shared/optional.js';

/** Where etcd has the objects that are looked at. */
const prefixes = {
  pods: '/registry/pods/',
  controllers: '/registry/controllers/',
  replicasets: '/registry/replicasets/',
  deployments: '/registry/slipway.dev/deployments/',
} as const;

export type PastKind = keyof typeof prefixes;

const kinds = Object.keys(prefixes) as PastKind[];

/** What is looked at of an object, as it was once. */
export interface PastObject {
  readonly uid: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly finalizers: readonly string[];
  readonly isBeingDeleted: boolean;
  /** Of a pod. */
  readonly phase?: string;
  /** Of a ReplicationController or a ReplicaSet. */
  readonly replicas?: number;
  /** Of a Deployment: its condition Progressing. */
  readonly progress?: { readonly reason?: string; readonly message?: string };
}

/** One write, as etcd has it. */
export interface PastWrite {
  /** The same as the resource version that it gave. */
  readonly revision: number;
  readonly kind: PastKind;
  readonly namespace: string;
  readonly name: string;
  readonly isCreation: boolean;
  /** Undefined when the object was deleted. */
  readonly object: PastObject | undefined;
}

const retryMs = 50;

/**
 * Every write to pods, to what makes them and to Deployments, in the order in which they were made. It is read
 * from etcd itself, which keeps them whatever becomes of the apiserver, so that none is missed.
 */
export class EtcdHistory {
  private readonly agent: Agent;
  private readonly port: number;
  private readonly stopping = new AbortController();
  private readonly seen: PastWrite[] = [];
  private readonly revisions = new Set<number>();
  private readonly latest = new Map<string, PastObject | undefined>();
  private readonly following: Promise<unknown>;

  constructor({ stateDir }: { readonly stateDir: string }) {
    const layout = layoutOf(stateDir);
    const pki = pkiFiles(layout.pki);
    this.port = readState(layout).ports.etcd?.['client'] ?? 0;
    this.agent = new Agent({
      ca: readFileSync(pki.etcdAuthority),
      cert: readFileSync(pki.etcdClient.certificate),
      key: readFileSync(pki.etcdClient.key),
    });
    this.following = Promise.all(kinds.map((kind) => this.follow(kind)));
  }

  /** Those of one namespace, oldest first. */
  of(namespace: string): readonly PastWrite[] {
    return this.seen
      .filter((write) => write.namespace === namespace)
      .sort((a, b) => a.revision - b.revision);
  }

  /** As it is now, as far as is known; undefined when it is not there. */
  find(kind: PastKind, namespace: string, name: string): PastObject | undefined {
    return this.latest.get(`${kind}/${namespace}/${name}`);
  }

  /** Whether that version of an object has been seen. */
  has(resourceVersion: string | undefined): boolean {
    return this.revisions.has(Number(resourceVersion));
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.following;
    this.agent.destroy();
  }

  /** Goes on where it was when etcd is back. */
  private async follow(kind: PastKind): Promise<void> {
    const { signal } = this.stopping;
    let next = 1;
    while (!signal.aborted) {
      try {
        for await (const line of await this.watch(kind, next)) {
          const { result } = JSON.parse(line) as { result: WatchResult };
          for (const event of result.events ?? []) {
            const write = readWrite(kind, event);
            this.seen.push(write);
            this.revisions.add(write.revision);
            this.latest.set(`${kind}/${write.namespace}/${write.name}`, write.object);
            next = write.revision + 1;
          }
        }
      } catch {
        // It is down, or we are to stop.
      }
      await delay(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }

  private async watch(kind: PastKind, from: number): Promise<AsyncIterable<string>> {
    const { agent, port, stopping } = this;
    const prefix = prefixes[kind];
    // In the order of characters, 0 comes next after the slash.
    const range = { key: encode(prefix), range_end: encode(prefix.replace(/\/$/, '0')) };
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const path = '/v3/watch';
      const signal = stopping.signal;
      request({ agent, host: loopback, port, path, method: 'POST', signal }, resolve)
        .once('error', reject)
        .end(JSON.stringify({ create_request: { ...range, start_revision: from } }));
    });
    return createInterface(answer);
  }
}

interface WatchResult {
  readonly events?: readonly EtcdEvent[];
}

interface EtcdEvent {
  readonly type?: 'DELETE';
  readonly kv: {
    readonly key: string;
    readonly value?: string;
    readonly mod_revision: string;
    readonly create_revision?: string;
  };
}

const encode = (text: string): string => Buffer.from(text).toString('base64');

function readWrite(kind: PastKind, { type, kv }: EtcdEvent): PastWrite {
  const key = Buffer.from(kv.key, 'base64').toString();
  const [namespace = '', name = ''] = key.slice(prefixes[kind].length).split('/');
  return {
    revision: Number(kv.mod_revision),
    kind,
    namespace,
    name,
    isCreation: kv.create_revision === kv.mod_revision,
    object: type === 'DELETE' ? undefined : decode(kind, Buffer.from(kv.value ?? '', 'base64')),
  };
}

// The few fields that are looked at, numbered as in Kubernetes' generated.proto.
const { nested } = {
  nested: {
    Unknown: { fields: { raw: { type: 'bytes', id: 2 } } },
    Time: { fields: { seconds: { type: 'int64', id: 1 } } },
    Metadata: {
      fields: {
        uid: { type: 'string', id: 5 },
        deletionTimestamp: { type: 'Time', id: 9 },
        annotations: { keyType: 'string', type: 'string', id: 12 },
        finalizers: { rule: 'repeated', type: 'string', id: 14 },
      },
    },
    PodStatus: { fields: { phase: { type: 'string', id: 1 } } },
    SetSpec: { fields: { replicas: { type: 'int32', id: 1 } } },
    pods: {
      fields: { metadata: { type: 'Metadata', id: 1 }, status: { type: 'PodStatus', id: 3 } },
    },
    controllers: {
      fields: { metadata: { type: 'Metadata', id: 1 }, spec: { type: 'SetSpec', id: 2 } },
    },
    replicasets: {
      fields: { metadata: { type: 'Metadata', id: 1 }, spec: { type: 'SetSpec', id: 2 } },
    },
  },
};
const types = protobuf.Root.fromJSON({ nested });

/** Four bytes say that what follows is an envelope of that form. */
const magic = Buffer.from('k8s\0');

interface Stored {
  readonly metadata: {
    readonly uid: string;
    readonly deletionTimestamp?: unknown;
    readonly annotations?: Record<string, string>;
    readonly finalizers?: string[];
  };
  readonly spec?: { readonly replicas: number };
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly { type: string; reason?: string; message?: string }[];
  };
}

/** Kinds of our own are stored as JSON, those of Kubernetes as protobuf. */
function decode(kind: PastKind, stored: Buffer): PastObject {
  const { metadata, spec, status } =
    kind === 'deployments' ? (JSON.parse(stored.toString()) as Stored) : unpack(kind, stored);
  const { uid, annotations = {}, finalizers = [], deletionTimestamp } = metadata;
  const progress = status?.conditions?.find(({ type }) => type === 'Progressing');
  return {
    uid,
    annotations,
    finalizers,
    isBeingDeleted: (deletionTimestamp ?? undefined) !== undefined,
    ...defined({ phase: status?.phase, replicas: spec?.replicas, progress }),
  };
}

function unpack(kind: PastKind, stored: Buffer): Stored {
  if (!stored.subarray(0, magic.length).equals(magic)) throw new Error('not stored as protobuf');
  const envelope = types.lookupType('Unknown').decode(stored.subarray(magic.length));
  const { raw } = envelope as unknown as { raw: Uint8Array };
  return types.lookupType(kind).decode(raw) as unknown as Stored;
}
