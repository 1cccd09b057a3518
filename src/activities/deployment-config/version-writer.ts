import type { VersionAction } from '../../domain/deployment-config/plan.js';
import { ApiError } from '../../kubernetes/api-error.js';
import type { ReplicationController } from '../../kubernetes/deployment-configs/objects.js';
import { controllerName } from '../../kubernetes/deployment-configs/build-controller.js';
import type { Written } from '../carry-out.js';
import { ControllerWriter } from './controller-writer.js';
import { PodWriter } from './pod-writer.js';
import { RegionWriter } from './region-writer.js';
import type { VersionSubject } from './version-subject.js';

/** Turns each action of a plan into one call that is harmless when it is made twice. */
export class VersionWriter {
  private readonly controllers: ControllerWriter;
  private readonly pods: PodWriter;
  private readonly regions: RegionWriter;

  constructor(private readonly subject: VersionSubject) {
    this.controllers = new ControllerWriter(subject);
    this.pods = new PodWriter(subject.client, subject.ref.namespace);
    this.regions = new RegionWriter(subject.client);
  }

  async write(action: VersionAction): Promise<Written | undefined> {
    switch (action.kind) {
      case 'announce':
        return undefined;
      case 'createDeployer':
        return this.pods.createDeployer(this.find(action.name, action.uid));
      case 'deletePod':
        return this.pods.delete(action);
      case 'releasePod':
        return this.pods.release(action);
      case 'moveRegion': {
        const version = this.find(controllerName(this.subject.ref.name, action.version));
        return this.regions.move(action, this.find(action.name, action.uid), version);
      }
      case 'refillRegion':
        return this.regions.refill(action, this.find(action.name, action.uid));
      default:
        return this.controllers.write(action);
    }
  }

  /** What the plan was made from; one that is gone since makes it out of date. */
  private find(name: string, uid?: string): ReplicationController {
    const found = this.subject.seen(name);
    if (found !== undefined && (uid === undefined || found.metadata.uid === uid)) return found;
    throw new ApiError(404, 'NotFound', `replicationcontrollers "${name}" not found`);
  }
}
