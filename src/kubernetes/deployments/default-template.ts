import type { DeploymentApi } from '../../domain/deployment/observation.js';
import { computeTemplateHash } from '../../domain/shared/template-hash.js';
import { ApiError, isEnding, isForbidden, isInvalid, isNotFound } from '../api-error.js';
import type { KubernetesClient } from '../client.js';
import type { Deployment, PodTemplate, ReplicaSet } from '../objects.js';
import { resources } from '../resources.js';
import { selectorOf, templateOf } from './read-deployment.js';

/** A template as the apiserver completes it, or why it doesn't. */
export type DefaultedTemplate =
  | { readonly kind: 'valid'; readonly template: PodTemplate }
  | { readonly kind: 'invalid'; readonly problem: string }
  /** It would not say just now: a quota is used up, for example. */
  | { readonly kind: 'unknown'; readonly problem: string }
  /** Its namespace is on its way out, and so is the Deployment. */
  | { readonly kind: 'ending' };

/**
 * Completes the templates of our own kind with the apiserver's defaults, by a dry run of the
 * ReplicaSet that they would become: only then can they be compared with those of real ReplicaSets.
 * Those of `apps/v1` are complete as they are.
 */
export class TemplateDefaults {
  private readonly known = new Map<string, { of: string; result: DefaultedTemplate }>();

  constructor(private readonly client: KubernetesClient) {}

  async complete(api: DeploymentApi, deployment: Deployment): Promise<DefaultedTemplate> {
    const template = templateOf(deployment);
    if (api === 'apps/v1') return { kind: 'valid', template };
    const uid = deployment.metadata.uid ?? '';
    const of = computeTemplateHash({ template, selector: selectorOf(deployment) });
    const known = this.known.get(uid);
    if (known?.of === of) return known.result;
    const result = await this.dryRun(deployment, of);
    if (result.kind === 'valid' || result.kind === 'invalid') this.known.set(uid, { of, result });
    return result;
  }

  forget(deployment: Deployment): void {
    this.known.delete(deployment.metadata.uid ?? '');
  }

  private async dryRun(deployment: Deployment, hash: string): Promise<DefaultedTemplate> {
    const { namespace = '', name } = deployment.metadata;
    const trial: ReplicaSet = {
      metadata: { name: `${name.slice(0, 200)}-${hash}-dry-run`, namespace },
      spec: {
        replicas: 0,
        selector: selectorOf(deployment) as NonNullable<ReplicaSet['spec']>['selector'],
        template: templateOf(deployment),
      },
    };
    try {
      const made = await this.client.create(resources.replicaSets, trial, { dryRun: true });
      return { kind: 'valid', template: made.spec?.template ?? {} };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (isEnding(error)) return { kind: 'ending' };
      if (isInvalid(error)) return { kind: 'invalid', problem: describeInvalid(error) };
      if (!isForbidden(error) && !isNotFound(error)) throw error;
      return { kind: 'unknown', problem: error.message };
    }
  }
}

/** Example: "spec.template.spec.containers[0].image: Required value". */
function describeInvalid(error: ApiError): string {
  const causes = error.causes.map(({ field, message }) => `${field ?? 'spec'}: ${message ?? ''}`);
  return causes.length > 0 ? causes.join('; ') : error.message;
}
