import { canonicalJson } from '../shared/canonical-json.js';
import { defined } from '../shared/optional.js';
import {
  formatSource,
  type Cause,
  type ConfigTriggers,
  type ImageTrigger,
  type RollbackNotes,
} from './triggers.js';

export interface ContainerData {
  readonly name: string;
  readonly image?: string;
}

/** A pod template as it stands on the wire; only its containers are looked into. */
export interface TemplateData {
  readonly spec?: {
    readonly containers?: readonly ContainerData[];
    readonly initContainers?: readonly ContainerData[];
  };
}

/** What somebody asked for by hand. */
export interface VersionRequest {
  readonly by?: string;
  readonly reason?: string;
  /** The images that stand in the config are wanted, not the newest ones. */
  readonly keepsImages?: boolean;
  /** A version is wanted only if it would differ from the latest. */
  readonly onlyIfChanged?: boolean;
  /** Triggers that are suspended act again from this version on. */
  readonly resumesTriggers?: boolean;
  /** It is a version to go back to that is wanted, which the config has become already. */
  readonly rollback?: RollbackNotes;
}

export interface GeneratorInput<Template extends TemplateData> {
  /** 0 while there is none. */
  readonly latestVersion: number;
  readonly template: Template;
  readonly triggers: ConfigTriggers;
  /** No new version is made meanwhile, unless somebody asks. */
  readonly paused: boolean;
  /** No trigger acts, and none fills in an image; whoever asks for a version still gets one. */
  readonly suspended: boolean;
  /** The snapshot that the latest version holds; absent when it is gone. */
  readonly deployed?: { readonly template: TemplateData; readonly triggers: ConfigTriggers };
  /** The newest image of each source, by its `namespace/repository:tag`. */
  readonly images: ReadonlyMap<string, string>;
  readonly request?: VersionRequest;
}

export interface Generated<Template extends TemplateData> {
  readonly template: Template;
  readonly triggers: ConfigTriggers;
  /** Whether images were filled in that have to be saved. */
  readonly isFilled: boolean;
  /** Raised by one when there is a cause for a new version. */
  readonly latestVersion: number;
  readonly causes: readonly Cause[];
  /** Sources whose images are not known yet, without which no version can be made. */
  readonly waitsFor: readonly string[];
}

/**
 * A config with the newest images filled in, and whether that makes a new version. The same input gives
 * the same answer, and what was generated generates itself again, so that it may be asked for at any time.
 */
export function generateConfig<Template extends TemplateData>(
  input: GeneratorInput<Template>,
): Generated<Template> {
  const images = input.triggers.images.map((trigger) => refresh(trigger, input));
  const triggers = { ...input.triggers, images };
  const fill = areImagesHeld(input) ? fillBlanks : fillIn;
  const template = images.reduce(fill, input.template);
  const waitsFor = findMissing(template, triggers, input);
  const causes = waitsFor.length > 0 ? [] : findCauses(template, triggers, input);
  return {
    template,
    triggers,
    isFilled:
      canonicalJson(template) !== canonicalJson(input.template) ||
      canonicalJson(triggers) !== canonicalJson(input.triggers),
    latestVersion: input.latestVersion + (causes.length > 0 ? 1 : 0),
    causes,
    waitsFor,
  };
}

/** The trigger with the image that its containers are to run. */
function refresh(trigger: ImageTrigger, input: GeneratorInput<TemplateData>): ImageTrigger {
  const { images, request, latestVersion, template } = input;
  const newest = images.get(formatSource(trigger.source));
  const isBlank = containersOf(template).some(
    ({ name, image }) => trigger.containerNames.includes(name) && hasNoImage(image),
  );
  const isFirst = latestVersion === 0 || trigger.lastImage === undefined;
  const isAskedFor = request !== undefined && request.keepsImages !== true;
  const acts = trigger.automatic && !areImagesHeld(input);
  const isWanted = acts || isAskedFor || (isFirst && isBlank);
  return newest !== undefined && isWanted ? { ...trigger, lastImage: newest } : trigger;
}

/** What somebody has put in place of a trigger's image stays, unless somebody asks for the newest. */
const areImagesHeld = ({ suspended, request }: GeneratorInput<TemplateData>): boolean =>
  suspended && (request === undefined || request.keepsImages === true);

/** Sets the image of the trigger's containers, where one is known. */
const fillIn = <Template extends TemplateData>(
  template: Template,
  trigger: ImageTrigger,
): Template => fillContainers(template, trigger, () => true);

