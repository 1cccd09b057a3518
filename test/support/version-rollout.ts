import type { WorkflowHandle } from '@temporalio/client';

import type { HookRef } from '../../src/contracts/hook.js';
import type { HookMoment } from '../../src/domain/shared/hook.js';
import { configAnnotations } from '../../src/kubernetes/deployment-configs/annotations.js';
import { resources } from '../../src/kubernetes/resources.js';
import type { Write } from './apiserver-proxy.js';
import type { ConfigTrial } from './config-trial.js';
import type { EtcdHistory, PastWrite } from './etcd-history.js';
import type { CrashCase } from './hook-crash-cases.js';
import { isPatchOf, moves, type AwaitedMoment, type HookedRollout } from './hooked-rollout.js';

/** A version of a DeploymentConfig, whose phases tell how far it is. */
export class VersionRollout implements HookedRollout {
  readonly kind = 'controllers';
  readonly type = resources.replicationControllers;
  readonly name: string;
  readonly previous: string | undefined;
  private readonly number: number;

  constructor(
    readonly trial: ConfigTrial,
    private readonly crash: CrashCase,
  ) {
    this.number = crash.isSecond === true ? 2 : 1;
    this.name = `${crash.name}-${this.number}`;
    this.previous = crash.isSecond === true ? `${crash.name}-1` : undefined;
  }

  get run(): WorkflowHandle {
    return this.trial.run(this.crash.name, this.number);
  }

  hookRef(moment: HookMoment): HookRef {
    const { namespace } = this.trial;
    const { name } = this.crash;
    return { cluster: 'local', namespace, name, version: this.number, moment };
  }

  async precede(): Promise<void> {
    await this.trial.create(this.crash.name, { replicas: 1, strategy: { type: 'Recreate' } });
  }

  async begin(): Promise<void> {
    const { trial, crash } = this;
    const spec = { replicas: 1, strategy: strategyOf(crash) };
    if (this.previous === undefined) {
      await trial.create(crash.name, spec);
    } else {
      const template = trial.template(crash.name, 'example.com/web:2');
      await trial.patch(crash.name, { spec: { ...spec, template } });
    }
  }

  endOf(name: string, history: EtcdHistory): string | undefined {
    const found = history.find('controllers', this.trial.namespace, name);
    return found?.annotations[configAnnotations.phase];
  }

  isOwn({ namespace, name }: Write): boolean {
    if (namespace !== this.trial.namespace) return false;
    return name === this.name || name.startsWith(`${this.name}-hook-`);
  }

  goesOn(write: Write, moment: AwaitedMoment): boolean {
    switch (moment) {
      case 'pre':
        return this.movesTo(write, 'Pending');
      case 'mid':
        return isPatchOf(write, this) && moves(write, '/spec/replicas', 1);
      case 'post':
        return this.movesTo(write, 'Complete');
    }
  }

  givesUp(write: Write): boolean {
    return this.movesTo(write, 'Failed');
  }

  isPast({ kind, name, object }: PastWrite, moment: HookMoment): boolean {
    if (kind !== this.kind || name !== this.name || object === undefined) return false;
    const { annotations, replicas = 0 } = object;
    const phase = annotations[configAnnotations.phase];
    switch (moment) {
      case 'pre':
        return replicas > 0 || (phase !== 'New' && phase !== 'Failed');
      case 'mid':
        return replicas > 0;
      case 'post':
        return phase === 'Complete';
      case 'abort':
        return false;
    }
  }

  private movesTo(write: Write, phase: string): boolean {
    const path = `/metadata/annotations/${configAnnotations.phase.replaceAll('/', '~1')}`;
    return isPatchOf(write, this) && moves(write, path, phase);
  }
}

const exec = (failurePolicy: string) => ({
  failurePolicy,
  execNewPod: { command: ['rake', 'db:migrate'], containerName: 'web' },
});

/** In OpenShift's form, as far as that has such hooks. */
function strategyOf({ policies, podAnnotations: annotations }: CrashCase): object {
  const { abort, ...awaited } = policies;
  const hooks = Object.fromEntries(
    Object.entries(awaited).map(([moment, policy]) => [moment, exec(policy)]),
  );
  const form =
    abort === undefined
      ? { type: 'Recreate', recreateParams: hooks }
      : { type: 'Rolling', rollingParams: hooks, lifecycle: { abort: exec(abort) } };
  return annotations === undefined ? form : { ...form, annotations };
}
