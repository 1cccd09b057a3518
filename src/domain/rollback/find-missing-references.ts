import type { Reference } from './list-references.js';
import type { RollbackWarning } from './report.js';
import type { Existing } from './scene.js';

/** What pods would need and what is not there, or has not the key, once for each. */
export function findMissingReferences(
  references: readonly Reference[],
  existing: readonly Existing[],
): readonly RollbackWarning[] {
  const warnings = new Map<string, RollbackWarning>();
  for (const { kind, name, key, field } of references) {
    const found = existing.find((one) => one.kind === kind && one.name === name);
    const hasKey = key === undefined || found?.keys === undefined || found.keys.includes(key);
    if (found !== undefined && hasKey) continue;
    const object = `${kind}/${name}`;
    const what = found === undefined ? 'it is gone' : `it has no key "${key ?? ''}"`;
    const id = found === undefined ? object : `${object} ${key ?? ''}`;
    if (warnings.has(id)) continue;
    warnings.set(id, {
      kind: 'MissingReference',
      object,
      message: `${what}, and ${field} needs it`,
    });
  }
  return [...warnings.values()];
}
