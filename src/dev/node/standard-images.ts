import { execFileSync } from 'node:child_process';

import { collectHostFiles, hostFile } from './host-files.js';
import { buildImageArchive } from './image-archive.js';
import type { TarEntry } from './tar.js';

/** A shell with the usual commands. */
export const busyboxImage = 'slipway.dev/busybox:1';
/** What holds the namespaces of each pod. */
export const pauseImage = 'slipway.dev/pause:1';

/** busybox of this machine as a whole file system: its commands, users, and a place for files. */
export async function collectBusybox(program: string): Promise<readonly TarEntry[]> {
  const libraries = (await collectHostFiles([program])).slice(1);
  const applets = execFileSync(program, ['--list'], { encoding: 'utf8' }).trim().split('\n');
  return [
    hostFile(program, '/bin/busybox'),
    ...libraries,
    ...applets
      .filter((name) => name !== 'busybox')
      .map((name): TarEntry => ({ path: `bin/${name}`, kind: 'link', target: '/bin/busybox' })),
    textFile(
      'etc/passwd',
      'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/tmp:/bin/sh\n',
    ),
    textFile('etc/group', 'root:x:0:\nnogroup:x:65534:\n'),
    { path: 'root', kind: 'folder' },
    { path: 'tmp', kind: 'shared-folder' },
    { path: 'usr/bin', kind: 'folder' },
  ];
}

/** The images that every real node has, as archives by the names of their files. */
export async function buildStandardImages(
  busybox: string,
): Promise<Readonly<Record<string, Buffer>>> {
  const wait = ['/bin/busybox', 'sleep', '2147483647'];
  const pause = [
    hostFile(busybox, '/bin/busybox'),
    ...(await collectHostFiles([busybox])).slice(1),
  ];
  return {
    'busybox.tar': buildImageArchive({
      name: busyboxImage,
      entries: await collectBusybox(busybox),
      start: { Cmd: ['/bin/sh'], Env: [searchPath] },
    }),
    'pause.tar': buildImageArchive({
      name: pauseImage,
      entries: pause,
      start: { Entrypoint: wait },
    }),
  };
}

/** Where programs are found in images that are made here. */
export const searchPath = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export const textFile = (path: string, text: string): TarEntry => ({
  ...{ path, kind: 'file', content: Buffer.from(text), executable: text.startsWith('#!') },
});
