import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { hostFile } from '../../src/dev/node/host-files.js';
import type { ImageRequest } from '../../src/dev/node/image-archive.js';
import { findProgram } from '../../src/dev/node/observe-host.js';
import { collectBusybox, searchPath } from '../../src/dev/node/standard-images.js';
import { packageRoot } from '../../src/dev/package-root.js';
import { nodeStack } from './real-node.js';

/** What examples/deployer/Dockerfile makes: a shell, kubectl and the script. */
export async function deployerImage(kubectl: string): Promise<ImageRequest> {
  return {
    name: 'slipway.dev/deployer:1',
    entries: [
      ...(await collectBusybox(findProgram('busybox') ?? 'busybox')),
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

const run = promisify(execFile);

/** What examples/rails has, made and loaded as its users do; returns their names. */
export async function makeExampleImages(...names: readonly string[]): Promise<readonly string[]> {
  const script = join(packageRoot, 'examples/rails/make-images.mjs');
  const { stdout } = await run(process.execPath, [script, ...names], {
    env: { ...process.env, SLIPWAY_STATE_DIR: nodeStack().stateDir },
  });
  return stdout.trim().split('\n');
}
