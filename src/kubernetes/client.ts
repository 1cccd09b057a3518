import { ourselves } from '../domain/shared/author.js';
import type { KubernetesObject, ObjectList } from './objects.js';
import { resourcePath, resources, type ResourceType } from './resources.js';
import type { Transport } from './transport.js';

export type PatchType = 'merge' | 'json' | 'apply';

const patchContentTypes: Record<PatchType, string> = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
};

/** Who the apiserver's `managedFields` say wrote a field. */
export const fieldManager = ourselves;

export interface WriteOptions {
  readonly dryRun?: boolean;
  /** Unknown and doubled fields are errors, as with kubectl, not warnings. */
  readonly strict?: boolean;
  readonly subresource?: string;
  /**
   * For a write whose fields are known to be right and of which only the metadata are wanted back: the
   * server then checks and answers less, which halves what a small write costs it.
   */
  readonly brief?: boolean;
  /** With a patch of type `apply`: take over fields that others own. */
  readonly force?: boolean;
}

export interface ListOptions {
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly limit?: number | undefined;
  readonly continue?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

export interface LogOptions {
  readonly container?: string;
  /** Whether to go on with what is to come, until the container has ended. */
  readonly follow?: boolean;
  /** Only what was written since then, in whole seconds. */
  readonly sinceTime?: string;
  /** Only the last so many lines. */
  readonly tailLines?: number;
  /** Each line begins with its time and a space. */
  readonly timestamps?: boolean;
  readonly signal?: AbortSignal;
}

export interface WatchEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: T;
}

/** The verbs of the Kubernetes API, for any kind, on objects as they stand on the wire. */
export class KubernetesClient {
  constructor(readonly transport: Transport) {}

  get<T extends KubernetesObject>(
    type: ResourceType,
    namespace: string | undefined,
    name: string,
    subresource?: string,
  ): Promise<T> {
    return this.transport.json({ method: 'GET', path: path(type, namespace, name, subresource) });
  }

  /** Whether it is there, and nothing of what is in it. */
  getMetadata(
    type: ResourceType,
    namespace: string | undefined,
    name: string,
  ): Promise<KubernetesObject> {
    const address = path(type, namespace, name);
    return this.transport.json({ method: 'GET', path: address, accept: metadataOnly });
  }

  list<T extends KubernetesObject>(
    type: ResourceType,
    namespace?: string,
    options: ListOptions = {},
  ): Promise<ObjectList<T>> {
    return this.transport.json({
      method: 'GET',
      path: path(type, namespace),
      query: { ...options },
    });
  }

  create<T extends KubernetesObject>(
    type: ResourceType,
    object: T,
    options: WriteOptions = {},
  ): Promise<T> {
    return this.transport.json({
      method: 'POST',
      path: path(type, object.metadata.namespace),
      query: writeQuery(options),
      body: typed(type, object),
      ...accept(options),
    });
  }

  replace<T extends KubernetesObject>(
    type: ResourceType,
    object: T,
    options: WriteOptions = {},
  ): Promise<T> {
    const { namespace, name } = object.metadata;
    return this.transport.json({
      method: 'PUT',
      path: path(type, namespace, name, options.subresource),
      query: writeQuery(options),
      body: typed(type, object),
    });
  }

  patch<T extends KubernetesObject>(
    type: ResourceType,
    namespace: string | undefined,
    name: string,
    patchType: PatchType,
    body: unknown,
    options: WriteOptions = {},
  ): Promise<T> {
    return this.transport.json({
      method: 'PATCH',
      path: path(type, namespace, name, options.subresource),
      query: {
        ...writeQuery(options),
        ...(options.force === undefined ? {} : { force: options.force }),
      },
      body,
      contentType: patchContentTypes[patchType],
      ...accept(options),
    });
  }

  /** Server-side apply: creates the object or changes the fields it names. */
  apply<T extends KubernetesObject>(
    type: ResourceType,
    object: T,
    options: WriteOptions = {},
  ): Promise<T> {
    const { namespace, name } = object.metadata;
    const body = typed(type, object);
    return this.patch(type, namespace, name, 'apply', body, { force: true, ...options });
  }

  delete(
    type: ResourceType,
    namespace: string | undefined,
    name: string,
    body: {
      propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
      preconditions?: { uid?: string; resourceVersion?: string };
    } = {},
  ): Promise<unknown> {
    return this.transport.json({ method: 'DELETE', path: path(type, namespace, name), body });
  }

  /** Ends when the server closes the stream, which it does every few minutes. */
  async *watch<T extends KubernetesObject>(
    type: ResourceType,
    namespace: string | undefined,
    options: ListOptions & { readonly signal?: AbortSignal },
  ): AsyncGenerator<WatchEvent<T>> {
    const { signal, ...query } = options;
    const lines = this.transport.lines({
      method: 'GET',
      path: path(type, namespace),
      query: { ...query, watch: true, allowWatchBookmarks: true },
      ...(signal === undefined ? {} : { signal }),
    });
    for await (const line of lines) yield JSON.parse(line) as WatchEvent<T>;
  }

  /** Yields the lines of a pod's log. */
  readLog(namespace: string, pod: string, options: LogOptions = {}): AsyncGenerator<string> {
    const { signal, ...query } = options;
    const call = {
      method: 'GET',
      path: path(resources.pods, namespace, pod, 'log'),
      query,
      // What is no log is a status in JSON.
      accept: 'application/json, */*',
      beginsLate: options.follow === true,
      ...(signal === undefined ? {} : { signal }),
    } as const;
    return this.transport.lines(call, true);
  }

  /** Asks the server for its judgement: a review is answered, and nothing is stored. */
  async review<Status>({ apiVersion, kind, plural }: ResourceType, spec: object): Promise<Status> {
    const { status } = await this.transport.json<{ readonly status: Status }>({
      method: 'POST',
      path: `/apis/${apiVersion}/${plural}`,
      body: { apiVersion, kind, spec },
    });
    return status;
  }

  /** The server's version; also the cheapest way to learn whether it can be reached. */
  version(): Promise<{ gitVersion: string }> {
    return this.transport.json({ method: 'GET', path: '/version' });
  }

  close(): Promise<void> {
    return this.transport.close();
  }
}

function typed<T extends KubernetesObject>({ apiVersion, kind }: ResourceType, object: T): T {
  return { ...object, apiVersion, kind };
}

function path(type: ResourceType, namespace?: string, name?: string, subresource?: string): string {
  return resourcePath(type, {
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
    ...(subresource === undefined ? {} : { subresource }),
  });
}

function writeQuery(options: WriteOptions): Record<string, string> {
  return {
    fieldManager,
    ...(options.dryRun === true ? { dryRun: 'All' } : {}),
    ...(options.strict === true ? { fieldValidation: 'Strict' } : {}),
    ...(options.brief === true ? { fieldValidation: 'Ignore' } : {}),
  };
}

const metadataOnly = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';

function accept({ brief }: WriteOptions): { accept?: string } {
  return brief === true ? { accept: metadataOnly } : {};
}
