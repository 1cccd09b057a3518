import { refOf } from '../../kinds.js';
import { isMap, isText, listOf, mapOf, type JsonMap } from '../json-value.js';
import type { Manifest } from '../parse-manifests.js';
import { generateValue } from './expression.js';
import { findMarks, type GeneratedValue, type MarkedText } from './generated-value.js';

type Step = string | number;

/** Where a generated value stands in an object. */
export interface Place extends MarkedText {
  readonly manifest: Manifest;
  readonly path: readonly Step[];
  /** Whether it could be read again from the object in the cluster. */
  readonly isReadable: boolean;
}

/** Every place of a generated value in what is to be applied. */
export function findPlaces(manifests: readonly Manifest[]): readonly Place[] {
  return manifests.flatMap((manifest) => {
    const { name, namespace = '' } = manifest.object.metadata;
    // An object whose very name is generated can't be found again.
    const isFixed = findMarks(`${name}${namespace}`).length === 0;
    return visit(manifest.object, []).map(({ isClear, ...place }) => ({
      ...place,
      manifest,
      isReadable: isClear && isFixed,
    }));
  });
}

interface FoundMark extends MarkedText {
  readonly path: readonly Step[];
  /** Whether it is a value of its own, and alone in its text. */
  readonly isClear: boolean;
}

function visit(value: unknown, path: readonly Step[]): readonly FoundMark[] {
  if (typeof value === 'string') {
    const marks = findMarks(value);
    return marks.map((mark) => ({ ...mark, path, isClear: marks.length === 1 }));
  }
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index) => visit(item, [...path, index]));
  }
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const inKey = findMarks(key).map((mark) => ({ ...mark, path, isClear: false }));
    const inValue = visit(item, [...path, key]);
    return [
      ...inKey,
      ...inValue.map((one) => (inKey.length > 0 ? { ...one, isClear: false } : one)),
    ];
  });
}

/** What the cluster has of an object: the object, nothing, or what may not be read. */
export type Existing = JsonMap | 'absent' | 'forbidden';

export interface DecidedValues {
  readonly values: ReadonlyMap<number, string>;
  readonly mistakes: readonly string[];
}

/**
 * A value for each parameter that is used: the one that the cluster has already, else a new one. It is
 * refused where the next deploy could not find it again, because that one would change it.
 */
export function decideValues(
  generated: readonly GeneratedValue[],
  places: readonly Place[],
  existing: ReadonlyMap<Manifest, Existing>,
  pick: (choices: number) => number,
): DecidedValues {
  const values = new Map<number, string>();
  const mistakes: string[] = [];
  for (const parameter of generated) {
    const own = places.filter(({ index }) => index === parameter.index);
    if (own.length === 0) continue;
    const decision = decide(own, existing);
    if (decision.is === 'mistake') {
      mistakes.push(
        `${parameter.template}: parameter ${parameter.name}: ${decision.problem}: give it with --param ${parameter.name}=VALUE`,
      );
    } else if (decision.is === 'kept') values.set(parameter.index, decision.value);
    else values.set(parameter.index, generateValue(parameter.pieces, pick));
  }
  return { values, mistakes };
}

type Decision =
  | { readonly is: 'kept'; readonly value: string }
  | { readonly is: 'new' }
  | { readonly is: 'mistake'; readonly problem: string };

function decide(places: readonly Place[], existing: ReadonlyMap<Manifest, Existing>): Decision {
  const readings = places
    .filter(({ isReadable }) => isReadable)
    .map((place) => ({ place, ...read(place, existing.get(place.manifest) ?? 'absent') }));
  const found = readings.filter((reading) => reading.is === 'found');
  const [first] = found;
  if (first !== undefined) {
    const other = found.find(({ value }) => value !== first.value);
    if (other === undefined) return { is: 'kept', value: first.value };
    const names = `${nameOf(first.place)} and ${nameOf(other.place)}`;
    return mistake(`${names} have different values of it`);
  }
  const unclear = readings.find((reading) => reading.is === 'unclear');
  if (unclear !== undefined) {
    return mistake(`${nameOf(unclear.place)} is there, but its value can't be read from it`);
  }
  const hidden = readings.find((reading) => reading.is === 'forbidden');
  if (hidden !== undefined) {
    return mistake(`you may not read ${nameOf(hidden.place)}, which may have its value already`);
  }
  if (readings.length > 0) return { is: 'new' };
  return mistake('a generated value would change with each deploy, as no object keeps it readable');
}

const mistake = (problem: string): Decision => ({ is: 'mistake', problem });

const nameOf = ({ manifest: { type, object } }: Place): string => refOf(type, object.metadata.name);

type Reading =
  | { readonly is: 'found'; readonly value: string }
  | { readonly is: 'absent' | 'unclear' | 'forbidden' };

function read(place: Place, object: Existing): Reading {
  if (object === 'absent' || object === 'forbidden') return { is: object };
  const text = lookUp(object, place);
  if (text === undefined) return { is: 'absent' };
  const { before, after } = place;
  const isWhole = text.startsWith(before) && text.endsWith(after);
  const value = text.slice(before.length, text.length - after.length);
  if (!isWhole || text.length <= before.length + after.length) return { is: 'unclear' };
  return { is: 'found', value };
}

/** The text at the place in the cluster's own form of the object. */
function lookUp(object: JsonMap, { manifest, path }: Place): string | undefined {
  const [first, key] = path;
  if (manifest.type.kind === 'Secret' && first === 'stringData' && key !== undefined) {
    const encoded = mapOf(object['data'])[key];
    return isText(encoded) ? Buffer.from(encoded, 'base64').toString('utf8') : undefined;
  }
  let wanted: unknown = manifest.object;
  let value: unknown = object;
  for (const step of path) {
    value = typeof step === 'number' ? findItem(value, wanted, step) : mapOf(value)[step];
    wanted = typeof step === 'number' ? listOf(wanted)[step] : mapOf(wanted)[step];
  }
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
}

/** An item of a list is known by its name, where it has one: others may have been put before it. */
function findItem(list: unknown, wanted: unknown, index: number): unknown {
  const { name } = mapOf(listOf(wanted)[index]);
  if (!isText(name)) return listOf(list)[index];
  return listOf(list).find((item) => mapOf(item)['name'] === name);
}
