import { canonicalJson } from '../../domain/shared/canonical-json.js';
import type { PodTemplate } from '../objects.js';
import { templateHashLabel } from './annotations.js';

/** Objects from a watch are never changed in place, so each template is spelt out once. */
const spelt = new WeakMap<PodTemplate, string>();

/** Whether two templates make the same pods; the label that tells the sets apart doesn't count. */
export function sameTemplate(a: PodTemplate, b: PodTemplate): boolean {
  return spell(a) === spell(b);
}

function spell(template: PodTemplate): string {
  const known = spelt.get(template);
  if (known !== undefined) return known;
  const text = canonicalJson(withoutHash(template));
  spelt.set(template, text);
  return text;
}

export function withoutHash(template: PodTemplate): PodTemplate {
  const metadata = { ...template.metadata };
  delete metadata.creationTimestamp;
  const labels = { ...metadata.labels };
  const { [templateHashLabel]: hash, ...rest } = labels;
  return { ...template, metadata: { ...metadata, labels: hash === undefined ? labels : rest } };
}
