import type { KeyReference, Reference, VariableData, VariablesData } from './config-data.js';
import type { FieldPath } from './field-path.js';
import { hidden, hideSecret, hideWithin } from './hide-secrets.js';

/** What a value at the end of a path looks like, without secrets; undefined where there is none. */
export function describeValue(path: FieldPath, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  // What identifies a member of a list is no name of its value.
  const names = path.map((part) => (typeof part === 'string' ? part : ''));
  const shown = hideWithin(names, value);
  return typeof shown === 'string' ? shown : JSON.stringify(shown);
}

/**
 * The value of a variable, unless that is secret, or where it comes from: what is in a Secret is never looked at.
 * Example: key "password" of Secret "db"
 */
export function describeVariable({ name, value, valueFrom }: Partial<VariableData>): string {
  return isGiven(valueFrom) ? describeSource(valueFrom) : hideSecret(name ?? '', value ?? '');
}

/** As above, with a plain value in quotes, so that one can't be mistaken for the other. */
export function quoteVariable(variable: Partial<VariableData>): string {
  const text = describeVariable(variable);
  return isGiven(variable.valueFrom) || text === hidden ? text : JSON.stringify(text);
}

/** Where a variable gets its value from, as it is; for comparisons alone. */
export const identifyVariable = ({ value, valueFrom }: Partial<VariableData>): string =>
  isGiven(valueFrom) ? describeSource(valueFrom) : JSON.stringify(value ?? '');

function describeSource(source: NonNullable<VariableData['valueFrom']>): string {
  const { configMapKeyRef, secretKeyRef, fieldRef, resourceFieldRef } = source;
  if (isGiven(secretKeyRef)) return describeKey('Secret', secretKeyRef);
  if (isGiven(configMapKeyRef)) return describeKey('ConfigMap', configMapKeyRef);
  if (isGiven(fieldRef)) return `the pod's ${fieldRef.fieldPath}`;
  if (!isGiven(resourceFieldRef)) return JSON.stringify(source);
  const { resource, containerName } = resourceFieldRef;
  return `${resource} of ${isGiven(containerName) ? `container "${containerName}"` : 'the container'}`;
}

/** Example: all of ConfigMap "shop", with prefix "SHOP_" */
export function describeVariables({ prefix, configMapRef, secretRef }: VariablesData): string {
  const source = isGiven(secretRef)
    ? describeObject('Secret', secretRef)
    : describeObject('ConfigMap', configMapRef ?? {});
  return `all of ${source}${isGiven(prefix) && prefix !== '' ? `, with prefix "${prefix}"` : ''}`;
}

const describeKey = (kind: string, reference: KeyReference): string =>
  `key "${reference.key}" of ${describeObject(kind, reference)}`;

const describeObject = (kind: string, { name, optional }: Reference): string =>
  `${kind} "${name ?? ''}"${optional === true ? ', if there is one' : ''}`;

/** A report is kept in a run's history, and read by people. */
export const cutText = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length} characters)`;

const isGiven = <T>(value: T | null | undefined): value is T =>
  value !== undefined && value !== null;
