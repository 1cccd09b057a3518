import type { WorkflowHandle } from '@temporalio/client';

import type { HookRef } from '../../src/contracts/hook.js';
import type { HookMoment } from '../../src/domain/shared/hook.js';
import { annotations } from '../../src/kubernetes/deployments/annotations.js';
import { TemplateDefaults } from '../../src/kubernetes/deployments/default-template.js';
import { newSetName } from '../../src/kubernetes/deployments/new-set.js';
import type { Deployment } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import type { Write } from './apiserver-proxy.js';
import type { DeploymentTrial } from './deployment-trial.js';
import type { EtcdHistory, PastObject, PastWrite } from './etcd-history.js';
import type { CrashCase } from './hook-crash-cases.js';
import { isPatchOf, moves, type AwaitedMoment, type HookedRollout } from './hooked-rollout.js';

const api = 'slipway.dev/v1alpha1';
const deployments = resources.slipwayDeployments.plural;

const availableReason = 'NewReplicaSetAvailable';
const ends = new Map([
  [availableReason, 'Complete'],
  ['HookFailed', 'Failed'],
]);

/** A ReplicaSet of a Deployment, whose condition tells how far it is: the second, or again the first. */
export class SetRollout implements HookedRollout {
  readonly kind = 'replicasets';
  readonly type = resources.replicaSets;

  private constructor(
    readonly trial: DeploymentTrial,
    private readonly crash: CrashCase,
    readonly previous: string,
    readonly name: string,
  ) {}

  /** Sets are named by their templates, so it is known what they will be called. */
  static async plan(trial: DeploymentTrial, crash: CrashCase): Promise<SetRollout> {
    const nameOf = async (image: string): Promise<string> => {
      const deployment = trial.manifest(api, crash.name, {}, image) as Deployment;
      const completed = await new TemplateDefaults(trial.cluster.client).complete(api, deployment);
      if (completed.kind !== 'valid') throw new Error(`${crash.name}: ${completed.kind}`);
      return newSetName(deployment, completed.template);
    };
    const first = await nameOf('example.com/web:1');
    const second = await nameOf('example.com/web:2');
    return crash.isReturn === true
      ? new SetRollout(trial, crash, second, first)
      : new SetRollout(trial, crash, first, second);
  }

  get run(): WorkflowHandle {
    return this.trial.run(this.crash.name);
  }

  hookRef(moment: HookMoment): HookRef {
    const { namespace } = this.trial;
    const { name } = this.crash;
    return { cluster: 'local', namespace, name, version: 2, moment, replicaSet: this.name };
  }

  async precede(): Promise<void> {
    const { trial, crash } = this;
    const { type, lifecycle } = strategyOf(crash);
    if (crash.isReturn !== true) {
      await trial.create(api, crash.name, { replicas: 1, strategy: { type } });
      return;
    }
    const annotations = { 'kwok.slipway.dev/exit-code': '0' };
    await trial.create(api, crash.name, {
      replicas: 1,
      strategy: { type, lifecycle, annotations },
    });
    await trial.untilCondition(api, crash.name, 'Progressing', availableReason);
    const none = { lifecycle: null, annotations: null };
    await trial.setImage(api, crash.name, 'example.com/web:2', { strategy: none });
  }

  async begin(): Promise<void> {
    const { trial, crash } = this;
    const strategy = strategyOf(crash);
    if (crash.isReturn === true) {
      await trial.patch(api, crash.name, { spec: { strategy, rollbackTo: { revision: 1 } } });
    } else {
      await trial.setImage(api, crash.name, 'example.com/web:2', { strategy });
    }
  }

  endOf(name: string, history: EtcdHistory): string | undefined {
    const found = history.find('deployments', this.trial.namespace, this.crash.name);
    const { reason = '', message = '' } = found?.progress ?? {};
    return message.includes(`"${name}"`) ? ends.get(reason) : undefined;
  }

  isOwn({ namespace, resource, name }: Write): boolean {
    if (namespace !== this.trial.namespace) return false;
    if (resource === deployments) return name === this.crash.name;
    const isSet = name === this.name || name === this.previous;
    return isSet || name.startsWith(`${this.name}-hook-`);
  }

  goesOn(write: Write, moment: AwaitedMoment): boolean {
    if (moment !== 'post') return isPatchOf(write, this) && moves(write, '/spec/replicas', 1);
    const { status } = (write.body ?? {}) as Pick<Deployment, 'status'>;
    return (
      write.resource === deployments &&
      write.name === this.crash.name &&
      status?.conditions?.some((condition) => this.isAvailable(condition)) === true
    );
  }

  givesUp(write: Write): boolean {
    const { metadata } = (write.body ?? {}) as Partial<Pick<Deployment, 'metadata'>>;
    const mark = metadata?.annotations?.[annotations.failed] as string | null | undefined;
    return isPatchOf(write, this) && typeof mark === 'string';
  }

  isPast({ kind, name, object }: PastWrite, moment: HookMoment): boolean {
    if (object === undefined) return false;
    const has = (set: string, isSo: (size: number) => boolean): boolean =>
      kind === this.kind && name === set && isSo(object.replicas ?? 0);
    const hasPods = has(this.name, (size) => size > 0);
    switch (moment) {
      case 'pre':
        return hasPods || has(this.previous, (size) => size === 0);
      case 'mid':
        return hasPods;
      case 'post':
        return (
          kind === 'deployments' &&
          name === this.crash.name &&
          this.isAvailable(object.progress ?? {})
        );
      case 'abort':
        return false;
    }
  }

  private isAvailable({ reason, message = '' }: NonNullable<PastObject['progress']>): boolean {
    return reason === availableReason && message.includes(`"${this.name}"`);
  }
}

const exec = (failurePolicy: string) => ({
  failurePolicy,
  execNewPod: { command: ['rake', 'db:migrate'], containerName: 'main' },
});

/** A post hook can't abort what is in place already. */
function strategyOf({ policies, podAnnotations: pods }: CrashCase) {
  const lifecycle = Object.fromEntries(
    Object.entries(policies).map(([moment, policy]) => [
      moment,
      exec(moment === 'post' ? 'Retry' : policy),
    ]),
  );
  return {
    type: policies.mid === undefined ? 'RollingUpdate' : 'Recreate',
    lifecycle,
    ...(pods === undefined ? {} : { annotations: pods }),
  };
}
