import { hookPodName, type HookMoment } from '../../src/domain/shared/hook.js';
import { isNotFound } from '../../src/kubernetes/api-error.js';
import { hookAnnotations } from '../../src/kubernetes/hooks/annotations.js';
import type { KubernetesObject, Pod } from '../../src/kubernetes/objects.js';
import { resourcePath, resources, type ResourceType } from '../../src/kubernetes/resources.js';
import type { Cluster } from '../../src/kubernetes/connect.js';
import { waitFor } from './wait-for.js';

/** The hooks of a trial's versions or ReplicaSets, whose pods end as the test says. */
export class HookTrial {
  constructor(
    private readonly trial: { readonly cluster: Cluster; readonly namespace: string },
    private readonly type: ResourceType = resources.replicationControllers,
  ) {}

  async find(version: string, moment: HookMoment, number = 1): Promise<Pod | undefined> {
    const { cluster, namespace } = this.trial;
    const name = hookPodName(version, moment, number);
    try {
      return await cluster.client.get<Pod>(resources.pods, namespace, name);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  until(version: string, moment: HookMoment, number = 1, phase = 'Running'): Promise<Pod> {
    const name = hookPodName(version, moment, number);
    return waitFor(`${name} is ${phase}`, async () => {
      const pod = await this.find(version, moment, number);
      return pod?.status?.phase === phase ? pod : undefined;
    });
  }

  /** What a node does when the command of a try has ended. */
  async end(
    version: string,
    moment: HookMoment,
    code: number,
    { number = 1, message = '' }: { number?: number; message?: string } = {},
  ): Promise<void> {
    const annotations = {
      'kwok.slipway.dev/exit-code': String(code),
      'kwok.slipway.dev/exit-message': message,
    };
    const { metadata } = await this.until(version, moment, number);
    await this.write(metadata, { metadata: { annotations } });
  }

  async delete(version: string, moment: HookMoment, number = 1): Promise<void> {
    const { metadata } = await this.until(version, moment, number);
    await this.trial.cluster.client.delete(resources.pods, this.trial.namespace, metadata.name);
  }

  /** Deletes it as `kubectl delete --force` does, once it is in that phase. */
  async force(version: string, moment: HookMoment, phase = 'Running'): Promise<void> {
    const { metadata, status } = await this.until(version, moment, 1, phase);
    const [container] = status?.containerStatuses ?? [];
    const endedAtMs = Date.parse(container?.state?.terminated?.finishedAt ?? '');
    // Times are whole seconds, so that nobody could tell what came first.
    await waitFor('another second', () => (Date.now() < endedAtMs + 1_000 ? undefined : true));
    const { namespace, cluster } = this.trial;
    const path = resourcePath(resources.pods, { namespace, name: metadata.name });
    const body = { gracePeriodSeconds: 0, preconditions: { uid: metadata.uid } };
    await cluster.client.transport.json({ method: 'DELETE', path, body });
  }

  /** Deletes it by force, and what holds it as well, so that nothing of it is left. */
  async takeAway(version: string, moment: HookMoment): Promise<void> {
    await this.force(version, moment);
    try {
      const name = hookPodName(version, moment);
      await this.write({ name }, { metadata: { finalizers: null } });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  /** Its annotation on the version. */
  phaseOf({ metadata }: KubernetesObject, moment: HookMoment): string | undefined {
    return metadata.annotations?.[hookAnnotations(moment).phase];
  }

  untilPhase(version: string, moment: HookMoment, phase: string): Promise<KubernetesObject> {
    const { cluster, namespace } = this.trial;
    return waitFor(`the ${moment} hook of ${version} is ${phase}`, async () => {
      const found = await cluster.client.get(this.type, namespace, version);
      return this.phaseOf(found, moment) === phase ? found : undefined;
    });
  }

  private async write({ name }: Pick<Pod['metadata'], 'name'>, body: object): Promise<void> {
    const { cluster, namespace } = this.trial;
    await cluster.client.patch(resources.pods, namespace, name, 'merge', body);
  }
}
