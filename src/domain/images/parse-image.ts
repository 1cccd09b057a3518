import { isDigest } from './digest.js';

/** A repository of images, in full. Example: docker.io and library/nginx. */
export interface RepositoryName {
  /** The host, with its port where it has one, as images are named by it. */
  readonly registry: string;
  readonly repository: string;
}

export interface ImageName extends RepositoryName {
  readonly tag?: string;
  readonly digest?: string;
}

export type Parsed<T> =
  | { readonly kind: 'valid'; readonly value: T }
  | { readonly kind: 'invalid'; readonly problem: string };

/** Docker Hub, which names without a host mean. Its images go by one host and its API by another. */
const hub = 'docker.io';
const hubAliases = [hub, 'index.docker.io'];
const hubApiHost = 'registry-1.docker.io';
const hubOwnFolder = 'library';

const longestName = 255;
const highestPort = 65_535;

const hostName = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;
const ipv6Host = /^\[[0-9a-f:.]+\]$/;
const pathPart = /^[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*$/;
const tagPattern = /^\w[\w.-]{0,127}$/;
const bareHash = /^[0-9a-f]{64}$/;

export const isTag = (text: string): boolean => tagPattern.test(text);

/** Example: "nginx:1.29" -> docker.io, library/nginx, 1.29 */
export function parseImage(text: string): Parsed<ImageName> {
  const reject = (why: string): Parsed<never> => invalid(`"${text}" is not an image: ${why}`);
  const general = findGeneralProblem(text);
  if (general !== undefined) return reject(general);
  const [beforeDigest = '', digest, ...more] = text.split('@');
  if (more.length > 0) return reject('it has more than one "@"');
  if (digest !== undefined && !isDigest(digest)) return reject(explainDigest(digest));
  const { name, tag } = splitTag(beforeDigest);
  if (tag !== undefined && !isTag(tag)) return reject(explainTag(tag));
  const repository = readRepository(name);
  if (repository.kind === 'invalid') return reject(repository.problem);
  return valid({
    ...repository.value,
    ...(tag === undefined ? {} : { tag }),
    ...(digest === undefined ? {} : { digest }),
  });
}

/** A repository without a tag and without a digest. */
export function parseRepository(text: string): Parsed<RepositoryName> {
  const reject = (why: string): Parsed<never> => invalid(`"${text}" is not a repository: ${why}`);
  const general = findGeneralProblem(text);
  if (general !== undefined) return reject(general);
  if (text.includes('@')) return reject('it names a digest, which belongs to one image');
  const { name, tag } = splitTag(text);
  if (tag !== undefined) return reject(`it names the tag "${tag}"`);
  const repository = readRepository(name);
  return repository.kind === 'invalid' ? reject(repository.problem) : repository;
}

export const formatRepository = ({ registry, repository }: RepositoryName): string =>
  `${registry}/${repository}`;

/** In full, so that two spellings of one image become one. */
export function formatImage(image: ImageName): string {
  const tag = image.tag === undefined ? '' : `:${image.tag}`;
  const digest = image.digest === undefined ? '' : `@${image.digest}`;
  return `${formatRepository(image)}${tag}${digest}`;
}

export const isSameRepository = (a: RepositoryName, b: RepositoryName): boolean =>
  a.registry === b.registry && a.repository === b.repository;

/** The host, and port, at which a registry answers. */
export const registryHost = (registry: string): string =>
  registry === hub ? hubApiHost : registry;

/** Whether a registry is on the machine itself, where Docker and containerd do without TLS as well. */
export const isLoopback = (registry: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/.test(registry);

/** Whether a registry is Docker Hub. */
export const isHub = (registry: string): boolean => registry === hub;

export const explainTag = (tag: string): string =>
  `the tag "${tag}" must have 1 to 128 letters, digits, "_", "." and "-", and begin with none of the last two`;

const explainDigest = (digest: string): string =>
  `the digest "${digest}" must be sha256: and 64, or sha512: and 128 hexadecimal digits in lower case`;

function findGeneralProblem(text: string): string | undefined {
  if (text === '') return 'it is empty';
  if (/\s/.test(text)) return 'it has white space in it';
  const scheme = /^[a-z]+:\/\//i.exec(text)?.[0];
  return scheme === undefined ? undefined : `leave out "${scheme}"`;
}

/** A colon behind the last slash begins a tag; one before it, a port. */
function splitTag(text: string): { readonly name: string; readonly tag?: string } {
  const colon = text.lastIndexOf(':');
  if (colon <= text.lastIndexOf('/')) return { name: text };
  return { name: text.slice(0, colon), tag: text.slice(colon + 1) };
}

/** The problem, where there is one, is the second half of a sentence. */
function readRepository(name: string): Parsed<RepositoryName> {
  const { host, path } = splitHost(name);
  const hostProblem = host === undefined ? undefined : findHostProblem(host);
  if (hostProblem !== undefined) return invalid(hostProblem);
  const lowerHost = host?.toLowerCase() ?? hub;
  const registry = hubAliases.includes(lowerHost) ? hub : lowerHost;
  const pathProblem = findPathProblem(path);
  if (pathProblem !== undefined) return invalid(pathProblem);
  if (host === undefined && bareHash.test(path)) {
    return invalid('64 hexadecimal digits alone could also be the id of an image');
  }
  const repository = registry === hub && !path.includes('/') ? `${hubOwnFolder}/${path}` : path;
  return `${registry}/${repository}`.length > longestName
    ? invalid(`with its registry, the name has more than ${longestName} characters`)
    : valid({ registry, repository });
}

/** As Docker does: a first part that could not be a folder of Docker Hub's is a host. */
function splitHost(name: string): { readonly host?: string; readonly path: string } {
  const slash = name.indexOf('/');
  const first = name.slice(0, Math.max(slash, 0));
  const isHost = /[.:\]]/.test(first) || first === 'localhost' || first !== first.toLowerCase();
  return isHost ? { host: first, path: name.slice(slash + 1) } : { path: name };
}

function findHostProblem(text: string): string | undefined {
  const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(text.toLowerCase()) ?? [];
  if (!hostName.test(host) && !ipv6Host.test(host)) return `the registry "${text}" is no host name`;
  if (port === undefined) return undefined;
  const isPort = /^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= highestPort;
  return isPort ? undefined : `the registry "${text}" has no valid port`;
}

function findPathProblem(path: string): string | undefined {
  if (path === '') return 'the name of the repository is missing';
  const wrong = path.split('/').find((part) => !pathPart.test(part));
  if (wrong === undefined) return undefined;
  if (wrong === '') return 'a part of the name is empty';
  return wrong !== wrong.toLowerCase() && pathPart.test(wrong.toLowerCase())
    ? `"${wrong}" must be in lower case`
    : `"${wrong}" may have lower-case letters and digits, with ".", "_", "__" or dashes between them`;
}

const valid = <T>(value: T): Parsed<T> => ({ kind: 'valid', value });
const invalid = (problem: string): Parsed<never> => ({ kind: 'invalid', problem });
