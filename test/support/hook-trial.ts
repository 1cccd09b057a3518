import { hookPodName, type HookMoment } from '../../src/domain/shared/hook.js';
import { isNotFound } from '../../src/kubernetes/api-error.js';
import type { ReplicationController } from '../../src/kubernetes/deployment-configs/objects.js';
import { hookAnnotations } from '../../src/kubernetes/hooks/annotations.js';
import type { Pod } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import type { ConfigTrial } from './config-trial.js';
import { waitFor } from './wait-for.js';

/** The hooks of a trial's versions, whose pods end as the test says. */
export class HookTrial {
  constructor(private readonly trial: ConfigTrial) {}

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
    const pod = await this.until(version, moment, number);
    const annotations = {
      'kwok.slipway.dev/exit-code': String(code),
      'kwok.slipway.dev/exit-message': message,
    };
    const { cluster, namespace } = this.trial;
    const body = { metadata: { annotations } };
    await cluster.client.patch(resources.pods, namespace, pod.metadata.name, 'merge', body);
  }

  async delete(version: string, moment: HookMoment, number = 1): Promise<void> {
    const { metadata } = await this.until(version, moment, number);
    await this.trial.cluster.client.delete(resources.pods, this.trial.namespace, metadata.name);
  }

  /** Its annotation on the version. */
  phaseOf({ metadata }: ReplicationController, moment: HookMoment): string | undefined {
    return metadata.annotations?.[hookAnnotations(moment).phase];
  }

  untilPhase(version: string, moment: HookMoment, phase: string): Promise<ReplicationController> {
    return waitFor(`the ${moment} hook of ${version} is ${phase}`, async () => {
      const found = await this.trial.version(version);
      return found !== undefined && this.phaseOf(found, moment) === phase ? found : undefined;
    });
  }
}
