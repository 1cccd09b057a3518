import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import type { PartName } from './parts.js';

export const stateFolderName = '.slipway';

/** Where a stack keeps what is its own. All of it is in one folder. */
export interface Layout {
  readonly folder: string;
  readonly lock: string;
  readonly state: string;
  readonly kubeconfig: string;
  readonly temporalDatabase: string;
  readonly temporalProfile: string;
  readonly etcdData: string;
  readonly pki: string;
  /** The disk of the real node. */
  readonly node: string;
  readonly logs: string;
}

export function layoutOf(folder: string): Layout {
  return {
    folder,
    lock: join(folder, 'lock'),
    state: join(folder, 'state.json'),
    kubeconfig: join(folder, 'kubeconfig'),
    temporalDatabase: join(folder, 'temporal.db'),
    temporalProfile: join(folder, 'temporal.toml'),
    etcdData: join(folder, 'etcd'),
    pki: join(folder, 'pki'),
    node: join(folder, 'node'),
    logs: join(folder, 'logs'),
  };
}

export const logPath = (layout: Layout, part: PartName): string => join(layout.logs, `${part}.log`);

/**
 * The folder asked for, else the one in the project that the current folder belongs to: the same from
 * everywhere in a clone.
 */
export function findStateFolder(asked: string | undefined, currentFolder: string): string {
  if (asked !== undefined && asked !== '') return resolve(currentFolder, asked);
  const parents = ancestors(resolve(currentFolder));
  const isProject = (folder: string): boolean =>
    [stateFolderName, '.git', 'package.json'].some((name) => existsSync(join(folder, name)));
  return join(parents.find(isProject) ?? currentFolder, stateFolderName);
}

function ancestors(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestors(parent)];
}
