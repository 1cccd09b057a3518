import type { DeploymentRef } from '../contracts/deployment.js';
import type { Cluster } from '../kubernetes/connect.js';
import { deploymentTypes } from '../kubernetes/deployments/deployment-key.js';
import type { Deployment, KubernetesObject } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';

export interface EventNote {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly action: string;
  readonly note: string;
}

const longestNote = 1_024;
const mostWaiting = 1_000;

/**
 * Kubernetes events about what was done, sent behind the work's back: losing one must not hold up or
 * fail a rollout.
 */
export class EventRecorder {
  private readonly waiting: (() => Promise<void>)[] = [];
  private sending: Promise<void> | undefined;

  constructor(
    private readonly clusterOf: (name: string) => Cluster | undefined,
    private readonly instance: string,
    private readonly onLoss: (error: unknown) => void,
  ) {}

  record(ref: DeploymentRef, about: Deployment, note: EventNote): void {
    const cluster = this.clusterOf(ref.cluster);
    if (cluster === undefined) return;
    if (this.waiting.length >= mostWaiting) {
      this.onLoss(new Error(`${mostWaiting} events are waiting to be sent`));
      return;
    }
    const event = this.buildEvent(ref, about, note);
    this.waiting.push(async () => {
      await cluster.client.create(resources.events, event);
    });
    this.sending ??= this.sendAll();
  }

  /** Resolves when everything recorded so far was sent or given up. */
  async flush(): Promise<void> {
    await this.sending;
  }

  private async sendAll(): Promise<void> {
    for (let send = this.waiting.shift(); send !== undefined; send = this.waiting.shift()) {
      await send().catch(this.onLoss);
    }
    this.sending = undefined;
  }

  private buildEvent(
    ref: DeploymentRef,
    { metadata }: Deployment,
    { type, reason, action, note }: EventNote,
  ): KubernetesObject {
    const nowMs = Date.now();
    const event = {
      metadata: {
        name: `${ref.name}.${nowMs.toString(16)}${Math.floor(Math.random() * 0xffff_ffff).toString(16)}`,
        namespace: ref.namespace,
      },
      // Events want microseconds.
      eventTime: new Date(nowMs).toISOString().replace(/Z$/, '000Z'),
      reportingController: 'slipway.dev/deployment',
      reportingInstance: this.instance,
      type,
      reason,
      action,
      note: note.slice(0, longestNote),
      regarding: {
        apiVersion: ref.api,
        kind: deploymentTypes[ref.api].kind,
        namespace: ref.namespace,
        name: ref.name,
        uid: metadata.uid,
        resourceVersion: metadata.resourceVersion,
      },
    };
    return event;
  }
}
