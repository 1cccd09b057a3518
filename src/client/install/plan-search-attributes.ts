import { searchAttributes } from '../../contracts/search-attributes.js';

/** The types of search attributes by their number in Temporal's protocol. */
const typeNumbers: Readonly<Record<string, number>> = {
  TEXT: 1,
  KEYWORD: 2,
  INT: 3,
  DOUBLE: 4,
  BOOL: 5,
  DATETIME: 6,
  KEYWORD_LIST: 7,
};

export interface SearchAttributePlan {
  /** By name, with the number of the type. */
  readonly missing: Readonly<Record<string, number>>;
  readonly present: readonly string[];
  readonly wrong: readonly {
    readonly name: string;
    readonly has: string;
    readonly wants: string;
  }[];
}

/** What is to be added to a Temporal namespace that has these attributes, by name and type number. */
export function planSearchAttributes(
  existing: Readonly<Record<string, number>>,
): SearchAttributePlan {
  const missing: Record<string, number> = {};
  const present: string[] = [];
  const wrong: SearchAttributePlan['wrong'][number][] = [];
  for (const { name, type } of Object.values(searchAttributes)) {
    const wanted = typeNumbers[type];
    if (wanted === undefined) throw new Error(`search attributes have no type ${type}`);
    const found = existing[name];
    if (found === undefined) missing[name] = wanted;
    else if (found === wanted) present.push(name);
    else wrong.push({ name, has: typeName(found), wants: type });
  }
  return { missing, present, wrong };
}

function typeName(number: number): string {
  const found = Object.entries(typeNumbers).find(([, value]) => value === number);
  return found?.[0] ?? `type ${number}`;
}