const fillBlanks = <Template extends TemplateData>(
  template: Template,
  trigger: ImageTrigger,
): Template => fillContainers(template, trigger, ({ image }) => hasNoImage(image));

function fillContainers<Template extends TemplateData>(
  template: Template,
  { lastImage, containerNames }: ImageTrigger,
  isFilled: (container: ContainerData) => boolean,
): Template {
  if (lastImage === undefined || template.spec === undefined) return template;
  const fill = (container: ContainerData): ContainerData =>
    containerNames.includes(container.name) && isFilled(container)
      ? { ...container, image: lastImage }
      : container;
  const { containers, initContainers } = template.spec;
  const filled = defined({
    containers: containers?.map(fill),
    initContainers: initContainers?.map(fill),
  });
  return { ...template, spec: { ...template.spec, ...filled } };
}

/**
 * A first version waits for every image that it is to follow, and none is made with a container that has
 * no image.
 */
function findMissing(
  template: TemplateData,
  { images }: ConfigTriggers,
  { latestVersion }: GeneratorInput<TemplateData>,
): readonly string[] {
  const blank = containersOf(template).filter(({ image }) => hasNoImage(image));
  const isMissing = ({ automatic, lastImage, containerNames }: ImageTrigger): boolean =>
    lastImage === undefined &&
    ((automatic && latestVersion === 0) || blank.some(({ name }) => containerNames.includes(name)));
  return [...new Set(images.filter(isMissing).map(({ source }) => formatSource(source)))];
}

function findCauses(
  template: TemplateData,
  triggers: ConfigTriggers,
  { deployed, latestVersion, paused, suspended, request }: GeneratorInput<TemplateData>,
): readonly Cause[] {
  const manual = request === undefined ? [] : [describeRequest(request)];
  if ((paused || suspended) && request === undefined) return [];
  // What it changes besides comes of going back, and is no cause of its own.
  if (request?.rollback !== undefined) return manual;
  if (latestVersion === 0) return [...manual, ...findFirstCauses(triggers)];
  // A version whose snapshot is gone is made anew under its own number.
  if (deployed === undefined) return request?.onlyIfChanged === true ? [] : manual;
  const changed = triggers.images.flatMap((trigger) => describeChange(trigger, deployed.triggers));
  const isNewShape =
    describeShape(template, triggers) !== describeShape(deployed.template, triggers);
  if (request?.onlyIfChanged === true && changed.length === 0 && !isNewShape) return [];
  const isNewConfig = triggers.onConfigChange && isNewShape;
  return [...manual, ...changed, ...(isNewConfig ? [configChange] : [])];
}

const describeRequest = ({ by, reason, rollback }: VersionRequest): Cause =>
  rollback === undefined
    ? { type: 'Manual', ...defined({ by, reason }) }
    : { type: 'Rollback', ...rollback, ...defined({ by }) };

const configChange: Cause = { type: 'ConfigChange' };

/** The first version is made as soon as it can be, whichever the trigger is. */
function findFirstCauses({ onConfigChange, images }: ConfigTriggers): readonly Cause[] {
  if (onConfigChange) return [configChange];
  return images.flatMap((trigger) => (trigger.automatic ? describeChange(trigger) : []));
}

/** The change of one image since that was deployed, if there is one. */
function describeChange(trigger: ImageTrigger, deployed?: ConfigTriggers): readonly Cause[] {
  const { source, containerNames, lastImage } = trigger;
  if (lastImage === undefined) return [];
  const before = deployed?.images.find(
    (other) => formatSource(other.source) === formatSource(source),
  )?.lastImage;
  if (before === lastImage) return [];
  const change = { source, containerNames, image: lastImage, ...defined({ previous: before }) };
  return [{ type: 'ImageChange', ...change }];
}

/** The template as a text, without the images that triggers fill in: those are no change of the config. */
function describeShape(template: TemplateData, { images }: ConfigTriggers): string {
  const filled = new Set(images.flatMap(({ containerNames }) => containerNames));
  const mask = (container: ContainerData): ContainerData =>
    filled.has(container.name) ? { ...container, image: '' } : container;
  const { containers, initContainers } = template.spec ?? {};
  return canonicalJson({
    ...template,
    spec: {
      ...template.spec,
      containers: containers?.map(mask),
      initContainers: initContainers?.map(mask),
    },
  });
}

export function containersOf({ spec }: TemplateData): readonly ContainerData[] {
  return [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
}

/** OpenShift's manifests have a blank where a trigger is to fill in the image. */
export const hasNoImage = (image: string | undefined): boolean =>
  image === undefined || image.trim() === '';
