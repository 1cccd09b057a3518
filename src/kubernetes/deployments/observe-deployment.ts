import type {
  DeploymentApi,
  DeploymentObservation,
  ReplicaSetSummary,
  TemplateChange,
} from '../../domain/deployment/observation.js';
import { newestOf } from '../../domain/deployment/sets.js';
import { defined } from '../../domain/shared/optional.js';
import { versionsOf } from '../object-versions.js';
import type { Deployment, Pod, PodTemplate, ReplicaSet } from '../objects.js';
import type { Sighting } from '../wait-for-change.js';
import { compareTemplates } from './compare-templates.js';
import type { DefaultedTemplate } from './default-template.js';
import { findCrash } from './find-crash.js';
import { findNewSet, newSetName } from './new-set.js';
import { readDeployment } from './read-deployment.js';
import { readReplicaSet } from './read-replica-set.js';

/** A Deployment with all that belongs to it. */
export interface DeploymentScene {
  readonly api: DeploymentApi;
  readonly deployment: Deployment;
  readonly completed: DefaultedTemplate;
  readonly sets: readonly ReplicaSet[];
  /** Why nothing can be done for it, whatever it says itself. */
  readonly clash: string | undefined;
  readonly podsOf: (sets: readonly ReplicaSet[]) => readonly Pod[];
}

/** What a plan needs to know of it, and by which versions of the objects. */
export function observeDeployment(scene: DeploymentScene): Sighting<DeploymentObservation> {
  const { api, deployment, completed, sets, clash, podsOf } = scene;
  const template = completed.kind === 'valid' ? completed.template : undefined;
  const newSet = findNewSet(sets, deployment, template);
  const name = newSet?.metadata.name ?? newSetName(deployment, template);
  const summary = readDeployment(api, deployment, name);
  const oldSets = sets.filter((set) => set !== newSet);
  const counts = summary.strategy.type === 'Recreate' ? { oldPods: podsOf(oldSets).length } : {};
  const crash =
    newSet !== undefined && summary.rollsBackOnFailure === true
      ? findCrash(podsOf([newSet]))
      : undefined;
  const summaries = sets.map((set) => ({
    ...readReplicaSet(set, deployment, set === newSet),
    ...(set === newSet ? defined({ crash }) : {}),
  }));
  return {
    observation: {
      observedAtMs: Date.now(),
      deployment: {
        ...summary,
        ...defined({
          problem: clash ?? summary.problem,
          templateProblem: findTemplateProblem(completed, newSet),
          templateChanges: findChanges(sets, summaries, template),
        }),
      },
      replicaSets: summaries,
      ...counts,
    },
    versions: {
      deployment: deployment.metadata.resourceVersion ?? '0',
      replicaSets: versionsOf(sets),
      ...counts,
    },
  };
}

/** A set that is there already can be scaled, whatever stands in the way of another one. */
function findTemplateProblem(
  completed: DefaultedTemplate,
  newSet: ReplicaSet | undefined,
): string | undefined {
  if (completed.kind === 'invalid') return completed.problem;
  return completed.kind === 'unknown' && newSet === undefined ? completed.problem : undefined;
}

/** Only asked while there is no set for the template: then a rollout is about to start. */
function findChanges(
  sets: readonly ReplicaSet[],
  summaries: readonly ReplicaSetSummary[],
  template: PodTemplate | undefined,
): TemplateChange[] | undefined {
  if (template === undefined || summaries.some((set) => set.isNew)) return undefined;
  const newest = newestOf(summaries)?.uid;
  const previous = sets.find(({ metadata }) => metadata.uid === newest)?.spec?.template;
  return previous === undefined ? undefined : compareTemplates(previous, template);
}
