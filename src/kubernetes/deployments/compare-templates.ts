import type { TemplateChange } from '../../domain/deployment/observation.js';
import { canonicalJson } from '../../domain/shared/canonical-json.js';
import type { PodTemplate } from '../objects.js';
import { withoutHash } from './same-template.js';

/** What differs between two templates, for whoever asks what a rollout is about. */
export function compareTemplates(before: PodTemplate, after: PodTemplate): TemplateChange[] {
  const changes: TemplateChange[] = [];
  if (differ(imagesOf(before), imagesOf(after))) changes.push('image');
  if (restartOf(before) !== restartOf(after)) changes.push('restart');
  if (differ(restOf(before), restOf(after))) changes.push('config');
  return changes;
}

const differ = (a: object, b: object): boolean => canonicalJson(a) !== canonicalJson(b);

/** What `kubectl rollout restart` writes into a template. */
const restartedAt = 'kubectl.kubernetes.io/restartedAt';

const containerKinds = ['initContainers', 'containers'] as const;

/** By name: a container that comes or goes is a change of the configuration. */
function imagesOf({ spec }: PodTemplate): Record<string, string> {
  const containers = containerKinds.flatMap((kind) => spec?.[kind] ?? []);
  return Object.fromEntries(containers.map(({ name, image = '' }) => [name, image]));
}

const restartOf = ({ metadata }: PodTemplate): string => metadata?.annotations?.[restartedAt] ?? '';

function restOf(template: PodTemplate): object {
  const { metadata, spec } = withoutHash(template);
  const { [restartedAt]: _restart, ...rest } = metadata?.annotations ?? {};
  const bare = containerKinds.map(
    (kind) => [kind, spec?.[kind]?.map(({ image: _image, ...container }) => container)] as const,
  );
  return {
    metadata: { ...metadata, annotations: rest },
    spec: { ...spec, ...Object.fromEntries(bare) },
  };
}
