/** What stands in the place of a value that nobody should read here. */
export const hidden = '(hidden)';

/** Words of a name that tell of a secret; each may have an S or a number behind it. */
const secretWords: readonly string[] = [
  'PASSWORD',
  'PASSWD',
  'PASSPHRASE',
  'PASSCODE',
  'PASS',
  'PWD',
  'SECRET',
  'TOKEN',
  'KEY',
  'APIKEY',
  'CREDENTIAL',
  'CRED',
  'AUTHORIZATION',
  'JWT',
];

/**
 * A plain value as it may be told: what is reported is kept in a run's history, where passwords have no place.
 * Example: DB_PASSWORD, hunter2 -> (hidden)
 *          DB_URL, postgres://shop:hunter2@db/shop -> postgres://shop:(hidden)@db/shop
 */
export const hideSecret = (name: string, value: string): string =>
  value !== '' && isSecretName(name) ? hidden : hidePasswords(value);

/** Only whole words count. Example: DB_PASSWORD, dbPassword and API_KEYS, but neither MONKEY nor KEYBOARD */
function isSecretName(name: string): boolean {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .split(/[^A-Za-z\d]+/)
    .map((word) => word.toUpperCase().replace(/\d+$/, ''));
  return words.some((word) => secretWords.includes(word) || isPlural(word));
}

const isPlural = (word: string): boolean =>
  word.endsWith('S') && secretWords.includes(word.slice(0, -1));

/** Those of URLs, wherever in a text. */
export const hidePasswords = (text: string): string =>
  text.replaceAll(/([a-z][a-z\d+.-]*:\/\/[^\s/:@"]*:)[^\s/@"]+@/gi, `$1${hidden}@`);

/** Maps whose keys people choose, so that any of them may be the name of a secret. */
const freeMaps: readonly string[] = [
  'annotations',
  'labels',
  'matchLabels',
  'nodeSelector',
  'options',
  'selector',
  'volumeAttributes',
];

/** Fields of the API that sound like secrets, and only say where one is or what something is sorted by. */
const referenceFields: readonly string[] = [
  'credentialBundlePath',
  'key',
  'keyPath',
  'keyType',
  'secretFile',
  'topologyKey',
];

/** As above, also where drivers of volumes expect them among their attributes. */
const driverReferences: readonly string[] = [
  'secretName',
  'secretNamespace',
  'secretProviderClass',
];

/**
 * A value at the end of a path of names, without the secrets in it: texts whose own name tells of one, and the
 * values of members that have a name and a value, such as variables and headers.
 * Example: …, annotations, {"api-token": "x", "tier": "a"} -> {"api-token": "(hidden)", "tier": "a"}
 */
export function hideWithin(path: readonly string[], value: unknown): unknown {
  const [map = '', name = ''] = path.slice(-2);
  if (typeof value === 'string') return isReference(map, name) ? value : hideSecret(name, value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    // The words of a list are no entries of it, whatever the list is called.
    return value.map((member: unknown) => hideWithin([...path, ''], member));
  }
  const fields = Object.entries(value).map(([key, field]: [string, unknown]) => [
    key,
    hideWithin([...path, key], field),
  ]);
  return { ...Object.fromEntries(fields), ...hideInPair(value) };
}

const isReference = (map: string, name: string): boolean =>
  driverReferences.includes(name) || (referenceFields.includes(name) && !freeMaps.includes(map));

function hideInPair(member: object): object {
  const { name, value } = member as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string' || typeof value !== 'string') return {};
  return { value: hideSecret(name, value) };
}
