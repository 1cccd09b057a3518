import { canonicalJson } from '../shared/canonical-json.js';
import { defined } from '../shared/optional.js';
import { areaOf, formatPath, type FieldPath } from './field-path.js';
import { cutText, describeValue, describeVariable, describeVariables } from './describe-value.js';
import { identifyMembers, isFields, type Fields } from './identify-members.js';
import { changeAreas, type FieldChange } from './report.js';

/** A config as it stands on the wire, as far as going back can change it. */
export interface ComparedConfig {
  readonly metadata: { readonly labels?: object | null };
  readonly spec: object;
}

const longestText = 500;

/**
 * What differs between a config and the one that would take its place, by area, one entry for each smallest
 * part that does. Members of lists are told apart by what identifies them, so that one more variable at the
 * top is one change and not many. What is added or removed as a whole is one entry, apart from containers,
 * of which people want to know image, variables, ports and mounts.
 *
 * Example: another image and one variable less ->
 *   images  spec.template.spec.containers[web].image            shop/web:2 -> shop/web:1
 *   env     spec.template.spec.containers[web].env[CACHE_HOST]  cache      -> (none)
 */
export function compareConfigs(
  current: ComparedConfig,
  proposed: ComparedConfig,
): readonly FieldChange[] {
  const changes = [
    ...compareFields(
      ['metadata', 'labels'],
      current.metadata.labels ?? {},
      proposed.metadata.labels ?? {},
    ),
    ...compareFields(['spec'], fillTriggers(current.spec), fillTriggers(proposed.spec)),
  ];
  // Sorting keeps the order of those of one area.
  return changes.toSorted((a, b) => changeAreas.indexOf(a.area) - changeAreas.indexOf(b.area));
}

/** No triggers at all and triggers that are left out are two things. */
function fillTriggers(spec: object): object {
  const { triggers } = spec as { readonly triggers?: unknown };
  return { ...spec, triggers: triggers ?? [{ type: 'ConfigChange' }] };
}

function compareFields(path: FieldPath, from: unknown, to: unknown): FieldChange[] {
  if (isSame(from, to)) return [];
  const describe = describerFor(path);
  if (describe !== undefined) return [toChange(path, describe(from), describe(to))];
  const lists = asLists(from, to);
  if (lists !== undefined) return compareMembers(path, ...lists);
  if ((isFields(from) && isFields(to)) || isContainer(path)) {
    return compareEach(path, isFields(from) ? from : {}, isFields(to) ? to : {});
  }
  return [toChange(path, describeValue(path, from), describeValue(path, to))];
}

function compareEach(path: FieldPath, from: Fields, to: Fields): FieldChange[] {
  const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])].sort();
  // What a container goes by is in the path already.
  const told = isContainer(path) ? keys.filter((key) => key !== 'name') : keys;
  return told.flatMap((key) => compareFields([...path, key], from[key], to[key]));
}

function compareMembers(
  path: FieldPath,
  from: readonly Fields[],
  to: readonly Fields[],
): FieldChange[] {
  const list = String(path.at(-1));
  const before = identifyMembers(list, from);
  const after = identifyMembers(list, to);
  const ids = [...new Set([...before.keys(), ...after.keys()])];
  return [
    ...ids.flatMap((id) => compareFields([...path, [id]], before.get(id), after.get(id))),
    ...compareOrder(path, [...before.keys()], [...after.keys()]),
  ];
}

/** Variables may be made of those before them, and init containers run one after another. */
function compareOrder(
  path: FieldPath,
  before: readonly string[],
  after: readonly string[],
): FieldChange[] {
  const from = before.filter((id) => after.includes(id)).join(', ');
  const to = after.filter((id) => before.includes(id)).join(', ');
  if (!matters(path.at(-1)) || from === to) return [];
  return [{ field: `${formatPath(path)} (order)`, area: areaOf(path), from, to }];
}

const matters = (list: FieldPath[number] | undefined): boolean =>
  list === 'env' || list === 'envFrom' || list === 'initContainers';

/** How members of a list are told as a whole; undefined for those that are looked into. */
function describerFor(path: FieldPath): ((value: unknown) => string | undefined) | undefined {
  const [list, member] = path.slice(-2);
  if (!Array.isArray(member)) return undefined;
  if (isOfPairs(list)) return ifGiven(describeVariable);
  return list === 'envFrom' ? ifGiven(describeVariables) : undefined;
}

/** Members that are a name and a value, which may be a secret. */
const isOfPairs = (list: FieldPath[number] | undefined): boolean =>
  list === 'env' || list === 'environment' || list === 'httpHeaders';

const ifGiven =
  (describe: (fields: object) => string) =>
  (value: unknown): string | undefined =>
    isFields(value) ? describe(value) : undefined;

const isContainer = (path: FieldPath): boolean => {
  const [list, member] = path.slice(-2);
  return Array.isArray(member) && (list === 'containers' || list === 'initContainers');
};

/** Lists whose members are looked into; an absent one is empty. The words of a command mean something together. */
function asLists(
  from: unknown,
  to: unknown,
): readonly [readonly Fields[], readonly Fields[]] | undefined {
  const lists = [from ?? [], to ?? []];
  if (!Array.isArray(from) && !Array.isArray(to)) return undefined;
  if (!lists.every((list) => Array.isArray(list) && list.every(isFields))) return undefined;
  return lists as [Fields[], Fields[]];
}

const isSame = (a: unknown, b: unknown): boolean =>
  canonicalJson({ value: a }) === canonicalJson({ value: b });

function toChange(path: FieldPath, from: string | undefined, to: string | undefined): FieldChange {
  const before = from === undefined ? undefined : cutText(from, longestText);
  const after = to === undefined ? undefined : cutText(to, longestText);
  return {
    field: formatPath(path),
    area: areaOf(path),
    ...defined({
      from: before,
      // What differs is hidden, or cut off.
      to: after !== undefined && after === before ? `${after}, another one` : after,
    }),
  };
}
