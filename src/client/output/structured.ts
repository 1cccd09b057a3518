import { Option } from 'commander';
import { stringify } from 'yaml';

export type OutputFormat = 'json' | 'yaml';

/** The option that every reading command takes. */
export const outputOption = (): Option =>
  new Option('-o, --output <format>', 'print as data instead of text').choices(['json', 'yaml']);

/** One whole document, for people and programs alike. */
export function formatDocument(value: unknown, format: OutputFormat): string {
  return format === 'json' ? `${JSON.stringify(value, undefined, 2)}\n` : formatYaml(value);
}

/** One document of a stream: a line of JSON, or a YAML document after its separator. */
export function formatStreamed(value: unknown, format: OutputFormat): string {
  return format === 'json' ? `${JSON.stringify(value)}\n` : `---\n${formatYaml(value)}`;
}

/** Strings such as "on" are quoted, because Kubernetes reads YAML 1.1, where they would be booleans. */
export function formatYaml(value: unknown): string {
  return stringify(value, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false });
}
