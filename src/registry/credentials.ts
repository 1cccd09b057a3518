import { formatRepository, isHub, type RepositoryName } from '../domain/images/parse-image.js';
import { compareBytes, matchesLocation, readLocation } from './match-location.js';

/** What opens a registry. Never logged, and never part of a message. */
export type RegistryCredentials =
  | { readonly kind: 'password'; readonly username: string; readonly password: string }
  | {
      /** What a login left behind: the token server changes it for a token that opens a repository. */
      readonly kind: 'identity-token';
      readonly token: string;
    };

/** A Secret as it stands on the wire, as far as it matters here. */
export interface PullSecret {
  readonly metadata?: { readonly name?: string };
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
}

export type PullSecretsReading =
  | { readonly kind: 'valid'; readonly keyring: Keyring }
  | { readonly kind: 'invalid'; readonly problem: string };

/** Credentials and what each of them is for, in the order of the Secrets. */
export type Keyring = readonly KeyringEntry[];

export interface KeyringEntry {
  /** A host, with wildcards perhaps, and the beginning of a path. */
  readonly location: string;
  readonly credentials: RegistryCredentials;
}

/** The key under which kubelet looks for those of Docker Hub, which goes by several names. */
const hubLocation = 'index.docker.io';

/** Where each type of Secret keeps its credentials, and where they are in there. */
const secretTypes: Readonly<
  Record<string, { readonly key: string; readonly entriesOf: (file: JsonObject) => unknown }>
> = {
  'kubernetes.io/dockerconfigjson': {
    key: '.dockerconfigjson',
    entriesOf: (file) => file['auths'],
  },
  'kubernetes.io/dockercfg': { key: '.dockercfg', entriesOf: (file) => file },
};

/** Reads Secrets as kubelet does: those of other types, and empty ones, say nothing. */
export function readPullSecrets(secrets: readonly PullSecret[]): PullSecretsReading {
  const keyring: KeyringEntry[] = [];
  for (const secret of secrets) {
    const entries = readSecret(secret);
    if (typeof entries === 'string') {
      const name = secret.metadata?.name ?? '';
      return {
        kind: 'invalid',
        problem: `the Secret "${name}" has no usable credentials: ${entries}`,
      };
    }
    keyring.push(...entries);
  }
  return { kind: 'valid', keyring };
}

/**
 * All credentials that may open a repository, the most particular first: one after the other is to be
 * tried. As with kubelet, which sorts what they are for and so has "example.com/team" before
 * "example.com", and both before "*.com".
 */
export function pickCredentials(
  keyring: Keyring,
  name: RepositoryName,
): readonly RegistryCredentials[] {
  const image = formatRepository(name);
  const matching = keyring.filter(({ location }) => matchesLocation(location, image));
  const chosen =
    matching.length === 0 && isHub(name.registry)
      ? keyring.filter(({ location }) => location === hubLocation)
      : matching;
  return chosen
    .toSorted((a, b) => compareBytes(b.location, a.location))
    .map(({ credentials }) => credentials);
}

type JsonObject = Readonly<Record<string, unknown>>;

/** A text is what is wrong; it tells nothing of the contents. */
function readSecret({ type = '', data = {} }: PullSecret): Keyring | string {
  const shape = Object.hasOwn(secretTypes, type) ? secretTypes[type] : undefined;
  const encoded = shape === undefined ? undefined : data[shape.key];
  if (shape === undefined || encoded === undefined || encoded === '') return [];
  const file = parseJson(Buffer.from(encoded, 'base64').toString('utf8'));
  if (!isObject(file)) return `data["${shape.key}"] is not a JSON object`;
  const entries = shape.entriesOf(file) ?? {};
  if (!isObject(entries)) return `"auths" in data["${shape.key}"] is not an object`;
  const keyring: KeyringEntry[] = [];
  for (const [place, entry] of Object.entries(entries)) {
    const location = readLocation(place);
    if (!isObject(entry)) return `the entry "${place}" is not an object`;
    const credentials = readEntry(entry);
    if (typeof credentials === 'string') return `the entry "${place}" ${credentials}`;
    // An entry for what is no host opens nothing.
    if (location !== undefined && credentials !== undefined)
      keyring.push({ location, credentials });
  }
  return keyring;
}

function readEntry(entry: JsonObject): RegistryCredentials | string | undefined {
  const identityToken = text(entry['identitytoken']);
  if (identityToken !== '') return { kind: 'identity-token', token: identityToken };
  const auth = text(entry['auth']).trim();
  if (auth === '') {
    const [username, password] = [text(entry['username']), text(entry['password'])];
    return username === '' && password === ''
      ? undefined
      : { kind: 'password', username, password };
  }
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(auth)) return 'has an "auth" that is not base64';
  const decoded = Buffer.from(auth, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon === -1) return 'has an "auth" that is not a user name, ":" and a password';
  return {
    kind: 'password',
    username: decoded.slice(0, colon),
    password: decoded.slice(colon + 1),
  };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function parseJson(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
