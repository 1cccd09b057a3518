import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, test } from '@jest/globals';

import { collectHostFiles, hostFile, parseLdd } from '../../../src/dev/node/host-files.js';
import { buildImageArchive } from '../../../src/dev/node/image-archive.js';
import { parseImported } from '../../../src/dev/node/load-image.js';
import { buildTar, type TarEntry } from '../../../src/dev/node/tar.js';

const folder = mkdtempSync(join(tmpdir(), 'slipway-images-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const text = (path: string, content: string, executable = false): TarEntry => ({
  ...{ path, kind: 'file', content: Buffer.from(content), executable },
});

/** Unpacks with the system's own tar, which is the judge of what an archive is. */
function unpack(archive: Buffer, name: string): string {
  const target = join(folder, name);
  mkdirSync(target);
  writeFileSync(`${target}.tar`, archive);
  execFileSync('tar', ['-xpf', `${target}.tar`, '-C', target]);
  return target;
}

/** Everything below a folder, with its kind, its mode and where it leads. */
function list(target: string): readonly string[] {
  const kinds = (path: string): string => {
    const { mode } = lstatSync(path);
    const kind = mode & 0o170_000;
    if (kind === 0o120_000) return `-> ${readlinkSync(path)}`;
    return `${kind === 0o040_000 ? 'folder' : 'file'} ${(mode & 0o7777).toString(8)}`;
  };
  return readdirSync(target, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((path) => `${path} ${kinds(join(target, path))}`);
}

describe('an archive', () => {
  test('holds files, folders and links with their modes', () => {
    const archive = buildTar([
      { path: 'bin', kind: 'folder' },
      text('bin/run', '#!/bin/sh\n', true),
      text('notes', 'x'.repeat(513)),
      { path: 'bin/sh', kind: 'link', target: '/bin/run' },
      { path: 'tmp', kind: 'shared-folder' },
    ]);
    const target = unpack(archive, 'plain');
    expect(list(target)).toEqual([
      'bin folder 755',
      'bin/run file 755',
      'bin/sh -> /bin/run',
      'notes file 644',
      'tmp folder 1777',
    ]);
    expect(readFileSync(join(target, 'notes'), 'utf8')).toBe('x'.repeat(513));
  });

  test('holds paths of up to 255 characters', () => {
    const long = `${'a'.repeat(90)}/${'b'.repeat(60)}/${'c'.repeat(95)}`;
    const target = unpack(buildTar([text(long, 'deep')]), 'deep');
    expect(readFileSync(join(target, long), 'utf8')).toBe('deep');
    expect(() => buildTar([text('d'.repeat(101), '')])).toThrow('is too long');
  });
});

describe('an image', () => {
  const start = { Cmd: ['/bin/run'] };
  const entries = [text('usr/local/bin/run', 'old'), text('usr/local/bin/run', 'new', true)];
  const archive = buildImageArchive({ name: 'slipway.dev/try:1', entries, start });
  const target = unpack(archive, 'image');
  const [manifest] = JSON.parse(readFileSync(join(target, 'manifest.json'), 'utf8')) as [
    { Config: string; RepoTags: string[]; Layers: string[] },
  ];
  const config = readFileSync(join(target, manifest.Config));
  const layer = readFileSync(join(target, manifest.Layers[0]!));

  test('has a name, a way to start and one layer, whose digest it names', () => {
    const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
    expect(manifest.RepoTags).toEqual(['slipway.dev/try:1']);
    expect(manifest.Config).toBe(`${sha256(config)}.json`);
    expect(JSON.parse(config.toString())).toMatchObject({
      os: 'linux',
      config: start,
      rootfs: { diff_ids: [`sha256:${sha256(layer)}`] },
    });
  });

  test('has the folders that its files are in, and of two files with one path the later', () => {
    expect(list(unpack(layer, 'layer'))).toEqual([
      'usr folder 755',
      'usr/local folder 755',
      'usr/local/bin folder 755',
      'usr/local/bin/run file 755',
    ]);
  });

  test('is the same whenever it is made', () => {
    expect(buildImageArchive({ name: 'slipway.dev/try:1', entries, start })).toEqual(archive);
  });
});

describe('files of this machine', () => {
  test('come with what is in their folders, without what is not wanted', async () => {
    const tree = join(folder, 'tree');
    mkdirSync(join(tree, 'inner'), { recursive: true });
    writeFileSync(join(tree, 'inner', 'kept'), 'kept');
    writeFileSync(join(tree, 'left-out'), '');
    symlinkSync('inner/kept', join(tree, 'link'));
    symlinkSync('inner', join(tree, 'shortcut'));
    const entries = await collectHostFiles([tree], (path) => !path.endsWith('left-out'));
    const known = entries.map(({ path, kind }) => [`/${path}`.slice(tree.length), kind]);
    expect(known).toEqual([
      ['', 'folder'],
      ['/inner', 'folder'],
      ['/inner/kept', 'file'],
      ['/link', 'file'],
      ['/shortcut', 'link'],
    ]);
    expect(hostFile(join(tree, 'link'), '/etc/kept')).toMatchObject({
      path: 'etc/kept',
      content: Buffer.from('kept'),
    });
  });

  test('come with the libraries that they need', () => {
    const answer = [
      '\tlinux-vdso.so.1 (0x00007ffd4a5c6000)',
      '\tlibz.so.1 => /lib/x86_64-linux-gnu/libz.so.1 (0x00007f8a1c000000)',
      '\tlibgone.so => not found',
      '\t/lib64/ld-linux-x86-64.so.2 (0x00007f8a1c400000)',
    ].join('\n');
    expect(parseLdd(answer)).toEqual([
      '/lib/x86_64-linux-gnu/libz.so.1',
      '/lib64/ld-linux-x86-64.so.2',
    ]);
    expect(parseLdd('\tnot a dynamic executable')).toEqual([]);
  });
});

test('what was loaded is told by name', () => {
  const answer =
    'unpacking slipway.dev/busybox:1 (sha256:4b16)...done\nunpacking a/b:2 (sha256:1)...';
  expect(parseImported(answer)).toEqual(['slipway.dev/busybox:1', 'a/b:2']);
});
