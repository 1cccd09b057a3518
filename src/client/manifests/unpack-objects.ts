import { isMap, mapOf, type JsonMap } from './json-value.js';
import type { Located } from './parse-documents.js';
import { expandTemplate, isTemplate } from './templates/expand-template.js';
import type { GeneratedValue } from './templates/generated-value.js';

export interface UnpackedObjects {
  readonly objects: readonly Located[];
  /** The names of the parameters of all Templates. */
  readonly parameterNames: readonly string[];
  readonly generated: readonly GeneratedValue[];
  readonly mistakes: readonly string[];
}

/** The objects themselves: Lists and Templates, also in one another, are taken apart. */
export function unpackObjects(
  values: readonly Located[],
  given: ReadonlyMap<string, string>,
): UnpackedObjects {
  const parameterNames: string[] = [];
  const generated: GeneratedValue[] = [];
  const mistakes: string[] = [];

  const unpack = (located: Located): readonly Located[] => {
    const { source, where, value } = located;
    if (isList(value)) {
      return value.items.flatMap((item, index) =>
        unpack({ source, where: `${where}items[${index}]: `, value: item }),
      );
    }
    if (!isTemplate(value)) return [located];
    const firstIndex = generated.length;
    const expanded = expandTemplate({ located, template: value, given, firstIndex });
    parameterNames.push(...expanded.names);
    generated.push(...expanded.generated);
    mistakes.push(...expanded.mistakes);
    return expanded.objects.flatMap(unpack).map((object) => addLabels(object, expanded.labels));
  };

  const objects = values.flatMap(unpack);
  return { objects, parameterNames, generated, mistakes };
}

function isList(value: unknown): value is { readonly items: readonly unknown[] } {
  return isMap(value) && value['kind'] === 'List' && Array.isArray(value['items']);
}

/** The Template's labels win over those of the object, as with OpenShift. */
function addLabels(located: Located, labels: JsonMap): Located {
  const { value } = located;
  if (!isMap(value) || Object.keys(labels).length === 0) return located;
  const metadata = mapOf(value['metadata']);
  const all = { ...mapOf(metadata['labels']), ...labels };
  return { ...located, value: { ...value, metadata: { ...metadata, labels: all } } };
}
