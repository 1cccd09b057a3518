import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { collectHostFiles, hostFile } from '../../src/dev/node/host-files.js';
import type { ImageRequest } from '../../src/dev/node/image-archive.js';
import { findProgram } from '../../src/dev/node/observe-host.js';
import { collectBusybox, searchPath, textFile } from '../../src/dev/node/standard-images.js';
import { packageRoot } from '../../src/dev/package-root.js';

const shell = (): ReturnType<typeof collectBusybox> =>
  collectBusybox(findProgram('busybox') ?? 'busybox');

/** What examples/deployer/Dockerfile makes: a shell, kubectl and the script. */
export async function deployerImage(kubectl: string): Promise<ImageRequest> {
  return {
    name: 'slipway.dev/deployer:1',
    entries: [
      ...(await shell()),
      hostFile(kubectl, '/usr/local/bin/kubectl'),
      hostFile(join(packageRoot, 'examples/deployer/deploy.sh'), '/usr/local/bin/deploy'),
    ],
    start: {
      Entrypoint: ['/usr/local/bin/deploy'],
      Env: [searchPath, 'HOME=/tmp'],
      User: '65534:65534',
    },
  };
}

/** A shell, PostgreSQL's server and its clients, of this machine's newest version. */
export async function postgresImage(): Promise<ImageRequest> {
  const root = '/usr/lib/postgresql';
  const version = readdirSync(root)
    .sort((one, other) => Number(one) - Number(other))
    .at(-1)!;
  // The compiler for queries weighs more than all the rest, and is left out when it is missing.
  const isWanted = (path: string): boolean => !/llvmjit|bitcode|\/man\/|\/locale\//.test(path);
  const files = await collectHostFiles(
    [join(root, version), `/usr/share/postgresql/${version}`, '/usr/share/zoneinfo/Etc'],
    isWanted,
  );
  const user = 'postgres:x:999:999:postgres:/var/lib/postgresql:/bin/sh';
  return {
    name: 'slipway.dev/postgres:1',
    entries: [
      ...(await shell()),
      ...files,
      textFile('etc/passwd', `root:x:0:0:root:/root:/bin/sh\n${user}\n`),
      textFile('etc/group', 'root:x:0:\npostgres:x:999:\n'),
      { path: 'var/lib/postgresql', kind: 'shared-folder' },
      { path: 'var/run/postgresql', kind: 'shared-folder' },
    ],
    start: {
      Cmd: ['/bin/sh'],
      Env: [`${searchPath}:${join(root, version, 'bin')}`, 'PGDATA=/var/lib/postgresql/data'],
      User: '999:999',
    },
  };
}
