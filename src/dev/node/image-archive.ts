import { createHash } from 'node:crypto';

import { buildTar, type TarEntry } from './tar.js';

/** How a container of an image starts, unless its pod says otherwise. */
export interface ImageStart {
  readonly Entrypoint?: readonly string[];
  readonly Cmd?: readonly string[];
  readonly Env?: readonly string[];
  readonly User?: string;
  readonly WorkingDir?: string;
  readonly StopSignal?: string;
}

export interface ImageRequest {
  /** With its registry and tag, such as slipway.dev/busybox:1. */
  readonly name: string;
  readonly entries: readonly TarEntry[];
  readonly start?: ImageStart;
  /** As Go calls it. */
  readonly architecture?: string;
}

const goArchitectures: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

/** An image of one layer, as "docker save" would write it and "ctr images import" reads it. */
export function buildImageArchive(request: ImageRequest): Buffer {
  const layer = buildTar(withParents(request.entries));
  const config = Buffer.from(
    JSON.stringify({
      architecture: request.architecture ?? goArchitectures[process.arch] ?? process.arch,
      os: 'linux',
      config: request.start ?? {},
      rootfs: { type: 'layers', diff_ids: [`sha256:${digest(layer)}`] },
    }),
  );
  const configName = `${digest(config)}.json`;
  const manifest = [{ Config: configName, RepoTags: [request.name], Layers: ['layer.tar'] }];
  const file = (path: string, content: Buffer): TarEntry => ({
    ...{ path, kind: 'file', content, executable: false },
  });
  return buildTar([
    file('layer.tar', layer),
    file(configName, config),
    file('manifest.json', Buffer.from(JSON.stringify(manifest))),
  ]);
}

/** Each once, in order, behind the folders that it is in. */
function withParents(entries: readonly TarEntry[]): readonly TarEntry[] {
  const all = new Map<string, TarEntry>();
  for (const entry of entries) {
    for (const path of parentsOf(entry.path))
      if (!all.has(path)) all.set(path, { path, kind: 'folder' });
    all.set(entry.path, entry);
  }
  return [...all.values()];
}

function parentsOf(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

const digest = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
