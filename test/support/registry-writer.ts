import { createHash } from 'node:crypto';

import { request, type Dispatcher } from 'undici';

export const manifestTypes = {
  oci: 'application/vnd.oci.image.manifest.v1+json',
  ociIndex: 'application/vnd.oci.image.index.v1+json',
  docker: 'application/vnd.docker.distribution.manifest.v2+json',
  dockerList: 'application/vnd.docker.distribution.manifest.list.v2+json',
} as const;

const partTypes = {
  oci: {
    config: 'application/vnd.oci.image.config.v1+json',
    layer: 'application/vnd.oci.image.layer.v1.tar',
  },
  docker: {
    config: 'application/vnd.docker.container.image.v1+json',
    layer: 'application/vnd.docker.image.rootfs.diff.tar.gzip',
  },
} as const;

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

/** Pushes and deletes by the API that every registry has. */
export class RegistryWriter {
  constructor(
    private readonly base: string,
    private readonly dispatcher: Dispatcher,
    /** What to say to be let in, where that is needed. */
    private readonly authorize: ((repository: string) => string) | undefined,
  ) {}

  /** An image whose only layer is a text: another text, another digest. Returns the digest. */
  async pushImage(
    repository: string,
    tag: string,
    text: string,
    form: 'oci' | 'docker' = 'oci',
  ): Promise<string> {
    return (await this.pushManifest(repository, tag, text, form)).digest;
  }

  /** A list with one image for each of two platforms. Returns the list's digest. */
  async pushIndex(
    repository: string,
    tag: string,
    text: string,
    form: 'oci' | 'docker' = 'oci',
  ): Promise<string> {
    const manifests = [];
    for (const architecture of ['amd64', 'arm64']) {
      const image = await this.pushManifest(repository, undefined, `${text} ${architecture}`, form);
      manifests.push({ ...image, platform: { architecture, os: 'linux' } });
    }
    const mediaType = form === 'oci' ? manifestTypes.ociIndex : manifestTypes.dockerList;
    const index = { schemaVersion: 2, mediaType, manifests };
    return (await this.putManifest(repository, tag, mediaType, index)).digest;
  }

  async deleteManifest(repository: string, digest: string): Promise<void> {
    await this.call(repository, 'DELETE', `/v2/${repository}/manifests/${digest}`, 202);
  }

  private async pushManifest(
    repository: string,
    tag: string | undefined,
    text: string,
    form: 'oci' | 'docker',
  ): Promise<Descriptor> {
    const layer = await this.pushBlob(repository, partTypes[form].layer, Buffer.from(text));
    const settings = {
      architecture: 'amd64',
      os: 'linux',
      config: {},
      rootfs: { type: 'layers', diff_ids: [layer.digest] },
    };
    const config = await this.pushBlob(
      repository,
      partTypes[form].config,
      Buffer.from(JSON.stringify(settings)),
    );
    const mediaType = manifestTypes[form];
    const manifest = { schemaVersion: 2, mediaType, config, layers: [layer] };
    return this.putManifest(repository, tag, mediaType, manifest);
  }

  private async pushBlob(
    repository: string,
    mediaType: string,
    content: Buffer,
  ): Promise<Descriptor> {
    const descriptor = describe(mediaType, content);
    const begun = await this.call(repository, 'POST', `/v2/${repository}/blobs/uploads/`, 202);
    const place = new URL(String(begun.headers['location']), this.base);
    place.searchParams.set('digest', descriptor.digest);
    await this.call(repository, 'PUT', place.pathname + place.search, 201, content);
    return descriptor;
  }

  private async putManifest(
    repository: string,
    tag: string | undefined,
    mediaType: string,
    manifest: object,
  ): Promise<Descriptor> {
    const content = Buffer.from(JSON.stringify(manifest));
    const descriptor = describe(mediaType, content);
    const path = `/v2/${repository}/manifests/${tag ?? descriptor.digest}`;
    await this.call(repository, 'PUT', path, 201, content, mediaType);
    return descriptor;
  }

  private async call(
    repository: string,
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    expected: number,
    body?: Buffer,
    type = 'application/octet-stream',
  ): Promise<Dispatcher.ResponseData> {
    const authorization = this.authorize?.(repository);
    const response = await request(new URL(path, this.base), {
      method,
      dispatcher: this.dispatcher,
      headers: {
        'content-type': type,
        ...(authorization === undefined ? {} : { authorization }),
      },
      ...(body === undefined ? {} : { body }),
    });
    const said = await response.body.text();
    if (response.statusCode !== expected) {
      throw new Error(`${method} ${path}: the registry answers ${response.statusCode}: ${said}`);
    }
    return response;
  }
}

function describe(mediaType: string, content: Buffer): Descriptor {
  const hash = createHash('sha256').update(content).digest('hex');
  return { mediaType, digest: `sha256:${hash}`, size: content.length };
}
