import { isMap, isText, mapOf, type JsonMap } from '../json-value.js';
import type { Located } from '../parse-documents.js';
import { parseExpression } from './expression.js';
import { fillParameters, type Filling } from './fill-parameters.js';
import { parseWhole, textMark, wholeMark, type GeneratedValue } from './generated-value.js';
import { readParameters, type Parameter } from './read-parameters.js';

const templateVersions = ['template.openshift.io/v1', 'v1'];

/** A Template of OpenShift: objects with holes, and the parameters that fill them. */
export function isTemplate(value: unknown): value is JsonMap {
  return (
    isMap(value) &&
    value['kind'] === 'Template' &&
    isText(value['apiVersion']) &&
    templateVersions.includes(value['apiVersion'])
  );
}

export interface ExpandedTemplate {
  readonly objects: readonly Located[];
  /** To be added to every object that the Template leads to. */
  readonly labels: JsonMap;
  /** Every parameter that it has, so that a value for another one is known to be a mistake. */
  readonly names: readonly string[];
  readonly generated: readonly GeneratedValue[];
  readonly mistakes: readonly string[];
}

export interface TemplateInput {
  readonly located: Located;
  readonly template: JsonMap;
  /** The values that the user gave. */
  readonly given: ReadonlyMap<string, string>;
  /** The number of values that other Templates have to generate. */
  readonly firstIndex: number;
}

/** The objects of a Template with its parameters filled in; what is generated is marked for later. */
export function expandTemplate({
  located,
  template,
  given,
  firstIndex,
}: TemplateInput): ExpandedTemplate {
  const { source, where } = located;
  const name = mapOf(template['metadata'])['name'];
  const title = `${where}Template${isText(name) ? ` ${name}` : ''}`;
  const start = `${source}: ${title}`;
  const { parameters, mistakes } = readParameters(template['parameters']);
  const generated: GeneratedValue[] = [];
  const problems = [...mistakes];
  const fillings = new Map<string, Filling>();
  for (const parameter of parameters) {
    const decision = decideValue(parameter, given.get(parameter.name));
    if (decision.is === 'mistake') {
      problems.push(`parameter ${parameter.name}: ${decision.problem}`);
    } else if (decision.is === 'value') {
      fillings.set(parameter.name, { text: decision.text, whole: parseWhole(decision.text) });
    } else {
      const index = firstIndex + generated.length;
      const value = { index, name: parameter.name, template: start, pieces: decision.pieces };
      generated.push(value);
      fillings.set(parameter.name, { text: textMark(value), whole: wholeMark(value) });
    }
  }
  const { objects } = template;
  if (!Array.isArray(objects)) problems.push('objects: must be a list of objects');
  return {
    objects: (Array.isArray(objects) ? objects : []).map((object: unknown, index) => ({
      source,
      where: `${title}: objects[${index}]: `,
      value: fillParameters(dropNamespace(object), fillings),
    })),
    labels: mapOf(fillParameters(mapOf(template['labels']), fillings)),
    names: parameters.map((parameter) => parameter.name),
    generated,
    mistakes: problems.map((problem) => `${start}: ${problem}`),
  };
}

type Decision =
  | { readonly is: 'value'; readonly text: string }
  | { readonly is: 'generated'; readonly pieces: GeneratedValue['pieces'] }
  | { readonly is: 'mistake'; readonly problem: string };

/** What the user gave comes first, then the Template's own value, then the generator. */
function decideValue(parameter: Parameter, given: string | undefined): Decision {
  const text = given ?? parameter.value;
  if (text === '' && given === undefined && parameter.from !== undefined) {
    const pieces = parseExpression(parameter.from);
    if (typeof pieces !== 'string') return { is: 'generated', pieces };
    return { is: 'mistake', problem: `from: ${pieces}` };
  }
  if (text === '' && parameter.required) {
    const problem = `needs a value: give it with --param ${parameter.name}=VALUE`;
    return { is: 'mistake', problem };
  }
  return { is: 'value', text };
}

/** As OpenShift has it: a Template is for any namespace, unless a parameter names the one of an object. */
function dropNamespace(object: unknown): unknown {
  if (!isMap(object) || !isMap(object['metadata'])) return object;
  const { namespace, ...metadata } = object['metadata'];
  if (isText(namespace) && /\$\{\{?\w+\}/.test(namespace)) return object;
  return { ...object, metadata };
}
