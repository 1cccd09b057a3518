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

/** For JSON.stringify: the values of secrets among members that have names, such as variables and headers. */
export function hideInMembers(_key: string, member: unknown): unknown {
  if (typeof member !== 'object' || member === null) return member;
  const { name, value } = member as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string' || typeof value !== 'string') return member;
  return { ...member, value: hideSecret(name, value) };
}
