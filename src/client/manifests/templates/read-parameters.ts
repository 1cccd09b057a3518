import { isMap, isText } from '../json-value.js';

/** A parameter as a Template defines it. */
export interface Parameter {
  readonly name: string;
  /** What it is when nobody says otherwise; empty when there is nothing. */
  readonly value: string;
  readonly required: boolean;
  /** The expression to generate a value from. */
  readonly from?: string;
}

export interface ReadParameters {
  readonly parameters: readonly Parameter[];
  /** Clauses that begin with the parameter or the field. */
  readonly mistakes: readonly string[];
}

export function readParameters(value: unknown): ReadParameters {
  if (value === undefined || value === null) return { parameters: [], mistakes: [] };
  if (!Array.isArray(value)) return { parameters: [], mistakes: ['parameters: must be a list'] };
  const parameters: Parameter[] = [];
  const mistakes: string[] = [];
  value.forEach((item: unknown, index) => {
    const result = readParameter(item, index);
    if (typeof result === 'string') mistakes.push(result);
    else if (parameters.some(({ name }) => name === result.name)) {
      mistakes.push(`parameter ${result.name}: is there twice`);
    } else parameters.push(result);
  });
  return { parameters, mistakes };
}

function readParameter(item: unknown, index: number): Parameter | string {
  const place = `parameters[${index}]`;
  if (!isMap(item)) return `${place}: must be a map of fields`;
  const { name, value, generate, from, required } = item;
  if (!isText(name)) return `${place}.name: is required`;
  if (!/^\w+$/.test(name)) {
    return `${place}.name: "${name}" should have letters, digits and underscores only`;
  }
  const start = `parameter ${name}`;
  if (!isTextOrAbsent(value)) return `${start}: value: must be a text: put it in quotes`;
  if (required !== undefined && required !== null && typeof required !== 'boolean') {
    return `${start}: required: must be true or false`;
  }
  const basic = { name, value: value ?? '', required: required === true };
  if (!isText(generate)) return basic;
  if (generate !== 'expression') {
    return `${start}: generate: "${generate}" should be expression, the only generator there is`;
  }
  if (!isText(from)) return `${start}: from: is required, because its value is to be generated`;
  return { ...basic, from };
}

const isTextOrAbsent = (value: unknown): value is string | null | undefined =>
  value === undefined || value === null || typeof value === 'string';
