import { HttpProblem } from './problem.js';

const label = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

/**
 * Names go into paths of the apiserver, so that nothing but a name may be one: ".." would lead elsewhere,
 * with the worker's rights.
 */
export function readName(what: string, text: string | undefined): string {
  const isName =
    text !== undefined && text.length <= 253 && text.split('.').every((part) => label.test(part));
  if (isName) return text;
  throw new HttpProblem(
    400,
    `${what}: must be lower-case letters, digits, "-" and "." as in the names of Kubernetes`,
  );
}

export function readNamespace(text: string | undefined): string {
  if (text !== undefined && label.test(text)) return text;
  throw new HttpProblem(400, 'namespace: must be up to 63 lower-case letters, digits and "-"');
}
