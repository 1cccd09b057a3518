import { buildPodTemplateSchema } from '../pod-template-schema.js';
import type { OpenApiDocument, Schema, ValidationRule } from '../schema.js';

/** The most containers, and the most triggers, that rules look at: their cost is reckoned from it. */
export const maxContainers = 50;

export const containerNameSchema: Schema = { type: 'string', maxLength: 63 };

/**
 * A pod template as OpenShift takes it: an image may be empty, or a blank, where a trigger fills it in.
 * `capabilities` beside the image is from the days before securityContext; manifests still carry an
 * empty one.
 */
export function buildTemplateSchema(document: OpenApiDocument): Schema {
  const template = buildBoundedTemplateSchema(document);
  for (const { container } of containersOf(template)) {
    container['capabilities'] = { type: 'object', maxProperties: 0, nullable: true };
  }
  return template;
}

/** A pod template whose containers rules can look through. */
export function buildBoundedTemplateSchema(document: OpenApiDocument): Schema {
  const template = buildPodTemplateSchema(document);
  for (const { containers, container } of containersOf(template)) {
    containers.maxItems = maxContainers;
    container['name'] = { ...container['name'], ...containerNameSchema };
  }
  return template;
}

function containersOf(template: Schema) {
  const pod = template.properties?.['spec']?.properties;
  return ['containers', 'initContainers'].map((list) => {
    const containers = pod?.[list];
    const container = containers?.items?.properties;
    if (containers === undefined || container === undefined) {
      throw new Error(`a pod must have ${list}`);
    }
    return { containers, container };
  });
}

/** For a spec with `triggers` and `template`: what has no image gets one from a trigger. */
export const imagesAreKnown: readonly ValidationRule[] = ['containers', 'initContainers'].map(
  (list) => ({
    rule: [
      `!has(self.template.spec.${list}) || self.template.spec.${list}.all(container,`,
      '(has(container.image) && size(container.image) > 0) ||',
      '(has(self.triggers) && self.triggers.exists(trigger, has(trigger.imageChangeParams) &&',
      "trigger.type == 'ImageChange' && container.name in trigger.imageChangeParams.containerNames)))",
    ].join(' '),
    message:
      'each must have an image, or be named by a trigger of type ImageChange in spec.triggers',
    fieldPath: `.template.spec.${list}`,
  }),
);

/** For a spec with `selector`, a map, and `template`. */
export const selectorMatchesLabels: ValidationRule = {
  rule: '!has(self.selector) || self.selector.all(key, key in self.template.metadata.labels && self.template.metadata.labels[key] == self.selector[key])',
  message: 'must match spec.selector, which would not find the pods of this template',
  fieldPath: '.template.metadata.labels',
};
