// The images of this example, made of files of this machine: no Docker, and nothing to download.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const built = new URL('../../dist/dev/node/', import.meta.url);
const { collectHostFiles, hostFile } = await import(new URL('host-files.js', built));
const { findProgram } = await import(new URL('observe-host.js', built));
const { collectBusybox, searchPath, textFile } = await import(new URL('standard-images.js', built));

const here = fileURLToPath(new URL('.', import.meta.url));
const postgresRoot = '/usr/lib/postgresql';
/** Debian's packages, by what Ruby calls their contents. */
const gems = {
  rake: 'rake',
  railties: 'ruby-railties',
  activerecord: 'ruby-activerecord',
  pg: 'ruby-pg',
  puma: 'puma',
};

/** What of the distribution the images are made of and is not installed. */
export function findMissingPackages() {
  return [...(existsSync(postgresRoot) ? [] : ['postgresql']), ...findMissingGems()];
}

function findMissingGems() {
  if (findProgram('ruby') === undefined) return ['ruby', ...Object.values(gems)];
  const isThere = 'Gem::Specification.find_all_by_name(name).any?';
  const names = askRuby(`puts ARGV.reject { |name| ${isThere} }`, Object.keys(gems));
  return names.map((name) => gems[name]);
}

/** Of the world's time zones, the one that both of them count in. */
const zones = ['UTC', 'Etc', 'iso3166.tab', 'zone.tab'].map(
  (name) => `/usr/share/zoneinfo/${name}`,
);

const askRuby = (script, words = []) =>
  execFileSync('ruby', ['-e', script, ...words], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '');

const collectShell = () => collectBusybox(findProgram('busybox'));

/** A shell, PostgreSQL's server and its clients, of this machine's newest version. */
export async function postgresImage() {
  const version = readdirSync(postgresRoot)
    .sort((one, other) => Number(one) - Number(other))
    .at(-1);
  // The compiler for queries weighs more than all the rest, and is left out when it is missing.
  const isWanted = (path) => !/llvmjit|bitcode|\/man\/|\/locale\//.test(path);
  const files = await collectHostFiles(
    [join(postgresRoot, version), `/usr/share/postgresql/${version}`, ...zones],
    isWanted,
  );
  const user = 'postgres:x:999:999:postgres:/var/lib/postgresql:/bin/sh';
  return {
    name: 'slipway.dev/postgres:1',
    entries: [
      ...(await collectShell()),
      ...files,
      textFile('etc/passwd', `root:x:0:0:root:/root:/bin/sh\n${user}\n`),
      textFile('etc/group', 'root:x:0:\npostgres:x:999:\n'),
      { path: 'var/lib/postgresql', kind: 'shared-folder' },
      { path: 'var/run/postgresql', kind: 'shared-folder' },
    ],
    start: {
      Cmd: ['/bin/sh'],
      Env: [
        `${searchPath}:${join(postgresRoot, version, 'bin')}`,
        'PGDATA=/var/lib/postgresql/data',
      ],
      User: '999:999',
      // By which it ends at once; by the usual one it waits for its clients.
      StopSignal: 'SIGINT',
    },
  };
}

/** A shell, Ruby with the gems of the distribution, and the application: each version lies over those before it. */
export async function railsImage(version) {
  const isWanted = (path) => !/\/(rdoc|ri|doc)\//.test(`${path}/`);
  const files = await collectHostFiles([...findRubyFolders(), ...zones], isWanted);
  const programs = await collectHostFiles(askRuby('puts RbConfig.ruby'));
  const scripts = ['ruby', 'rake', 'puma'].map((name) =>
    hostFile(findProgram(name), `/usr/bin/${name}`),
  );
  const layers = Array.from({ length: version }, (_, index) => `version-${index + 1}`);
  return {
    name: `docker.io/example/rails:${version}`,
    entries: [
      ...(await collectShell()),
      ...files,
      ...programs,
      ...scripts,
      ...layers.flatMap((layer) => readApplication(join(here, layer))),
    ],
    start: {
      Cmd: ['puma', '--bind', 'tcp://0.0.0.0:8080'],
      Env: [searchPath, 'HOME=/tmp', 'LANG=C.UTF-8', 'RAILS_ENV=production'],
      User: '65534:65534',
      WorkingDir: '/app',
    },
  };
}

/** Where Ruby looks for libraries, as far as the distribution put it there; none is inside of another. */
function findRubyFolders() {
  const found = askRuby('puts $LOAD_PATH, Gem.path').filter(
    (path) => /^\/usr\/(lib|share)\//.test(path) && existsSync(path),
  );
  const isInside = (path) => found.some((other) => path.startsWith(`${other}/`));
  return [...new Set(found)].filter((path) => !isInside(path));
}

const readApplication = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => hostFile(path, path.replace(folder, '/app')));
