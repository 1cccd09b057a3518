import type { ChangeArea } from './report.js';

/** Names of fields, and in a list of its own what identifies a member of a list. */
export type FieldPath = readonly (string | readonly [string])[];

/** Example: spec.template.spec.containers[web].env[DB_HOST] */
export function formatPath(path: FieldPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part !== 'string') return `${text}[${part[0]}]`;
    if (!/^[\w-]+$/.test(part)) return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}

const ofContainers: Readonly<Record<string, ChangeArea>> = {
  image: 'images',
  env: 'env',
  envFrom: 'env',
  ports: 'ports',
  volumeMounts: 'volumes',
  volumeDevices: 'volumes',
};

const ofSpecs: Readonly<Record<string, ChangeArea>> = {
  replicas: 'replicas',
  strategy: 'strategy',
  triggers: 'triggers',
  triggersSuspended: 'triggers',
  selector: 'selector',
};

/** What somebody who asks about this field wants to know about. */
export function areaOf(path: FieldPath): ChangeArea {
  const [root, field, ...rest] = path;
  if (root === 'metadata') return 'labels';
  if (field !== 'template') return ofSpecs[String(field)] ?? 'other';
  const [half, part, , detail] = rest;
  if (half === 'metadata') return part === 'labels' ? 'labels' : 'other';
  if (part === 'volumes') return 'volumes';
  const isOfContainer = part === 'containers' || part === 'initContainers';
  return isOfContainer ? (ofContainers[String(detail)] ?? 'other') : 'other';
}
