import { canonicalJson } from '../shared/canonical-json.js';
import type { Labels } from './config-data.js';

/** What tells which application something is part of: its labels, and how it finds its pods. */
export interface Belonging {
  readonly labels: readonly Labels[];
  readonly selectors: readonly Labels[];
}

const partOf = 'app.kubernetes.io/part-of';
/** What OpenShift's tools set. */
const app = 'app';

/**
 * Whether two are parts of one application. Where both say what they are part of, that decides; else one `app`
 * label for both, or one selector.
 */
export function isSameApplication(a: Belonging, b: Belonging): boolean {
  const [partsOfA, partsOfB] = [valuesOf(a, partOf), valuesOf(b, partOf)];
  if (partsOfA.length > 0 && partsOfB.length > 0) return overlap(partsOfA, partsOfB);
  return overlap(valuesOf(a, app), valuesOf(b, app)) || overlap(listSelectors(a), listSelectors(b));
}

const valuesOf = ({ labels }: Belonging, label: string): readonly string[] =>
  labels.flatMap((all) => all[label] ?? []);

/** An empty one selects nothing here. */
const listSelectors = ({ selectors }: Belonging): readonly string[] =>
  selectors.filter((selector) => Object.keys(selector).length > 0).map(canonicalJson);

const overlap = (a: readonly string[], b: readonly string[]): boolean =>
  a.some((value) => b.includes(value));
